/**
 * How the rest of the service talks to journeys: a message in, an answer out, within a time. Where the actor lives,
 * here or on another node, and whether it has to be brought to life first, is the cluster's business.
 */
import { Cause, Context, Effect, Layer } from "effect"
import type { Sharding } from "effect/cluster"
import { OutcomeUnknown, JourneyEntity, JourneyUnavailable, type Answer, type Told } from "./JourneyEntity.ts"
import { StoreUnavailable } from "./JourneyStore.ts"
import { answerWithin } from "./supervision.ts"

export class JourneyMailbox extends Context.Service<
  JourneyMailbox,
  {
    readonly tell: (journeyId: string, told: Told) => Effect.Effect<Answer, StoreUnavailable | OutcomeUnknown>
    /** Has the journey handle whatever is due. */
    readonly wake: (journeyId: string) => Effect.Effect<void, StoreUnavailable | OutcomeUnknown>
  }
>()("journeys/actors/JourneyMailbox") {}

/**
 * A full mailbox and a lost shard mean "later": the message was not taken. Time and interruption do not tell whether it
 * was, and it may have been committed all the same.
 */
const answered = <A, E>(asked: Effect.Effect<A, E>): Effect.Effect<A, StoreUnavailable | OutcomeUnknown> =>
  asked.pipe(
    Effect.mapError((cause) =>
      cause instanceof OutcomeUnknown
        ? cause
        : new StoreUnavailable({ cause: cause instanceof JourneyUnavailable ? "journey" : cause })
    ),
    Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.fail(new OutcomeUnknown())),
    Effect.timeoutOrElse({ duration: answerWithin, orElse: () => Effect.fail(new OutcomeUnknown()) })
  )

export const layer: Layer.Layer<JourneyMailbox, never, Sharding.Sharding> = Layer.effect(
  JourneyMailbox,
  Effect.map(JourneyEntity.client, (clientFor) =>
    JourneyMailbox.of({
      tell: (journeyId, told) => answered(clientFor(journeyId).Tell(told)),
      wake: (journeyId) => answered(clientFor(journeyId).Wake())
    })
  )
)
