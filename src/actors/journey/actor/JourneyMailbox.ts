/**
 * How the rest of the service talks to journeys: a message in, an answer out, within a time. Where the actor lives,
 * here or on another node, and whether it has to be brought to life first, is the cluster's business.
 */
import { Cause, Context, Effect, Layer, Schedule, Tracer } from "effect"
import type { Sharding } from "effect/cluster"
import { JourneyEntity, type Answer, type JourneyRequest } from "./JourneyEntity.ts"
import { StoreUnavailable, OutcomeUnknown } from "../../kernel/StoreError.ts"
import { CurrentSendAttempts, type SendAttempts } from "./SendAttempts.ts"
import { journeyActorLimits } from "./limits.ts"

export class JourneyMailbox extends Context.Service<
  JourneyMailbox,
  {
    readonly ask: (
      journeyId: string,
      request: JourneyRequest
    ) => Effect.Effect<Answer, StoreUnavailable | OutcomeUnknown>
    /** Has the journey handle whatever is due. */
    readonly wake: (journeyId: string) => Effect.Effect<void, StoreUnavailable | OutcomeUnknown>
  }
>()("journeys/actors/JourneyMailbox") {}

const sendAgain = Schedule.spaced(journeyActorLimits.sendAgainEvery)

/** Nobody answered this try: its actor stopped in the middle, or has the message already by an earlier try. */
class Unanswered {
  readonly _tag = "Unanswered"
}

/**
 * An answer within a time. A try that nobody answered is repeated: the message has its id and is looked up, not handled
 * twice. A full mailbox and a lost shard mean "later", but only as long as no earlier try may have arrived: it may have
 * been committed all the same. The same holds when the time is over.
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
        // The journey's own word is about the try that arrived last.
        return error._tag === "JourneyUnavailable" ? unlessArrived(1, "journey") : unlessArrived(0, error)
      }),
      Effect.timeoutOrElse({
        duration: journeyActorLimits.answerWithin,
        orElse: () => Effect.fail(unlessArrived(0, "no runner took the message in time"))
      })
    )
  })

/** A wake-up is no part of a trace: what it finds due links back by itself, and most find nothing. */
const untraced = Effect.withParentSpan(
  Tracer.externalSpan({ traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false })
)

export const layer: Layer.Layer<JourneyMailbox, never, Sharding.Sharding> = Layer.effect(
  JourneyMailbox,
  Effect.map(JourneyEntity.client, (clientFor) =>
    JourneyMailbox.of({
      ask: (journeyId, request) =>
        answered(clientFor(journeyId).Ask(request)).pipe(Effect.annotateSpans("journey.id", journeyId)),
      wake: (journeyId) => answered(clientFor(journeyId).Wake()).pipe(untraced)
    })
  )
)
