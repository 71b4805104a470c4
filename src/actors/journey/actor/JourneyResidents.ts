/**
 * The journeys that this node keeps in memory: each is an actor with a queue of its own. One message of a journey is handled at
 * a time, by a fiber that the node supervises; journeys do not wait for each other. A resident that gets no message for a while
 * leaves memory. Which node a journey belongs to is not decided here but in `JourneyMailbox.ts`, and what a journey does with a
 * message stands in `JourneyActor.ts`.
 *
 * The cluster's own actor (an Entity) has a server of remote calls, scopes and fibers for each actor: a message to a journey that is not in
 * memory cost a third of a whole decision there. So messages of other nodes, too, come to the residents, through `JourneyDoor.ts`:
 * one journey has one place in a node.
 */
import { Clock, Context, Data, Duration, Effect, Fiber, Layer, Schedule, type Scope } from "effect"
import { currentMeter } from "../../kernel/Meter.ts"
import type { OutcomeUnknown } from "../../kernel/StoreError.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import type { Answer, JourneyRequest, JourneyUnavailable } from "./JourneyEntity.ts"
import { journeyActorLimits } from "./limits.ts"

const { idleTime, lateAfter, mailboxCapacity, messagesEndWithin, mostInMemory } = journeyActorLimits

type Handling<A> = Effect.Effect<A, JourneyUnavailable | OutcomeUnknown>

/** What one journey does with its messages. Its queue sees to it that they come one at a time. */
export interface JourneyBehaviour {
  readonly ask: (request: JourneyRequest) => Handling<Answer>
  readonly wake: Handling<void>
}

/** Too many messages wait for this journey, or too many journeys are busy: the message was not taken. */
export class JourneyBusy extends Data.TaggedError("JourneyBusy") {}

/** How long a caller waits for an answer, and what it fails with when there is none. */
export interface Deadline<Late> {
  readonly within: Duration.Duration
  readonly late: Late
}

/** A caller who waits until a time of the monotonic clock, in nanoseconds: it does not jump when somebody sets the machine's time. */
interface Caller {
  readonly until: bigint
  readonly giveUp: () => void
}

/** A message that waits for its turn. */
interface Turn {
  readonly begin: () => void
}

interface Resident {
  readonly behaviour: JourneyBehaviour
  readonly waiting: Array<Turn>
  isBusy: boolean
  /** Handles the message whose turn it is. */
  fiber: Fiber.Fiber<unknown, unknown> | null
  usedAt: number
}

type BehaviourOf = (journeyId: JourneyId) => JourneyBehaviour

export class JourneyResidents extends Context.Service<
  JourneyResidents,
  {
    /** Journeys behave like this until the scope closes. Messages that are being handled then get a while to end. */
    readonly run: (behaviourOf: BehaviourOf) => Effect.Effect<void, never, Scope.Scope>
    /** False on a node that runs no journeys, and before it does. */
    readonly isRunning: () => boolean
    /** What the journeys run with (log level, tracer): a message of another node has nothing of the kind. Empty before they run. */
    readonly context: () => Context.Context<never>
    /**
     * Has the journey handle one message in its turn. Whoever stops waiting takes the message back, or interrupts its handling. A node
     * that stops interrupts the caller. `deadline`: when the caller stops waiting by itself.
     */
    readonly hand: <A, Late = never>(
      journeyId: JourneyId,
      message: (behaviour: JourneyBehaviour) => Handling<A>,
      deadline?: Deadline<Late>
    ) => Effect.Effect<A, JourneyUnavailable | OutcomeUnknown | JourneyBusy | Late>
    /** Journeys in memory. */
    readonly count: () => number
  }
>()("journeys/actors/JourneyResidents") {}

const idleMillis = Duration.toMillis(idleTime)

/** Those that were used longest ago come first. */
class Residents {
  private readonly all = new Map<JourneyId, Resident>()
  private readonly callers = new Set<Caller>()
  private readonly clock: Clock.Clock
  behaviourOf: BehaviourOf | null = null
  context: Context.Context<never> = Context.empty()

  constructor(clock: Clock.Clock) {
    this.clock = clock
  }

  get count(): number {
    return this.all.size
  }

  /** Null: memory is full of journeys that are busy. */
  use(id: JourneyId, behaviourOf: BehaviourOf): Resident | null {
    const known = this.all.get(id)
    if (known === undefined && this.all.size >= mostInMemory && !this.dropOldest()) return null
    const usedAt = this.clock.currentTimeMillisUnsafe()
    const resident = known ?? { behaviour: behaviourOf(id), waiting: [], isBusy: false, fiber: null, usedAt }
    resident.usedAt = usedAt
    if (known !== undefined) this.all.delete(id)
    this.all.set(id, resident)
    return resident
  }

  private dropOldest(): boolean {
    for (const [id, { isBusy }] of this.all) {
      if (!isBusy) return this.all.delete(id)
    }
    return false
  }

  dropIdle(): void {
    const before = this.clock.currentTimeMillisUnsafe() - idleMillis
    for (const [id, { isBusy, usedAt }] of this.all) {
      if (usedAt > before) return
      if (!isBusy) this.all.delete(id)
    }
  }

  waitFor(within: Duration.Duration, giveUp: () => void): Caller {
    const caller = { until: this.clock.monotonicTimeNanosUnsafe() + Duration.toNanosUnsafe(within), giveUp }
    this.callers.add(caller)
    return caller
  }

  waitNoMore(caller: Caller): void {
    this.callers.delete(caller)
  }

  giveUpLate(): void {
    const now = this.clock.monotonicTimeNanosUnsafe()
    for (const caller of this.callers) {
      if (caller.until > now) continue
      this.callers.delete(caller)
      caller.giveUp()
    }
  }

  /** Messages that wait are given back, and those that are being handled may end. */
  readonly end = Effect.suspend(() => {
    this.behaviourOf = null
    const busy: Array<Fiber.Fiber<unknown, unknown>> = []
    for (const { fiber, waiting } of this.all.values()) {
      for (const turn of waiting.splice(0)) turn.begin()
      if (fiber !== null) busy.push(fiber)
    }
    this.all.clear()
    return Fiber.awaitAll(busy).pipe(
      Effect.timeoutOrElse({ duration: messagesEndWithin, orElse: () => Fiber.interruptAll(busy) }),
      Effect.asVoid
    )
  })
}

/** Runs the handling when its turn comes, in a fiber that does not end with the caller's. */
const inTurn = <A, E, Late>(
  residents: Residents,
  resident: Resident,
  handling: Effect.Effect<A, E>,
  deadline: Deadline<Late> | undefined
): Effect.Effect<A, E | Late> =>
  Effect.withFiber((caller) =>
    Effect.callback<A, E | Late>((resume) => {
      let handler: Fiber.Fiber<A, E> | null = null
      let isLate = false
      const begin = () => {
        if (residents.behaviourOf === null) return leaveWith(Effect.interrupt)
        resident.isBusy = true
        handler = Effect.runForkWith(caller.context)(handling)
        resident.fiber = handler
        handler.addObserver((exit) => {
          resident.isBusy = false
          resident.fiber = null
          resident.waiting.shift()?.begin()
          leaveWith(exit)
        })
      }
      const turn: Turn = { begin }
      // A commit under way ends first. The caller does not wait for that.
      const stop = () => {
        const place = resident.waiting.indexOf(turn)
        if (place !== -1) resident.waiting.splice(place, 1)
        handler?.interruptUnsafe()
      }
      const waiting =
        deadline === undefined
          ? null
          : residents.waitFor(deadline.within, () => {
              isLate = true
              stop()
              resume(Effect.fail(deadline.late))
            })
      const leaveWith = (answer: Effect.Effect<A, E | Late>) => {
        if (waiting !== null) residents.waitNoMore(waiting)
        // A handling that was stopped for being late would answer that it was interrupted.
        if (!isLate) resume(answer)
      }
      if (resident.isBusy) resident.waiting.push(turn)
      else begin()
      return Effect.sync(() => {
        if (waiting !== null) residents.waitNoMore(waiting)
        stop()
      })
    })
  )

export const layer: Layer.Layer<JourneyResidents> = Layer.effect(
  JourneyResidents,
  Effect.gen(function* () {
    const residents = new Residents(yield* Clock.Clock)
    const meter = yield* currentMeter
    yield* meter.read("journeys_in_memory", {}, () => residents.count)
    yield* Effect.forkScoped(
      Effect.repeat(
        Effect.sync(() => residents.dropIdle()),
        Schedule.spaced(idleTime)
      )
    )
    // One look for all callers, and no fiber for each: a race of two fibers for each message costs more than a look.
    yield* Effect.forkScoped(
      Effect.repeat(
        Effect.sync(() => residents.giveUpLate()),
        Schedule.spaced(lateAfter)
      )
    )
    return JourneyResidents.of({
      run: (behaviourOf) =>
        Effect.acquireRelease(
          Effect.map(Effect.context(), (context) => {
            residents.behaviourOf = behaviourOf
            residents.context = context
          }),
          () => residents.end
        ),
      isRunning: () => residents.behaviourOf !== null,
      context: () => residents.context,
      count: () => residents.count,
      hand: <A, Late>(
        journeyId: JourneyId,
        message: (behaviour: JourneyBehaviour) => Handling<A>,
        deadline?: Deadline<Late>
      ) =>
        Effect.suspend((): Effect.Effect<A, JourneyUnavailable | OutcomeUnknown | JourneyBusy | Late> => {
          if (residents.behaviourOf === null) return Effect.interrupt
          const resident = residents.use(journeyId, residents.behaviourOf)
          if (resident === null || resident.waiting.length >= mailboxCapacity) return Effect.fail(new JourneyBusy())
          return inTurn(residents, resident, message(resident.behaviour), deadline)
        })
    })
  })
)
