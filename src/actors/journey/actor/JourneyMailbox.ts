/**
 * The way to a journey's actor: a message goes in, an answer comes out within a time. Whether the actor lives on this node or
 * another one, and whether it must be started first, is the cluster's business. Senders use `askJourney.ts`.
 */
import { Cause, Context, Effect, Layer, Schedule, Tracer } from "effect"
import type { Sharding } from "effect/cluster"
import { askOnTheWire, JourneyEntity, type Answer, type JourneyRequest } from "./JourneyEntity.ts"
import { StoreUnavailable, OutcomeUnknown } from "../../kernel/StoreError.ts"
import { CurrentSendAttempts, type SendAttempts } from "./SendAttempts.ts"
import { journeyActorLimits } from "./limits.ts"
import type { JourneyId } from "../../../schema/ids.ts"

export class JourneyMailbox extends Context.Service<
  JourneyMailbox,
  {
    readonly ask: (
      journeyId: JourneyId,
      request: JourneyRequest
    ) => Effect.Effect<Answer, StoreUnavailable | OutcomeUnknown>
    /** Has the journey handle whatever is due. */
    readonly wake: (journeyId: JourneyId) => Effect.Effect<void, StoreUnavailable | OutcomeUnknown>
  }
>()("journeys/actors/JourneyMailbox") {}

const sendAgain = Schedule.spaced(journeyActorLimits.sendAgainEvery)

/** Nobody answered this attempt: the actor stopped in the middle, or has the message already from an earlier attempt. */
class Unanswered {
  readonly _tag = "Unanswered"
}

/**
 * An answer within a time. An attempt that nobody answered is repeated: the actor recognises the message by its id and does
 * not handle it twice. A full mailbox and a lost shard mean "try later", but only while no earlier attempt may have arrived: an
 * earlier attempt may have been committed. The same holds when the time is over.
 */
const answered = <A, E extends { readonly _tag: string }>(
  asked: Effect.Effect<A, E>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown> =>
  Effect.suspend(() => {
    const attempts: SendAttempts = { mayHaveArrived: 0 }
    const unlessArrived = (most: number, cause: unknown) =>
      attempts.mayHaveArrived > most ? new OutcomeUnknown() : new StoreUnavailable({ cause })
    return asked.pipe(
      Effect.provideService(CurrentSendAttempts, attempts),
      Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.fail(new Unanswered())),
      Effect.mapError((error) => (error._tag === "AlreadyProcessingMessage" ? new Unanswered() : error)),
      Effect.retry({ while: ({ _tag }) => _tag === "Unanswered", schedule: sendAgain }),
      Effect.mapError((error) => {
        if (error._tag === "OutcomeUnknown") return new OutcomeUnknown()
        // This answer of the journey is about the attempt that arrived last, and says nothing about earlier ones.
        return error._tag === "JourneyUnavailable" ? unlessArrived(1, "journey") : unlessArrived(0, error)
      }),
      Effect.timeoutOrElse({
        duration: journeyActorLimits.answerWithin,
        orElse: () => Effect.fail(unlessArrived(0, "no runner took the message in time"))
      })
    )
  })

/** A wake-up belongs to no trace: most find nothing due, and what is due links back by itself. */
const untraced = Effect.withParentSpan(
  Tracer.externalSpan({ traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false })
)

export const layer: Layer.Layer<JourneyMailbox, never, Sharding.Sharding> = Layer.effect(
  JourneyMailbox,
  Effect.map(JourneyEntity.client, (clientFor) =>
    JourneyMailbox.of({
      ask: (journeyId, request) =>
        answered(clientFor(journeyId)[askOnTheWire](request)).pipe(Effect.annotateSpans("journey.id", journeyId)),
      wake: (journeyId) => answered(clientFor(journeyId).Wake()).pipe(untraced)
    })
  )
)
