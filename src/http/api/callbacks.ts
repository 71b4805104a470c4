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
 * | unsigned, badly signed, old, or an unknown id  | 401, all alike            |
 * | signed, but no body of this kind               | 400                       |
 * | signed, new, again or late                     | 200                       |
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, Schema } from "effect"
import { HttpServerResponse, type HttpRouter, type HttpServerRequest } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { IncomingMessage } from "node:http"
import { checkPossible, identityProviderOf, panelOf, type Provider } from "../../actors/company/providers.ts"
import {
  ProviderRequests,
  type Callback,
  type KnownRequest,
  type ProviderRequest
} from "../../actors/effects/ProviderRequests.ts"
import { askJourney } from "../../actors/journey/actor/askJourney.ts"
import { derivedId } from "../../actors/journey/rules/derivedId.ts"
import { OutcomeUnknown, type Unopenable } from "../../actors/kernel/StoreError.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { bodyDecoder } from "../../schema/decoding.ts"
import { FinanceCallbackBody, IdentityCallbackBody } from "../../schema/requests/callbacks.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { Id } from "../../schema/parameters.ts"
import { parseStrictJson } from "../../schema/strictJson.ts"
import { refuse } from "../server/authentication.ts"
import { judgeTransport, readBytes, refuseAnnouncedSize } from "../server/body.ts"
import { ofAnyBody } from "../server/commonRefusals.ts"
import { answer, described, jsonExample } from "../server/described.ts"
import { answerOf, refusedWith } from "../server/envelope.ts"
import { httpLimits } from "../server/limits.ts"
import { orProblems, problem, problemResponse, type Problem } from "../server/problems.ts"
import { SignatureRequired } from "../server/security.ts"
import { providerResource, served } from "../server/serve.ts"
import { verifyCallback } from "./verifyCallback.ts"

type Request = HttpServerRequest.HttpServerRequest

const CallbackAnswer = answerOf("CallbackAnswer", Schema.Null)
const received = answer("Received", "Callback received", null)

const refusals = refusedWith(
  ofAnyBody,
  "INVALID_SIGNATURE",
  "RATE_LIMITED",
  "TEMPORARILY_UNAVAILABLE",
  "INTERNAL_ERROR"
)

const again =
  "Any 2xx ends it. A callback that comes again with the same `id`, or too late to matter, is answered with 200 and changes nothing."

const receiveFinanceDecision = HttpApiEndpoint.post("receiveFinanceDecision", "/callbacks/v1/finance/:submissionId", {
  params: { submissionId: Id.annotate({ description: "The submissionId the application was sent under" }) },
  payload: FinanceCallbackBody,
  success: CallbackAnswer,
  error: refusals
}).annotateMerge(
  described({
    summary: "Report a finance decision",
    description: `From the company's finance panel. ${again}`,
    request: jsonExample("The lender approves", {
      id: "decision-20417",
      decision: "APPROVED"
    } satisfies FinanceCallbackBody),
    answer: received
  })
)

const receiveIdentityResult = HttpApiEndpoint.post("receiveIdentityResult", "/callbacks/v1/identity/:checkId", {
  params: { checkId: Id.annotate({ description: "The checkId the check was asked for under" }) },
  payload: IdentityCallbackBody,
  success: CallbackAnswer,
  error: refusals
}).annotateMerge(
  described({
    summary: "Report an identity result",
    description: `From the company's identity provider. ${again}`,
    request: jsonExample("The customer is who they say", {
      id: "result-88213",
      result: "VERIFIED"
    } satisfies IdentityCallbackBody),
    answer: received
  })
)

interface Kind<Body extends { readonly id: string }> {
  readonly kind: ProviderRequest["kind"]
  readonly sender: string
  readonly provider: (
    vault: Vault["Service"],
    company: KnownRequest["company"]
  ) => Effect.Effect<Provider | null, Unopenable>
  readonly body: Schema.ConstraintDecoder<Body>
  /** The body's decision or result. */
  readonly said: (body: Body) => string
  readonly message: (body: Body, known: KnownRequest) => JourneyMessage
}

const finance: Kind<FinanceCallbackBody> = {
  kind: "FINANCE",
  sender: "panel",
  provider: panelOf,
  body: FinanceCallbackBody,
  said: ({ decision }) => decision,
  // A decision may be the first that is heard of the application: the customer is then asked at once (F4).
  message: ({ decision }, { company }) => ({ _tag: "PanelDecision", decision, check: checkPossible(company) })
}

const results = {
  VERIFIED: "IdentityVerified",
  UNDER_REVIEW: "IdentityUnderReview",
  FAILED: "IdentityFailed"
} as const

const identity: Kind<IdentityCallbackBody> = {
  kind: "IDENTITY",
  sender: "identity",
  provider: identityProviderOf,
  body: IdentityCallbackBody,
  said: ({ result }) => result,
  message: ({ result }, { request }) => ({ _tag: results[result], ...ofAsk(request) })
}

/** Messages about an identity check name the ask they are about (D5). */
const ofAsk = (request: ProviderRequest) => (request.kind === "IDENTITY" ? { check: request.check } : {})

const judgeType = judgeTransport(["application/json"])

/** Reads, proves and tells a callback of one kind. An id that is no id is an id nobody has. */
const receive = <Body extends { readonly id: string }>(kind: Kind<Body>) => {
  const decode = bodyDecoder(kind.body)
  return (request: Request, path: Effect.Effect<string, Problem, HttpRouter.RouteContext>) =>
    Effect.gen(function* () {
      yield* judgeType(request)
      yield* refuseAnnouncedSize(request, httpLimits.largestCallbackBytes)
      const bytes = yield* readBytes(request, httpLimits.largestCallbackBytes)
      const requests = yield* ProviderRequests
      const vault = yield* Vault
      const id = yield* Effect.orElseSucceed(path, () => null)
      const known = id === null ? null : yield* requests.find(kind.kind, id)
      const provider = known === null ? null : yield* Effect.orDie(kind.provider(vault, known.company))
      const isVerified = yield* verifyCallback(request, bytes, provider?.secret ?? null)
      if (!isVerified || known === null || id === null) return yield* refused(request)
      yield* Effect.annotateCurrentSpan("journey.id", known.request.journeyId)
      const now = yield* Clock.currentTimeMillis
      const json = yield* orProblems(parseStrictJson(bytes))
      const body = yield* orProblems(decode(json, { now, allowInsecure: false }))
      const callback: Callback = {
        requestId: id,
        messageId: derivedId(vault, "callback", id, body.id),
        said: kind.said(body),
        at: now
      }
      yield* ask(kind.sender, callback, known, kind.message(body, known))
      return null
    })
}

const refused = (request: Request) =>
  refuse(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage, "INVALID_SIGNATURE").pipe(
    Effect.catch(({ headers, problem: failure }) =>
      Effect.succeed(HttpServerResponse.setHeaders(problemResponse(failure), headers))
    )
  )

/** What may have been written is written again when the provider calls again. */
const unknown = () => Effect.fail(new OutcomeUnknown())

/** Asks the journey, unless the journey heard this callback before. */
const ask = Effect.fnUntraced(function* (
  sender: string,
  callback: Callback,
  { request: { journeyId } }: KnownRequest,
  message: JourneyMessage
) {
  const requests = yield* ProviderRequests
  const heard = yield* Effect.catchTag(requests.hear(callback), "CommitUnknown", unknown)
  if (heard === "TOO_MANY") return yield* problem("RATE_LIMITED", "id", "Too many callbacks about one request")
  if (heard === "HEARD") return
  const { messageId } = callback
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
  yield* Effect.catchTag(requests.heard(callback, outcome), "CommitUnknown", unknown)
})

const receiveFinance = receive(finance)
const receiveIdentity = receive(identity)

const resource = providerResource([receiveFinanceDecision, receiveIdentityResult], {
  receiveFinanceDecision: ({ path, request }) => receiveFinance(request, path("submissionId")),
  receiveIdentityResult: ({ path, request }) => receiveIdentity(request, path("checkId"))
})

export const callbacks = HttpApiGroup.make("callbacks", { topLevel: true })
  .add(...resource.endpoints)
  .middleware(SignatureRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Provider callbacks",
      description:
        "For a company's finance panel and identity provider. They are called with signed requests and call back here, signed the same way with the secret both sides know."
    })
  )

export const callbackRoutes = served(callbacks, resource.handlers)
