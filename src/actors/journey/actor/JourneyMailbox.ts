/**
 * The way to a journey's actor: a message goes in, an answer comes out within a time. Senders use `askJourney.ts`.
 *
 * | message                       | handled by                                                                            |
 * |-------------------------------|---------------------------------------------------------------------------------------|
 * | what somebody asks            | the node that was asked, where it takes messages; otherwise the journey's node         |
 * | a wake-up, and what it begins | the journey's node, as the cluster says                                               |
 *
 * So a journey may have an actor on several nodes at once. The version in its row fences their commits, and an answer without a
 * commit comes from the row (`JourneyMemory.ts`): whoever was slower reads the row and decides again. To pass every message on to the
 * journey's node cost twice the CPU time of a decision where two nodes share the journeys, and a node that died or lost Redis took
 * the answers to its journeys with it until others had taken them over.
 */
import { Cause, Context, Duration, Effect, Layer, Schedule, Tracer } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import {
  askOnTheWire,
  JourneyEntity,
  type Answer,
  type JourneyRequest,
  type JourneyUnavailable
} from "./JourneyEntity.ts"
import { JourneyBusy, JourneyResidents, layer as residentsLayer, type JourneyBehaviour } from "./JourneyResidents.ts"
import { StoreUnavailable, OutcomeUnknown } from "../../kernel/StoreError.ts"
import { timeLeft } from "../../kernel/timeLeft.ts"
import { currentSpan, whenTraced } from "../../kernel/Trace.ts"
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

/**
 * Whether this node handles what it is asked about any journey, now. False, as without somebody who says so: only what it is asked about its
 * own journeys.
 */
export const TakesMessages = Context.Reference<() => boolean>("journeys/actors/TakesMessages", {
  defaultValue: () => () => false
})

const sendAgain = Schedule.spaced(journeyActorLimits.sendAgainEvery)

/** Nobody answered this attempt: the actor stopped in the middle, or has the message already from an earlier attempt. */
class Unanswered {
  readonly _tag = "Unanswered"
}

const isUnanswered = (error: unknown): error is Unanswered => error instanceof Unanswered

/** No answer came in time. */
class Late {
  readonly _tag = "Late"
}

const late = new Late()

/**
 * An answer within a time; an attempt ends by itself when the time that is left is over. An attempt that nobody answered is repeated:
 * the actor recognises the message by its id and does not handle it twice. A full mailbox and a lost shard mean "try later", but only
 * while no earlier attempt may have arrived: an earlier attempt may have been committed. The same holds when the time is over.
 */
const answered = <A, E extends { readonly _tag: string }>(
  attempt: (left: () => Duration.Duration, attempts: SendAttempts) => Effect.Effect<A, E | Late>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown> =>
  Effect.clockWith((clock) => {
    const attempts: SendAttempts = { mayHaveArrived: 0 }
    const unlessArrived = (most: number, cause: unknown) =>
      attempts.mayHaveArrived > most ? new OutcomeUnknown() : new StoreUnavailable({ cause })
    const once = attempt(timeLeft(clock, journeyActorLimits.answerWithin), attempts).pipe(
      Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.fail(new Unanswered())),
      Effect.mapError((error) => (error._tag === "AlreadyProcessingMessage" ? new Unanswered() : error))
    )
    // To set up a retry costs a fortieth of a decision, and the first attempt is nearly always the only one.
    const again = () =>
      Effect.delay(Effect.retry(once, { while: isUnanswered, schedule: sendAgain }), journeyActorLimits.sendAgainEvery)
    return once.pipe(
      Effect.catchIf(isUnanswered, again),
      Effect.mapError((error) => {
        if (error._tag === "OutcomeUnknown") return new OutcomeUnknown()
        if (error._tag === "Late") return unlessArrived(0, "no runner took the message in time")
        // This answer of the journey is about the attempt that arrived last, and says nothing about earlier ones.
        return error._tag === "JourneyUnavailable" ? unlessArrived(1, "journey") : unlessArrived(0, error)
      })
    )
  })

/** A wake-up belongs to no trace: most find nothing due, and what is due links back by itself. */
const untraced = Effect.withParentSpan(
  Tracer.externalSpan({ traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false })
)

/** What the cluster calls a message that another node sent. */
const inSpanOfMessage = <A, E>(handling: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(currentSpan, (span) =>
    span === null || !span.sampled
      ? handling
      : handling.pipe(Effect.withSpan(`Journey.${askOnTheWire}`, {}, { captureStackTrace: false }))
  )

/** An attempt with a journey of this node counts unless the journey did not take the message. */
const counted = <A, E>(attempts: SendAttempts, asked: Effect.Effect<A, E | JourneyBusy>) => {
  attempts.mayHaveArrived += 1
  return Effect.tapError(asked, (error) =>
    Effect.sync(() => {
      if (error instanceof JourneyBusy) attempts.mayHaveArrived -= 1
    })
  )
}

const make = Effect.gen(function* () {
  const sharding = yield* Sharding.Sharding
  const residents = yield* JourneyResidents
  const clientFor = yield* JourneyEntity.client
  const takesMessages = yield* TakesMessages

  /** Whether the journey belongs to this node. */
  const isOwn = (journeyId: JourneyId): boolean =>
    residents.isRunning() &&
    sharding.hasShardId(
      sharding.getShardId(EntityId.make(journeyId), JourneyEntity.getShardGroup(EntityId.make(journeyId)))
    )
  const isAskedHere = (journeyId: JourneyId): boolean => (residents.isRunning() && takesMessages()) || isOwn(journeyId)

  /** Each attempt goes where the journey is then: it may move between two attempts. Here no fiber watches it. */
  const send = <A, E extends { readonly _tag: string }>(
    journeyId: JourneyId,
    isHere: (journeyId: JourneyId) => boolean,
    here: (journey: JourneyBehaviour) => Effect.Effect<A, JourneyUnavailable | OutcomeUnknown>,
    elsewhere: (journey: ReturnType<typeof clientFor>) => Effect.Effect<A, E>
  ) =>
    answered((left, attempts) =>
      Effect.suspend((): Effect.Effect<A, E | JourneyUnavailable | OutcomeUnknown | JourneyBusy | Late> => {
        const within = left()
        if (!Duration.isPositive(within)) return Effect.fail(late)
        if (isHere(journeyId)) return counted(attempts, residents.hand(journeyId, here, { within, late }))
        // What the cluster counts stands in the context; an attempt with a journey of this node is spared that.
        return Effect.provideService(elsewhere(clientFor(journeyId)), CurrentSendAttempts, attempts).pipe(
          Effect.timeoutOrElse({ duration: within, orElse: () => Effect.fail(late) })
        )
      })
    )

  return JourneyMailbox.of({
    ask: (journeyId, request) =>
      send(
        journeyId,
        isAskedHere,
        (journey) => inSpanOfMessage(journey.ask(request)),
        (journey) => journey[askOnTheWire](request)
      ).pipe(whenTraced(Effect.annotateSpans("journey.id", journeyId))),
    wake: (journeyId) =>
      send(
        journeyId,
        isOwn,
        (journey) => journey.wake,
        (journey) => journey.Wake()
      ).pipe(untraced)
  })
})

export const layer: Layer.Layer<JourneyMailbox | JourneyResidents, never, Sharding.Sharding> = Layer.effect(
  JourneyMailbox,
  make
).pipe(Layer.provideMerge(residentsLayer))
