/**
 * The operations on a running journey: cancel, finance-decision, simulate. Each becomes one message to the journey's
 * actor, and answers with the journey after everything it caused (decision R10). The order of refusals is that of V16:
 * the journey must be visible before its body is judged.
 */
import { Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { JourneyMailbox } from "../../actors/journey/JourneyMailbox.ts"
import type { Answer, Told } from "../../actors/journey/JourneyEntity.ts"
import { JourneyStore } from "../../actors/journey/JourneyStore.ts"
import { Vault } from "../../actors/journey/Vault.ts"
import { errorCodes, type ErrorCode, type FieldError } from "../../schema/errorCatalogue.ts"
import type { JourneyMessage } from "../../schema/messages.ts"
import { decodeCancel, decodeFinanceDecision, decodeSimulate } from "../../schema/operations.ts"
import type { Caller } from "../authentication.ts"
import { largestJsonBytes, readJson, refuseAnnouncedSize, refuseOtherThanJson } from "../body.ts"
import { orProblems, problem, success, type Problem } from "../problems.ts"
import { callerEndpoint } from "./callerEndpoint.ts"
import { messageIdOf } from "./messageId.ts"
import { journeyId, notFound, scopeOf } from "./readEndpoints.ts"

type Request = HttpServerRequest.HttpServerRequest

const judgeTransport = (request: Request) =>
  Effect.andThen(refuseOtherThanJson(request), refuseAnnouncedSize(request, largestJsonBytes))

interface Asked<A> {
  readonly id: string
  readonly messageId: string
  readonly body: A
}

/** What is asked of which journey. A problem of key or body is told once the journey is known to be the caller's. */
const asked = <A>(
  request: Request,
  caller: Caller,
  decode: (json: unknown) => Result.Result<A, ReadonlyArray<FieldError>>
) =>
  Effect.flatMap(journeyId, (id) =>
    Effect.gen(function* () {
      const messageId = yield* messageIdOf(request, caller, id)
      const body = yield* orProblems(decode(yield* readJson(request)))
      return { id, messageId, body } satisfies Asked<A>
    }).pipe(
      Effect.catchTag("Problem", (failure) =>
        Effect.gen(function* () {
          const store = yield* JourneyStore
          const visible = yield* store.read(id, scopeOf(caller))
          return yield* Effect.fail<Problem>(visible === null ? notFound() : failure)
        })
      )
    )
  )

const isErrorCode = (code: string): code is ErrorCode => errorCodes.some((known) => known === code)

const answered = (answer: Answer, message: string) => {
  switch (answer._tag) {
    case "Done":
      return Effect.succeed(success(200, answer.journey, message))
    case "NoJourney":
      return Effect.fail(notFound())
    case "IdReused":
      return Effect.fail(problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"))
    case "Refused":
      return isErrorCode(answer.code)
        ? Effect.fail(problem(answer.code, "journey", answer.message))
        : Effect.die(new Error(`an unknown code was answered: ${answer.code}`))
    case "Ignored":
      // Callers' messages are decided or refused, never ignored.
      return Effect.die(new Error(`a caller's message was ignored: ${answer.reason}`))
  }
}

const tell = Effect.fnUntraced(function* (
  { id, messageId }: Asked<unknown>,
  caller: Caller,
  message: JourneyMessage,
  sealedNote: string | null
) {
  const mailbox = yield* JourneyMailbox
  const told: Told = { messageId, sender: caller.sender, scope: scopeOf(caller), message, sealedNote }
  return yield* mailbox.tell(id, told)
})

const write = { scope: "journeys:write", testOnly: false } as const

export const cancelEndpoint = callerEndpoint(
  write,
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const ask = yield* asked(request, caller, decodeCancel)
    const { reason } = ask.body
    const sealed = yield* sealReason(ask.id, caller, reason)
    const vault = yield* Vault
    // The reason itself is nobody's to read in the journal; its fingerprint tells a repeat from another request (I8).
    const fingerprint = Buffer.from(vault.index("request", `cancel|${reason}`)).toString("base64")
    return yield* Effect.flatMap(tell(ask, caller, { _tag: "Cancel", fingerprint }, sealed), (answer) =>
      answered(answer, "Journey cancelled")
    )
  })
)

/** The reason may hold personal data: it is kept for the team under the customer's key, and nowhere else (V22). */
const sealReason = Effect.fnUntraced(function* (id: string, caller: Caller, reason: string) {
  const store = yield* JourneyStore
  const vault = yield* Vault
  const key = yield* store.customerKey(id, scopeOf(caller))
  if (key === null) return null
  const opened = yield* Effect.orDie(vault.keyOf(key.wrappedKey))
  return Buffer.from(opened.seal(`journal|${id}`, reason)).toString("base64")
})

export const financeDecisionEndpoint = callerEndpoint(
  write,
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const ask = yield* asked(request, caller, decodeFinanceDecision)
    const { decision } = ask.body
    return yield* Effect.flatMap(tell(ask, caller, { _tag: "FinanceDecision", decision }, null), (answer) =>
      answered(answer, "Decision recorded")
    )
  })
)

export const simulateEndpoint = callerEndpoint(
  { scope: "journeys:simulate", testOnly: true },
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const ask = yield* asked(request, caller, decodeSimulate)
    const { event } = ask.body
    return yield* Effect.flatMap(tell(ask, caller, { _tag: "Simulate", event }, null), (answer) =>
      answered(answer, "Event simulated")
    )
  })
)
