/**
 * The operations on a running journey: cancel, finance-decision, simulate. Each becomes one message to the journey's
 * actor, and answers with the journey after everything it caused (decision R10). The order of refusals is that of V16:
 * the journey must be visible before its body is judged.
 */
import { Effect, Result } from "effect"
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
import { problem, problems, success, type Problem } from "../problems.ts"
import { callerEndpoint } from "./callerEndpoint.ts"
import { messageIdOf } from "./messageId.ts"
import { journeyId, notFound, scopeOf } from "./readEndpoints.ts"

type Request = HttpServerRequest.HttpServerRequest

const judgeTransport = (request: Request) =>
  Effect.andThen(refuseOtherThanJson(request), refuseAnnouncedSize(request, largestJsonBytes))

/** The decoded body, once the journey is known to be the caller's. */
const bodyOf = <A>(
  request: Request,
  id: string,
  caller: Caller,
  decode: (json: unknown) => Result.Result<A, ReadonlyArray<FieldError>>
) =>
  readJson(request).pipe(
    Effect.flatMap((json) => {
      const decoded = decode(json)
      return Result.isSuccess(decoded) ? Effect.succeed(decoded.success) : Effect.fail(problems(decoded.failure))
    }),
    Effect.catchTag("Problem", (failure) =>
      Effect.gen(function* () {
        const store = yield* JourneyStore
        const visible = yield* store.read(id, scopeOf(caller))
        return yield* Effect.fail<Problem>(visible === null ? notFound() : failure)
      })
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
  request: Request,
  id: string,
  caller: Caller,
  message: JourneyMessage,
  sealedNote: string | null
) {
  const mailbox = yield* JourneyMailbox
  const told: Told = {
    messageId: yield* messageIdOf(request, caller, id),
    sender: caller.sender,
    scope: scopeOf(caller),
    message,
    sealedNote
  }
  return yield* mailbox.tell(id, told)
})

const write = { scope: "journeys:write", testOnly: false } as const

export const cancelEndpoint = callerEndpoint(
  write,
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const id = yield* journeyId
    const { reason } = yield* bodyOf(request, id, caller, decodeCancel)
    const sealed = yield* sealReason(id, caller, reason)
    return yield* Effect.flatMap(tell(request, id, caller, { _tag: "Cancel" }, sealed), (answer) =>
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
    const id = yield* journeyId
    const { decision } = yield* bodyOf(request, id, caller, decodeFinanceDecision)
    return yield* Effect.flatMap(tell(request, id, caller, { _tag: "FinanceDecision", decision }, null), (answer) =>
      answered(answer, "Decision recorded")
    )
  })
)

export const simulateEndpoint = callerEndpoint(
  { scope: "journeys:simulate", testOnly: true },
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const id = yield* journeyId
    const { event } = yield* bodyOf(request, id, caller, decodeSimulate)
    return yield* Effect.flatMap(tell(request, id, caller, { _tag: "Simulate", event }, null), (answer) =>
      answered(answer, "Event simulated")
    )
  })
)
