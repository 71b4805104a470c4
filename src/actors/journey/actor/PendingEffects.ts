/**
 * Carries out the external effects that journeys have pending, apart from their actors: an attempt takes seconds, and an
 * actor takes one message at a time and leaves memory when nobody sends it a message. The result of an attempt goes to the
 * journey as a message with an id of its own, so that it counts once however often it is sent. Which effect is pending and
 * when it is tried again is the journey's decision. Stored messages keep their spelling: `OwedBegun`, `OwedFailed`.
 *
 * | what happens                     | what follows                                                              |
 * |----------------------------------|---------------------------------------------------------------------------|
 * | the attempt fails, or dies       | the journey gets OwedFailed and decides when the effect is tried again     |
 * | the attempt takes too long       | the same; the other side knows by the id what it has done already          |
 * | the journey does not get it      | it is sent again until the attempt's time is over; then it is made again   |
 * | the node stops, or dies          | the attempt's time runs out and another node makes the attempt again       |
 * | there is no place for it         | the same: nobody has been asked, and no attempt has failed                 |
 */
import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { currentMeter } from "../../kernel/Meter.ts"
import { linksTo } from "../../kernel/Trace.ts"
import { Vault } from "../../kernel/Vault.ts"
import { derivedId } from "../rules/derivedId.ts"
import type { ExternalEffect, Journey } from "../rules/state/Journey.ts"
import { isExternal, retryPolicies } from "../rules/pendingEffects.ts"
import { codeOf } from "../rules/state/reasons.ts"
import { askThrough } from "./askJourney.ts"
import { makeDestinationPlaces } from "./destinationPlaces.ts"
import { EffectFailed, Effects } from "./Effects.ts"
import { JourneyMailbox } from "./JourneyMailbox.ts"
import { effectLimits } from "./limits.ts"

const reportAgain = Schedule.spaced(effectLimits.reportAgainEvery)

export class PendingEffects extends Context.Service<
  PendingEffects,
  {
    /** Makes the attempt that the journey has just begun; returns at once. `begunBy`: the span of the commit that began it. */
    readonly begin: (journey: Journey, serial: number, begunBy: string | null) => Effect.Effect<void>
  }
>()("journeys/actors/PendingEffects") {}

/** What an attempt may take, with the wait for its place and without the report of its result: then its journey begins the next. */
export const attemptTime = (kind: ExternalEffect["kind"]): Duration.Duration =>
  Duration.subtract(Duration.millis(retryPolicies[kind].attemptWithinMillis), effectLimits.reportWithin)

/** One attempt, for `within` at most, and its result as a message to the journey; it never fails. */
const attempted = (
  effects: Effects["Service"],
  journey: Journey,
  effect: ExternalEffect,
  within: Duration.Duration
): Effect.Effect<JourneyMessage> => {
  const { kind, serial } = effect
  const attempt = effect.attempts ?? 0
  const about = { journeyId: journey.id, kind, attempt }
  const failed = (definite: boolean, reason: string): JourneyMessage => ({
    _tag: "OwedFailed",
    serial,
    kind,
    attempt,
    definite,
    reason: codeOf(reason)
  })
  return effects.attempt(journey, effect).pipe(
    Effect.timeoutOrElse({
      duration: within,
      orElse: () => Effect.fail(new EffectFailed({ definite: false, reason: "TOOK_TOO_LONG" }))
    }),
    Effect.tapError(({ definite, reason }) =>
      Effect.logWarning("What a journey owes could not be done", { ...about, definite, reason })
    ),
    Effect.catchTag("EffectFailed", ({ definite, reason }) => Effect.succeed(failed(definite, reason))),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("What a journey owes failed unexpectedly", about, defect), failed(false, "UNEXPECTED"))
    )
  )
}

const outcomeLabel = (message: JourneyMessage) =>
  message._tag !== "OwedFailed" ? "DONE" : message.definite ? "REFUSED" : "FAILED"

export const layer: Layer.Layer<PendingEffects, never, Effects | JourneyMailbox | Vault> = Layer.effect(
  PendingEffects,
  Effect.gen(function* () {
    const effects = yield* Effects
    const mailbox = yield* JourneyMailbox
    const vault = yield* Vault
    const scope = yield* Effect.scope
    const meter = yield* currentMeter
    const places = makeDestinationPlaces(effectLimits)

    /** `overAt`, in epoch milliseconds: when the attempt must be over, however long it waited for its place. */
    const attemptAndReport = Effect.fnUntraced(function* (journey: Journey, effect: ExternalEffect, overAt: number) {
      const began = yield* Clock.currentTimeMillis
      const message = yield* attempted(effects, journey, effect, Duration.millis(Math.max(0, overAt - began)))
      const took = (yield* Clock.currentTimeMillis) - began
      const labels = { kind: effect.kind, outcome: outcomeLabel(message) } as const
      meter.observe("journeys_owed_attempt_seconds", labels, took / 1000)
      yield* Effect.annotateCurrentSpan("effect.outcome", labels.outcome)
      yield* askThrough(mailbox, {
        journeyId: journey.id,
        messageId: derivedId(vault, "owed", journey.id, effect.serial, effect.attempts ?? 0, message._tag),
        sender: "service",
        scope: null,
        message
      }).pipe(
        // A journey that refuses has moved on; after any other failure the result is sent again.
        Effect.catchTag("JourneyRefused", () => Effect.void),
        Effect.retry({ schedule: reportAgain }),
        Effect.timeoutOption(effectLimits.reportWithin)
      )
      return labels.outcome !== "FAILED"
    })

    return PendingEffects.of({
      begin: (journey, serial, begunBy) => {
        const effect = journey.owed.filter(isExternal).find((one) => one.serial === serial)
        if (effect === undefined) return Effect.void
        const within = attemptTime(effect.kind)
        const attempt = (overAt: number) =>
          attemptAndReport(journey, effect, overAt).pipe(
            Effect.annotateSpans({ "journey.id": journey.id, "effect.kind": effect.kind }),
            // A trace of its own: it outlives the wake-up, and after a crash another node makes the next attempt.
            Effect.withSpan(
              "PendingEffects.attempt",
              {
                root: true,
                kind: "consumer",
                links: linksTo(begunBy),
                attributes: {
                  "journey.id": journey.id,
                  "effect.kind": effect.kind,
                  "effect.attempt": effect.attempts ?? 0
                }
              },
              { captureStackTrace: false }
            )
          )
        const inItsPlace = Effect.flatMap(Clock.currentTimeMillis, (now) =>
          places.run(
            `${effect.kind} ${journey.companyId}`,
            Duration.times(within, effectLimits.waitForPlace),
            attempt(now + Duration.toMillis(within))
          )
        )
        return Effect.asVoid(Effect.forkIn(inItsPlace, scope))
      }
    })
  })
)
