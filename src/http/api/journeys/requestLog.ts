/**
 * The request log: what was asked with a company's keys, newest first. One endpoint is for callers with a key, the other
 * for the company's people.
 */
import { Duration, Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { RequestLog, type RequestLine } from "../../../actors/company/RequestLog.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { requestLogLimits } from "../../../schema/company/limits.ts"
import { RequestErrorsResource } from "../../../schema/company/RequestErrors.ts"
import { requestMethods, requestOutcomes, RequestLineResource } from "../../../schema/company/RequestLine.ts"
import type { ApiKeyId, JourneyId } from "../../../schema/ids.ts"
import { Mode } from "../../../schema/Mode.ts"
import { exampleOf } from "../../../schema/model.ts"
import { timestamp } from "../../../schema/moment.ts"
import { ApiKeyIdParameter, IdCursor, JourneyIdParameter, pieceQuery } from "../../../schema/decoding/parameters.ts"
import { errorCodes, type ErrorCode } from "../../../schema/problems.ts"
import { inWords } from "../../documents/durations.ts"
import { ofAnyCompany, ofAnyKey } from "../../server/answers/commonRefusals.ts"
import { answer, described, Permitted, pieceAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { pieceAsked } from "../../server/endpoints/query.ts"
import { callerResource, operatorResource } from "../../server/endpoints/serve.ts"
import { read, scopeOf } from "../frame/asCaller.ts"
import { companyAsked, companyPath, ofCompany, pieces } from "../frame/ofCompany.ts"

const filters = {
  method: Schema.optionalKey(
    Schema.Literals(requestMethods).annotate({
      description:
        "Only requests with this method: POST leaves out what only reads, as a program that follows events does every second",
      expected: requestMethods.join(", ")
    })
  ),
  outcome: Schema.optionalKey(
    Schema.Literals(requestOutcomes).annotate({
      description: "Only requests that were refused, with any code, or only those that were not",
      expected: requestOutcomes.join(" or ")
    })
  ),
  code: Schema.optionalKey(
    Schema.Literals(errorCodes).annotate({
      description: "Only requests that were refused with this code",
      expected: "a code of the error catalogue"
    })
  ),
  keyId: Schema.optionalKey(ApiKeyIdParameter.annotate({ description: "Only requests with this API key" })),
  journeyId: Schema.optionalKey(JourneyIdParameter.annotate({ description: "Only requests about this journey" })),
  ...pieceQuery(IdCursor)
}

const Page = pieces("RequestLinePage", RequestLineResource)
const { countedFor, keptFor, linesCounted, shownWithin } = requestLogLimits
const about = `The requests of the last ${inWords(Duration.toMillis(keptFor))}, newest first: route, status, code, the names of the fields at fault, how long it took. Bodies, values and queries are not kept. A request appears within ${inWords(Duration.toMillis(shownWithin))}; one that was refused for its key or for the rate limit is not in it, and neither is a look at this log. A piece may be empty while more follows: go on until \`next\` is null.`
const example = pieceAnswer("Requests", exampleOf(RequestLineResource))

const mode = Mode.annotate({ description: "Requests with live keys, or with test keys" })

const listRequests = HttpApiEndpoint.get("listRequests", "/api/v1/requests", {
  query: Schema.Struct(filters),
  success: Page,
  error: refusedWith(ofAnyKey, "VALIDATION_FAILED")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "List requests",
      description: `What was asked with the keys of this key's company and mode. ${about}`,
      answer: example
    })
  )

const listCompanyRequests = HttpApiEndpoint.get("listCompanyRequests", `${companyPath}/requests`, {
  params: ofCompany,
  query: Schema.Struct({
    mode,
    ...filters
  }),
  success: Page,
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List a company's requests",
    allowedTo: "TEAM",
    description: `What was asked with the company's keys. ${about}`,
    answer: example
  })
)

const countRequestErrors = HttpApiEndpoint.get("countRequestErrors", `${companyPath}/request-errors`, {
  params: ofCompany,
  query: Schema.Struct({ mode }),
  success: answerOf("RequestErrorsAnswer", RequestErrorsResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Count a company's refused requests",
    allowedTo: "TEAM",
    description: `The refused requests of the last ${inWords(Duration.toMillis(countedFor))} by code: how many, when last and with which key. At most the newest ${linesCounted.toLocaleString("en-GB")} requests are looked at; \`since\` says how far back they reach.`,
    answer: answer("Refusals by code", "Request errors", exampleOf(RequestErrorsResource))
  })
)

const resourceOf = (line: RequestLine): RequestLineResource => ({
  requestId: line.requestId,
  at: timestamp(line.at),
  keyId: line.keyId,
  route: line.route,
  status: line.status,
  code: line.code,
  fields: line.fields,
  durationMillis: line.durationMillis,
  journeyId: line.journeyId,
  isReplay: line.isReplay
})

interface Asked {
  readonly method?: (typeof requestMethods)[number]
  readonly outcome?: (typeof requestOutcomes)[number]
  readonly code?: ErrorCode
  readonly keyId?: ApiKeyId
  readonly journeyId?: JourneyId
  readonly cursor?: string
  readonly size?: number
}

const listed = Effect.fnUntraced(function* (
  scope: Scope,
  { code, journeyId, keyId, method, outcome, ...piece }: Asked
) {
  const log = yield* RequestLog
  const filter = {
    code: code ?? null,
    keyId: keyId ?? null,
    journeyId: journeyId ?? null,
    method: method ?? null,
    isRefused: outcome === undefined ? null : outcome === "REFUSED"
  }
  const { content, next } = yield* log.list(scope, filter, pieceAsked(piece))
  return { content: content.map(resourceOf), next }
})

export const requestOperations = callerResource([listRequests], {
  listRequests: ({ caller, query }) => Effect.flatMap(query, (asked) => listed(scopeOf(caller), asked))
})

export const companyRequestOperations = operatorResource([listCompanyRequests, countRequestErrors], {
  listCompanyRequests: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { mode, ...query } = yield* asked.query
      return yield* listed({ companyId: id, livemode: mode === "LIVE" }, query)
    }),
  countRequestErrors: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { mode } = yield* asked.query
      const log = yield* RequestLog
      const { errors, since } = yield* log.errors({ companyId: id, livemode: mode === "LIVE" })
      return {
        since: timestamp(since),
        errors: errors.map(({ code, count, lastAt, lastKeyId }) => ({
          code,
          count,
          lastAt: timestamp(lastAt),
          lastKeyId
        }))
      }
    })
})
