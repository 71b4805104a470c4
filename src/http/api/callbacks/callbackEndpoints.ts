/**
 * What outside providers call back with: read within limits, proved genuine, told to the journey once. Nothing is said
 * about a request before its signature is good: whether the id is known, and whether the body is any good, is the
 * provider's to know. A callback that came before, that is about a check no longer open, or that comes after the journey
 * has ended is answered like any other and changes nothing.
 *
 * | what                                           | answer                    |
 * |------------------------------------------------|---------------------------|
 * | not JSON by its content type                   | 415                       |
 * | too large                                      | 413                       |
 * | not signed, badly, long ago; an unknown id     | 401, all alike            |
 * | signed, but no body of this kind               | 400                       |
 * | signed, new, again or late                     | 200                       |
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, type Result } from "effect"
import { HttpRouter, HttpServerResponse, type HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { checkPossible, identityProviderOf, panelOf, type Provider } from "../../../actors/company/providers.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { askJourney } from "../../../actors/journey/actor/askJourney.ts"
import { type CommitUnknown, OutcomeUnknown, type Unopenable } from "../../../actors/kernel/StoreError.ts"
import {
  ProviderRequests,
  type Callback,
  type KnownRequest,
  type ProviderRequest
} from "../../../actors/effects/ProviderRequests.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { decodeFinanceCallback, decodeIdentityCallback } from "../../../schema/journey/callbacks.ts"
import type { FieldError } from "../../../schema/problems.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { uuid } from "../../../schema/parameters.ts"
import { parseStrictJson } from "../../../schema/strictJson.ts"
import { refuse } from "../../server/authentication.ts"
import { readBytes, refuseAnnouncedSize, refuseOtherThanJson } from "../../server/body.ts"
import { orProblems, problem, problemResponse, success } from "../../server/problems.ts"
import { isGenuine } from "./verifyCallback.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The largest legal callback is about a thousand bytes. */
const largestCallbackBytes = 16 * 1024

interface Kind<Body extends { readonly id: string }> {
  readonly kind: ProviderRequest["kind"]
  /** The path's parameter that names the request. */
  readonly parameter: string
  readonly sender: string
  readonly provider: (
    vault: Vault["Service"],
    company: KnownRequest["company"]
  ) => Effect.Effect<Provider | null, Unopenable>
  readonly decode: (json: unknown) => Result.Result<Body, ReadonlyArray<FieldError>>
  /** The body's decision or result. */
  readonly said: (body: Body) => string
  readonly message: (body: Body, known: KnownRequest) => JourneyMessage
}

/** Messages about an identity check name the ask they are about (D5). */
const ofAsk = (request: ProviderRequest) => (request.kind === "IDENTITY" ? { check: request.check } : {})

const results = {
  VERIFIED: "IdentityVerified",
  UNDER_REVIEW: "IdentityUnderReview",
  FAILED: "IdentityFailed"
} as const

/** What may have been written is written again when the provider calls again. */
const orUnknown = <A, E>(written: Effect.Effect<A, E | CommitUnknown>) =>
  Effect.catchIf(
    written,
    (error): error is Extract<E | CommitUnknown, CommitUnknown> =>
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "CommitUnknown",
    () => Effect.fail(new OutcomeUnknown())
  )

/** Asks the journey, unless the journey heard this callback before. */
const ask = Effect.fnUntraced(function* (
  { sender }: Pick<Kind<never>, "sender">,
  callback: Callback,
  { request }: KnownRequest,
  message: JourneyMessage
) {
  const requests = yield* ProviderRequests
  const heard = yield* orUnknown(requests.hear(callback))
  if (heard === "TOO_MANY") return yield* problem("RATE_LIMITED", "id", "Too many callbacks about one request")
  if (heard === "HEARD") return
  const { messageId } = callback
  const { journeyId } = request
  const outcome = yield* askJourney({ journeyId, messageId, sender, scope: null, message }).pipe(
    Effect.as("APPLIED" as const),
    Effect.catchTag("JourneyRefused", ({ refusal }) => {
      const why = refusal._tag === "Ignored" ? refusal.reason : refusal._tag
      return Effect.as(
        Effect.logInfo("A provider's callback changed nothing", { journeyId, messageId, why }),
        "IGNORED" as const
      )
    })
  )
  yield* orUnknown(requests.heard(callback, outcome))
})

const callbackEndpoint =
  <Body extends { readonly id: string }>(kind: Kind<Body>) =>
  (request: Request) =>
    Effect.gen(function* () {
      yield* refuseOtherThanJson(request)
      yield* refuseAnnouncedSize(request, largestCallbackBytes)
      const bytes = yield* readBytes(request, largestCallbackBytes)
      const requests = yield* ProviderRequests
      const vault = yield* Vault
      const id = ((yield* HttpRouter.params)[kind.parameter] ?? "").toLowerCase()
      const known = uuid.test(id) ? yield* requests.find(kind.kind, id) : null
      const provider = known === null ? null : yield* Effect.orDie(kind.provider(vault, known.company))
      if (!(yield* isGenuine(request, bytes, provider?.secret ?? null)) || known === null) {
        return yield* refused(request)
      }
      yield* Effect.annotateCurrentSpan("journey.id", known.request.journeyId)
      const body = yield* orProblems(kind.decode(yield* orProblems(parseStrictJson(bytes))))
      const callback: Callback = {
        requestId: id,
        messageId: derivedId(vault, "callback", id, body.id),
        said: kind.said(body),
        at: yield* Clock.currentTimeMillis
      }
      yield* ask(kind, callback, known, kind.message(body, known))
      return success(200, null, "Callback received")
    })

const refused = (request: Request) =>
  refuse(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage, "INVALID_SIGNATURE").pipe(
    Effect.catch(({ headers, problem }) =>
      Effect.succeed(HttpServerResponse.setHeaders(problemResponse(problem), headers))
    )
  )

export const financeCallbackEndpoint = callbackEndpoint({
  kind: "FINANCE",
  parameter: "submissionId",
  sender: "panel",
  provider: panelOf,
  decode: decodeFinanceCallback,
  said: ({ decision }) => decision,
  // A decision may be the first that is heard of the application: the customer is then asked at once (F4).
  message: ({ decision }, { company }) => ({ _tag: "PanelDecision", decision, check: checkPossible(company) })
})

export const identityCallbackEndpoint = callbackEndpoint({
  kind: "IDENTITY",
  parameter: "checkId",
  sender: "identity",
  provider: identityProviderOf,
  decode: decodeIdentityCallback,
  said: ({ result }) => result,
  message: ({ result }, { request }) => ({ _tag: results[result], ...ofAsk(request) })
})
