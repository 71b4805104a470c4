/**
 * The operator's named tokens: for a person, a pipeline or a monitor each its own, with what it may do and until when. The text of
 * a token is in the answer that makes the token and nowhere else. Only the root token, or a token that may do everything, may ask.
 */
import { Clock, Duration, Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { hashOperatorToken, newOperatorTokenText } from "../../../actors/installation/operatorToken.ts"
import { OperatorTokens } from "../../../actors/installation/OperatorTokens.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { installationLimits } from "../../../schema/installation/limits.ts"
import {
  NewOperatorTokenResource,
  OperatorToken,
  OperatorTokenBody,
  OperatorTokenResource,
  operatorTokenResource
} from "../../../schema/installation/OperatorToken.ts"
import { exampleOf } from "../../../schema/model.ts"
import { Id, naming, PageQuery } from "../../../schema/decoding/parameters.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { actorOf, Asker } from "../../server/endpoints/Asker.ts"
import { ofAnyBody, ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { written } from "../frame/change.ts"
import { notFound, pages } from "../frame/ofCompany.ts"

const path = "/settings/v1/operator-tokens" as const
const example = exampleOf(OperatorTokenResource)

const createOperatorToken = HttpApiEndpoint.post("createOperatorToken", path, {
  payload: OperatorTokenBody,
  success: answerOf("NewOperatorTokenAnswer", NewOperatorTokenResource).pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyToken, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Create an operator token",
    description: `The answer holds the token's text, which is shown only here. The audit log names the token as \`operator:{name}\`; a name is never used twice. Without \`expiresAt\` the token ends after ${installationLimits.tokenDays} days.`,
    request: jsonExample("A token for a monitor", exampleOf(OperatorTokenBody)),
    answer: answer(
      "The token with its text",
      "Operator token created; its text is shown only now",
      exampleOf(NewOperatorTokenResource)
    )
  })
)

const listOperatorTokens = HttpApiEndpoint.get("listOperatorTokens", path, {
  query: PageQuery,
  success: pages("OperatorTokenPage", OperatorTokenResource),
  error: refusedWith(ofAnyToken, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List operator tokens",
    description:
      "The named tokens, newest first, revoked ones included. The root token of OPERATOR_TOKEN is not among them.",
    answer: pageAnswer("Operator tokens", example)
  })
)

const revokeOperatorToken = HttpApiEndpoint.delete("revokeOperatorToken", `${path}/:tokenId`, {
  params: { tokenId: Id.annotate({ description: "The token's id", ...naming("operatorToken") }) },
  success: answerOf("OperatorTokenAnswer", OperatorTokenResource),
  error: refusedWith(ofAnyToken, "NOT_FOUND")
}).annotateMerge(
  described({
    summary: "Revoke an operator token",
    description:
      "For good, and at once, with the sessions of the console that it has opened. Revoking it again changes nothing.",
    answer: answer("The revoked token", "Operator token revoked", { ...example, revokedAt: "2026-01-15T10:31:07.218Z" })
  })
)

const refusals = {
  NAME_TAKEN: () => problem("CONFLICT", "name", "A token of this name is there, or was there once"),
  TOO_MANY: () =>
    problem("CONFLICT", "operatorToken", `There are at most ${installationLimits.mostTokens} tokens: revoke one`)
} as const

export const operatorTokenOperations = operatorResource(
  [createOperatorToken, listOperatorTokens, revokeOperatorToken],
  {
    createOperatorToken: (asked) =>
      Effect.gen(function* () {
        const { expiresAt, name, scopes } = yield* asked.body
        const tokens = yield* OperatorTokens
        const by = actorOf(yield* Asker)
        const createdAt = yield* Clock.currentTimeMillis
        const text = newOperatorTokenText()
        const usual = createdAt + Duration.toMillis(Duration.days(installationLimits.tokenDays))
        const ends = expiresAt === undefined ? usual : expiresAt === null ? null : millisOf(expiresAt)
        const token = OperatorToken.row.make({
          id: (yield* Ids).next(),
          name,
          scopes,
          last4: text.slice(-4),
          expiresAt: ends,
          createdAt
        })
        const outcome = yield* written(tokens.add(token, hashOperatorToken(text), by))
        if (outcome !== "ADDED") return yield* refusals[outcome]()
        yield* Effect.logInfo("An operator token was made", { name, scopes, by })
        return { ...operatorTokenResource(token), token: text }
      }),

    listOperatorTokens: (asked) =>
      Effect.gen(function* () {
        const page = pageAsked(yield* asked.query)
        const tokens = yield* OperatorTokens
        return pageOf(page, yield* tokens.list(page), operatorTokenResource)
      }),

    revokeOperatorToken: (asked) =>
      Effect.gen(function* () {
        const id = yield* asked.path("tokenId")
        const tokens = yield* OperatorTokens
        const by = actorOf(yield* Asker)
        const token = yield* written(tokens.revoke(id, yield* Clock.currentTimeMillis, by))
        if (token === null) return yield* notFound("operatorToken")
        yield* Effect.logInfo("An operator token was revoked", { name: token.name, by })
        return operatorTokenResource(token)
      })
  }
)
