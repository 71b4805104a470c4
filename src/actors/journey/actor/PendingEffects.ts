/**
 * Supervises the attempts at what journeys owe, apart from their actors: an attempt takes seconds, and an actor takes one
 * message at a time and leaves memory when nobody talks to it. What an attempt came to is told to the journey as a
 * message with an id of its own, so that it counts once however often it is told.
 *
 * | what happens                    | what follows                                                        |
 * |---------------------------------|---------------------------------------------------------------------|
 * | the attempt fails, or dies      | the journey hears OwedFailed and decides when it is tried again       |
 * | it takes too long               | the same; what it may have done is known by its id to whoever did it  |
 * | the journey cannot be told      | told again until the attempt's time is over; then it is made again    |
 * | the node stops, or dies         | the attempt's time runs out and another node makes it again          |
 */
import { Clock, Context, Duration, Effect, Layer, Schedule, Semaphore } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { derivedId } from "../rules/derivedId.ts"
import { EffectFailed, Effects } from "./Effects.ts"
import type { ExternalEffect, Journey } from "../rules/Journey.ts"
import { askThrough } from "./askJourney.ts"
import { JourneyMailbox } from "./JourneyMailbox.ts"
import { currentMeter } from "../../kernel/Meter.ts"
import { isExternal, retryPolicies } from "../rules/pendingEffects.ts"
import { Vault } from "../../kernel/Vault.ts"

/** Attempts under way at once on a node: each holds a connection to a provider. */
const attemptsAtOnce = 64

/** Of an attempt's time, the part that is left for telling the journey. */
const toldWithin = Duration.seconds(10)

const tellAgain = Schedule.spaced("250 millis")

const cameTo = (message: JourneyMessage) =>
  message._tag !== "OwedFailed" ? "DONE" : message.definite ? "REFUSED" : "FAILED"

export class OwedWork extends Context.Service<
  OwedWork,
  {
    /** Makes the attempt that the journey has just begun; returns at once. */
    readonly begin: (journey: Journey, serial: number) => Effect.Effect<void>
  }
>()("journeys/actors/OwedWork") {}

export const layer: Layer.Layer<OwedWork, never, Effects | JourneyMailbox | Vault> = Layer.effect(
  OwedWork,
  Effect.gen(function* () {
    const effects = yield* Effects
    const mailbox = yield* JourneyMailbox
    const vault = yield* Vault
    const scope = yield* Effect.scope
    const meter = yield* currentMeter
    const turns = yield* Semaphore.make(attemptsAtOnce)

    const outcome = (journey: Journey, work: ExternalEffect): Effect.Effect<JourneyMessage> => {
      const { kind, serial } = work
      const about = { journeyId: journey.id, kind, attempt: work.attempts ?? 0 }
      return effects.attempt(journey, work).pipe(
        Effect.timeoutOrElse({
          duration: Duration.subtract(Duration.millis(retryPolicies[kind].attemptWithinMillis), toldWithin),
          orElse: () => Effect.fail(new EffectFailed({ definite: false, reason: "TOOK_TOO_LONG" }))
        }),
        Effect.tapError(({ definite, reason }) =>
          Effect.logWarning("What a journey owes could not be done", { ...about, definite, reason })
        ),
        Effect.catchTag("EffectFailed", ({ definite }) =>
          Effect.succeed<JourneyMessage>({ _tag: "OwedFailed", serial, definite })
        ),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("What a journey owes failed unexpectedly", about, defect), {
            _tag: "OwedFailed",
            serial,
            definite: false
          } as const)
        )
      )
    }

    const make = Effect.fn("OwedWork.attempt")(function* (journey: Journey, work: ExternalEffect) {
      const began = yield* Clock.currentTimeMillis
      const message = yield* outcome(journey, work)
      const took = (yield* Clock.currentTimeMillis) - began
      meter.observe("journeys_owed_attempt_seconds", { kind: work.kind, outcome: cameTo(message) }, took / 1000)
      const ask = {
        journeyId: journey.id,
        messageId: derivedId(vault, "owed", journey.id, work.serial, work.attempts ?? 0, message._tag),
        sender: "service",
        scope: null,
        message
      }
      yield* askThrough(mailbox, ask).pipe(
        // A journey that has moved on has heard it; any other failure is asked again.
        Effect.catchTag("JourneyRefused", () => Effect.void),
        Effect.retry({ schedule: tellAgain }),
        Effect.timeoutOption(toldWithin)
      )
    })

    return OwedWork.of({
      begin: (journey, serial) => {
        const work = journey.owed.filter(isExternal).find((one) => one.serial === serial)
        if (work === undefined) return Effect.void
        const attempt = Effect.annotateSpans(make(journey, work), {
          "journey.id": journey.id,
          "effect.kind": work.kind
        })
        return Effect.asVoid(Effect.forkIn(turns.withPermits(1)(attempt), scope))
      }
    })
  })
)
