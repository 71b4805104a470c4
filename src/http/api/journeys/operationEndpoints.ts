/**
 * The operations on a running journey: cancel, finance-decision, simulate. Each becomes one message to the journey's
 * actor, and answers with the journey after everything it caused (decision R10). The order of refusals is that of V16:
 * the journey must be visible before its body is judged.
 */
import { Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { FieldError } from "../../../schema/problems.ts"
import { decodeCancel, decodeFinanceDecision, decodeSimulate } from "../../../schema/journey/operations.ts"
import type { Caller } from "../../server/authentication.ts"
import { largestJsonBytes, readJson, refuseAnnouncedSize, refuseOtherThanJson } from "../../server/body.ts"
import { orProblems, type Problem } from "../../server/problems.ts"
import { callerEndpoint } from "../../server/callerEndpoint.ts"
import { messageIdOf } from "./messageId.ts"
import { journeyId, notFound, scopeOf } from "./readEndpoints.ts"
import { askAsCaller, fingerprintOf, type Addressed } from "./askJourney.ts"

type Request = HttpServerRequest.HttpServerRequest

const judgeTransport = (request: Request) =>
  Effect.andThen(refuseOtherThanJson(request), refuseAnnouncedSize(request, largestJsonBytes))

interface Asked<A> extends Addressed {
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

const write = { scope: "journeys:write", testOnly: false } as const

export const cancelEndpoint = callerEndpoint(
  write,
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const ask = yield* asked(request, caller, decodeCancel)
    const { reason } = ask.body
    // The reason may hold personal data (V22).
    const fingerprint = yield* fingerprintOf(reason)
    return yield* askAsCaller(ask, caller, { _tag: "Cancel", fingerprint }, "Journey cancelled", { note: reason })
  })
)

export const financeDecisionEndpoint = callerEndpoint(
  write,
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const ask = yield* asked(request, caller, decodeFinanceDecision)
    const { decision } = ask.body
    return yield* askAsCaller(ask, caller, { _tag: "FinanceDecision", decision }, "Decision recorded")
  })
)

export const simulateEndpoint = callerEndpoint(
  { scope: "journeys:simulate", testOnly: true },
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const ask = yield* asked(request, caller, decodeSimulate)
    const { event } = ask.body
    return yield* askAsCaller(ask, caller, { _tag: "Simulate", event }, "Event simulated")
  })
)
