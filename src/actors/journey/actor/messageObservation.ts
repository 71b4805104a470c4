/**
 * Metrics and spans of a journey's messages: the outcome of each message and how long it took, and the journeys that start and
 * end. A message that is due by itself has a trace of its own, which links back to the span that set the alarm, on whichever
 * node that was.
 */
import { Cause, Clock, Effect, Exit, Result } from "effect"
import type { JourneyMessageTag } from "../../../schema/journey/messages.ts"
import { typeOfShape } from "../../../schema/journey/statuses.ts"
import { currentMeter, type Meter } from "../../kernel/Meter.ts"
import { linksTo } from "../../kernel/Trace.ts"
import type { Journey } from "../rules/state/Journey.ts"
import type { Answer } from "./JourneyEntity.ts"
import { OutcomeUnknown } from "../../kernel/StoreError.ts"
import type { Ignored, Rejected } from "../rules/state/step.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { modeOf } from "../../../schema/Mode.ts"

/** Nanoseconds in a second. */
const second = 1e9

type Outcome =
  | "DONE"
  | "REFUSED"
  | "IGNORED"
  | "NO_JOURNEY"
  | "ID_REUSED"
  | "CONFLICT"
  | "UNAVAILABLE"
  | "UNKNOWN"
  | "FAILED"

const outcomeOf: Readonly<Record<Answer["_tag"], Outcome>> = {
  Done: "DONE",
  Refused: "REFUSED",
  Ignored: "IGNORED",
  NoJourney: "NO_JOURNEY",
  IdReused: "ID_REUSED"
}

const failureOf = (cause: Cause.Cause<unknown>): Outcome => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (failure instanceof OutcomeUnknown) return "UNKNOWN"
  return failure === undefined ? "FAILED" : "UNAVAILABLE"
}

/** The result of a message that is due; null when another actor was faster. */
type Attempt = Result.Result<unknown, Rejected | Ignored> | null

const attemptOf = (attempt: Attempt): Outcome => {
  if (attempt === null) return "CONFLICT"
  if (Result.isSuccess(attempt)) return "DONE"
  return attempt.failure._tag === "Ignored" ? "IGNORED" : "REFUSED"
}

/** `before`: null at the start. */
export const countJourney = (meter: Meter, before: Journey | null, after: Journey): void => {
  const labels = { type: typeOfShape[after.shape], mode: modeOf(after.livemode) } as const
  if (before === null) meter.count("journeys_started_total", labels)
  if ((before?.status ?? "ACTIVE") === "ACTIVE" && after.status !== "ACTIVE") {
    meter.count("journeys_ended_total", { ...labels, status: after.status })
  }
}

export const observeMessages = Effect.gen(function* () {
  const meter = yield* currentMeter
  const clock = yield* Clock.Clock

  const measured = <A, E>(message: JourneyMessageTag, outcome: (answer: A) => Outcome, handling: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const begun = clock.monotonicTimeNanosUnsafe()
      return Effect.onExit(handling, (exit) =>
        Effect.sync(() => {
          const took = Number(clock.monotonicTimeNanosUnsafe() - begun) / second
          const labels = { message, outcome: Exit.isSuccess(exit) ? outcome(exit.value) : failureOf(exit.cause) }
          meter.observe("journeys_message_seconds", labels, took)
        })
      )
    })

  return {
    /** A message that somebody sent. */
    asked: <E>(journeyId: JourneyId, message: JourneyMessageTag, handling: Effect.Effect<Answer, E>) =>
      Effect.withFiber((fiber) =>
        Effect.andThen(
          Effect.annotateCurrentSpan({ "journey.id": journeyId, "journey.message": message, "fiber.id": fiber.id }),
          measured(message, (answer: Answer) => outcomeOf[answer._tag], handling)
        )
      ),
    /** A message that is due by itself; `setBy`: the span that set its alarm. */
    due: <A extends Attempt, E>(
      journeyId: JourneyId,
      message: JourneyMessageTag,
      setBy: string | null,
      handling: Effect.Effect<A, E>
    ) =>
      Effect.withFiber((fiber) =>
        measured(message, attemptOf, handling).pipe(
          Effect.withSpan(
            "JourneyActor.due",
            {
              root: true,
              kind: "consumer",
              links: linksTo(setBy),
              attributes: { "journey.id": journeyId, "journey.message": message, "fiber.id": fiber.id }
            },
            { captureStackTrace: false }
          )
        )
      ),
    committed: (before: Journey, after: Journey): void => countJourney(meter, before, after)
  }
})
