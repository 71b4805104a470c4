/**
 * What outside providers call back with: read within limits, proved genuine, brought to the journey once. Nothing is said
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
 * | signed, but about another request              | 400                       |
 * | signed, new, again or late                     | 200                       |
 */
import { Clock, Effect, Schema } from "effect"
import { HttpServerResponse, type HttpRouter, type HttpServerRequest } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { incomingMessage } from "../../server/incomingMessage.ts"
import { keepProviderResult, resultMessage } from "../../../actors/checks/identity/providerResult.ts"
import { ProviderResults } from "../../../actors/checks/identity/ProviderResults.ts"
import type { FaceCheck } from "../../../actors/faces/FaceCheck.ts"
import type { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { checkPossible, identityProviderOf, panelOf, type Provider } from "../../../actors/company/providers.ts"
import {
  ProviderRequests,
  type Callback,
  type KnownRequest,
  type ProviderRequest
} from "../../../actors/effects/ProviderRequests.ts"
import { askJourney, askJourneyWith } from "../../../actors/journey/actor/askJourney.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { unknownToCaller } from "../../../actors/kernel/commitOutcome.ts"
import { OutcomeUnknown, type Unopenable } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { bodyDecoder } from "../../../schema/decoding/bodyDecoder.ts"
import { FinanceCallbackBody, IdentityCallbackBody } from "../../../schema/requests/callbacks.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { Id } from "../../../schema/decoding/parameters.ts"
import { refuse } from "../../server/callers/authentication.ts"
import { judgeTransport, readBytes } from "../../server/bodies/body.ts"
import { ofAnyBody } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { jsonBodyOf } from "../../server/bodies/jsonBody.ts"
import { ProviderAddresses } from "../../server/callers/operator.ts"
import { httpLimits } from "../../server/limits.ts"
import { orProblems, problem, problemResponse, unavailable, type Problem } from "../../server/answers/problems.ts"
import { SignatureRequired } from "../../server/endpoints/security.ts"
import { providerResource, served } from "../../server/endpoints/serve.ts"
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
      submissionId: exampleId("submission", 1),
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
    description: `From the company's identity provider. ${again} A portrait of no use does not spoil the result: the result counts without it, and the team reads why. Where photos cannot be looked at just now, the answer is 503: call again.`,
    request: jsonExample("The customer is who they say", {
      id: "result-88213",
      checkId: exampleId("check", 1),
      result: "VERIFIED",
      portrait: "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP=="
    } satisfies IdentityCallbackBody),
    answer: received
  })
)

/** What a callback is to its journey, found out only for a callback that the journey has not heard. */
interface CallbackMessage {
  readonly message: JourneyMessage
  /** Free text for the team, kept with the message under the customer's key. */
  readonly note: string | null
}

interface Kind<Body extends { readonly id: string }, R, S> {
  readonly kind: ProviderRequest["kind"]
  readonly sender: string
  readonly provider: (
    vault: Vault["Service"],
    company: KnownRequest["company"]
  ) => Effect.Effect<Provider | null, Unopenable>
  readonly body: Schema.ConstraintDecoder<Body>
  readonly largestBytes: number
  /** The member of the body that names the request again. */
  readonly idMember: "submissionId" | "checkId"
  readonly idOf: (body: Body) => string
  /** The body's decision or result. */
  readonly said: (body: Body) => string
  readonly prepare: (
    body: Body,
    known: KnownRequest,
    callback: Callback
  ) => Effect.Effect<CallbackMessage, HandlerFailure, R>
  /** The journey has not taken the message. */
  readonly undo: (callback: Callback) => Effect.Effect<void, HandlerFailure, S>
}

const finance = {
  kind: "FINANCE",
  sender: "panel",
  provider: panelOf,
  body: FinanceCallbackBody,
  largestBytes: httpLimits.largestCallbackBytes,
  idMember: "submissionId",
  idOf: ({ submissionId }) => submissionId,
  said: ({ decision }) => decision,
  // A decision may be the first that is heard of the application: the customer is then asked at once (F4).
  prepare: ({ decision }, { company }) =>
    Effect.succeed({ message: { _tag: "PanelDecision", decision, check: checkPossible(company) }, note: null }),
  undo: () => Effect.void
} satisfies Kind<FinanceCallbackBody, never, never>

const identity = {
  kind: "IDENTITY",
  sender: "identity",
  provider: identityProviderOf,
  body: IdentityCallbackBody,
  largestBytes: httpLimits.largestIdentityCallbackBytes,
  idMember: "checkId",
  idOf: ({ checkId }) => checkId,
  said: ({ result }) => result,
  prepare: (body, { request }, { at, messageId }) => {
    const asked = { journeyId: request.journeyId, check: checkOf(request) }
    return keepProviderResult({ messageId, asked, scope: scopeOf(request), body, at }).pipe(
      Effect.map((note) => ({ message: resultMessage(body, asked.check), note })),
      Effect.catchTags({
        CommitUnknown: () => Effect.fail(new OutcomeUnknown()),
        FaceCheckUnavailable: () => Effect.fail(unavailable()),
        JourneyUnreadable: Effect.die
      })
    )
  },
  undo: ({ messageId }) => Effect.flatMap(ProviderResults, (results) => unknownToCaller(results.forget(messageId)))
} satisfies Kind<IdentityCallbackBody, JourneyStore | ProviderResults | FaceCheck | Vault, ProviderResults>

/** Messages about an identity check name the ask they are about (D5). */
const checkOf = (request: ProviderRequest): number => (request.kind === "IDENTITY" ? request.check : 0)

/** Nobody outside is asked about a test journey. */
const scopeOf = ({ companyId }: ProviderRequest): Scope => ({ companyId, livemode: true })

/**
 * Reads, proves and tells a callback of one kind. An id that is no id is an id nobody has. A path may spell an id in capitals:
 * from here on the id is spelt as it is stored, so that a repeated callback is known again.
 */
const receive = <Body extends { readonly id: string }, R, S>(kind: Kind<Body, R, S>) => {
  const decode = bodyDecoder(kind.body)
  const judge = judgeTransport(["application/json"], kind.largestBytes)
  return (request: Request, path: Effect.Effect<string, Problem, HttpRouter.RouteContext>) =>
    Effect.gen(function* () {
      yield* judge(request)
      const bytes = yield* readBytes(request, kind.largestBytes)
      const requests = yield* ProviderRequests
      const vault = yield* Vault
      const id = yield* path.pipe(
        Effect.map((text) => text.toLowerCase()),
        Effect.orElseSucceed(() => null)
      )
      const known = id === null ? null : yield* requests.find(kind.kind, id)
      const provider = known === null ? null : yield* Effect.orDie(kind.provider(vault, known.company))
      const isVerified = yield* verifyCallback(request, bytes, provider?.secret ?? null)
      if (!isVerified || known === null) return yield* refused(request)
      yield* Effect.annotateCurrentSpan("journey.id", known.request.journeyId)
      const now = yield* Clock.currentTimeMillis
      const { json } = yield* jsonBodyOf(bytes)
      const { allowInsecure } = yield* ProviderAddresses
      const body = yield* orProblems(decode(json, { now, allowInsecure }))
      // The signature covers the body and not the path: a callback about one request is none about another.
      const requestId = known.request.id
      if (kind.idOf(body).toLowerCase() !== requestId) {
        return yield* problem("VALIDATION_FAILED", kind.idMember, `${kind.idMember} must be the one of the path`)
      }
      const callback: Callback = {
        requestId,
        messageId: derivedId(vault, "callback", requestId, body.id),
        said: kind.said(body),
        at: now
      }
      yield* ask(kind, callback, known, body)
      return null
    })
}

const refused = (request: Request) =>
  refuse(incomingMessage(request), "INVALID_SIGNATURE").pipe(
    Effect.catch(({ headers, problem: failure }) =>
      Effect.succeed(HttpServerResponse.setHeaders(problemResponse(failure), headers))
    )
  )

/** Asks the journey, unless the journey heard this callback before. */
const ask = Effect.fnUntraced(function* <Body extends { readonly id: string }, R, S>(
  { sender, prepare, undo }: Kind<Body, R, S>,
  callback: Callback,
  known: KnownRequest,
  body: Body
) {
  const requests = yield* ProviderRequests
  const heard = yield* unknownToCaller(requests.hear(callback))
  if (heard === "TOO_MANY") return yield* problem("RATE_LIMITED", "id", "Too many callbacks about one request")
  if (heard === "HEARD") return
  const { message, note } = yield* prepare(body, known, callback)
  const { journeyId } = known.request
  const { messageId } = callback
  const asked = { journeyId, messageId, sender, message }
  const outcome = yield* (
    note === null
      ? askJourney({ ...asked, scope: null })
      : askJourneyWith({ ...asked, scope: scopeOf(known.request) }, { note })
  ).pipe(
    Effect.as("APPLIED" as const),
    Effect.catchTags({
      JourneyRefused: ({ refusal }) => {
        const why = refusal._tag === "Ignored" ? refusal.reason : refusal._tag
        return Effect.logInfo("A provider's callback changed nothing", { journeyId, messageId, why }).pipe(
          // Under this id the journey has taken another body of the provider: what came with that one stays.
          Effect.andThen(refusal._tag === "IdReused" ? Effect.void : undo(callback)),
          Effect.as("IGNORED" as const)
        )
      },
      JourneyUnreadable: Effect.die
    })
  )
  yield* unknownToCaller(requests.heard(callback, outcome))
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
