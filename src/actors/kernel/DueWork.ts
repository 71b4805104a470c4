/**
 * The engine for work that becomes due in the database: alarms, mail, erasures, retention. The engine looks every so often,
 * finds what is due and runs it. What is due, and what running it means, stands in the `DueWork` value of each kind.
 *
 * | rule                                                  | reason                                                        |
 * |-------------------------------------------------------|---------------------------------------------------------------|
 * | a look waits for a free place, never for the work     | one item that hangs must not delay everybody else's alarms     |
 * | an item that still runs is not started a second time  | the database shows it as due until its work is committed       |
 * | after a full look with news the next comes at once    | a hundred thousand overdue alarms must not wait for pauses     |
 * | a look for claimed work that left nothing is followed by a short pause | what becomes due one by one shares the looks |
 * | a look for claimed work waits, shortly, for half of the places | a look for one item costs as much as one for many     |
 * | a look that was held back waits, shortly, for half of what runs | what it left is found when a share of the places is free again |
 * | a look that fails is logged once, and the next comes  | a database that is away must not fill the log or end the looks |
 * | a leader whose look fails steps down                  | another node may be able to look                              |
 */
import { Clock, type Duration, Effect, Latch, type Scope, Semaphore } from "effect"
import { type Candidate, isLeader, type LeadershipRole } from "./Leadership.ts"
import { dueWorkLimits } from "./limits.ts"
import { pollStatusOf } from "./PollStatus.ts"

export interface DueWork<Item> {
  /** The subject of log lines, in the plural, such as `Alarms`. */
  readonly name: string
  readonly lookEvery: Duration.Duration
  /** Of several nodes only the leader looks. Without it every node looks, and `look` must claim what it finds. */
  readonly leadership?: Candidate
  /** Places: items that run at once. */
  readonly concurrency: number
  /**
   * Items of one look. More than `concurrency`, so that items that hang do not hide the others. Without it a look asks for
   * as many items as there are free places, and the next look comes as soon as a place is free: for items that are claimed.
   */
  readonly batch?: number
  /** Finds what is due; null when this node does not look. */
  readonly look: ((ask: LookAsk) => Effect.Effect<ReadonlyArray<Item>, unknown>) | null
  /** Two items with the same key are the same work. */
  readonly keyOf: (item: Item) => string
  readonly run: (item: Item) => Effect.Effect<void>
  /** For items that are claimed: whether what runs keeps a look from finding all that is due, as a share that is used up does. */
  readonly isHeldBack?: () => boolean
  /** Starts what is known to be due without a look, for as long as the node runs. */
  readonly wakeUps?: (started: StartedDueWork<Item>) => Effect.Effect<unknown>
}

export interface LookAsk {
  /** Epoch milliseconds. */
  readonly now: number
  readonly most: number
  readonly role: LeadershipRole
}

export interface StartedDueWork<Item> {
  /** Runs the item to its end, unless it runs already. */
  readonly runOnce: (item: Item) => Effect.Effect<void>
  /** Starts the item although it may run already: what became due just now may be news to the run under way. */
  readonly startNow: (item: Item) => Effect.Effect<void>
}

/** Works for as long as its scope is open. */
export const startDueWork = <Item>(work: DueWork<Item>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const places = yield* makePlaces(work, scope)
    if (work.look !== null)
      yield* Effect.forkIn(Effect.forever(looking(work, work.look, places), { disableYield: true }), scope)
    if (work.wakeUps !== undefined) yield* Effect.forkIn(work.wakeUps(places), scope)
  })

interface Places<Item> extends StartedDueWork<Item> {
  /** Waits for a place and starts the item there, unless the item runs already. */
  readonly start: (item: Item) => Effect.Effect<void>
  readonly free: () => number
  /** Opened when a place becomes free. */
  readonly freed: Latch.Latch
}

const makePlaces = <Item>({ concurrency, keyOf, name, run }: DueWork<Item>, scope: Scope.Scope) =>
  Effect.gen(function* (): Effect.fn.Return<Places<Item>> {
    const semaphore = yield* Semaphore.make(concurrency)
    const freed = yield* Latch.make(false)
    const running = new Set<string>()
    let taken = 0

    const take = Effect.andThen(
      semaphore.take(1),
      Effect.sync(() => {
        taken += 1
      })
    )
    const leave = Effect.suspend(() => {
      taken -= 1
      freed.openUnsafe()
      return semaphore.release(1)
    })

    const guarded = (item: Item) =>
      Effect.catchCause(run(item), (cause) => Effect.logError(`${name}: one failed unexpectedly`, keyOf(item), cause))

    const runOnce = (item: Item) =>
      Effect.suspend(() => {
        const key = keyOf(item)
        if (running.has(key)) return Effect.void
        running.add(key)
        return Effect.ensuring(
          guarded(item),
          Effect.sync(() => running.delete(key))
        )
      })

    return {
      freed,
      free: () => concurrency - taken,
      runOnce,
      startNow: (item) => fork(guarded(item), scope),
      start: (item) =>
        Effect.suspend(() =>
          running.has(keyOf(item))
            ? Effect.void
            : Effect.uninterruptibleMask((restore) =>
                Effect.andThen(restore(take), fork(Effect.ensuring(restore(runOnce(item)), leave), scope))
              )
        )
    }
  })

const fork = (started: Effect.Effect<void>, scope: Scope.Scope) =>
  Effect.asVoid(Effect.forkIn(started, scope, { startImmediately: true }))

const nothing = { found: 0, isAll: true, news: 0 }

/** One look, the start of everything it found, and the pause before the next look. */
const looking = <Item>(
  { batch, concurrency, isHeldBack = () => false, keyOf, leadership, lookEvery, name }: DueWork<Item>,
  look: NonNullable<DueWork<Item>["look"]>,
  { free, freed, start }: Places<Item>
): Effect.Effect<void> => {
  const status = pollStatusOf(name)
  const stepDown = leadership?.stepDown ?? Effect.void
  const role = leadership?.role ?? Effect.succeed<LeadershipRole>("ALONE")

  /** Keys of the last look. */
  let foundBefore = new Set<string>()

  /** How many items were asked for and found, and how many of them the look before had not found. */
  const oneLook = Effect.gen(function* () {
    const as = yield* role
    const most = batch ?? free()
    if (!isLeader(as) || most === 0) return nothing
    const items = yield* look({ now: yield* Clock.currentTimeMillis, most, role: as })
    yield* status.ok
    yield* Effect.forEach(items, start, { discard: true })
    const keys = items.map(keyOf)
    const news = keys.filter((key) => !foundBefore.has(key)).length
    foundBefore = new Set(keys)
    return { found: keys.length, isAll: keys.length < most, news }
  }).pipe(Effect.catchCause((cause) => Effect.as(Effect.andThen(status.failed(cause), stepDown), nothing)))

  if (batch !== undefined) {
    // Items that stay due, whatever is done, must not make looks without a pause.
    return Effect.flatMap(oneLook, ({ found, news }) =>
      found >= batch && news >= batch / 2 ? Effect.yieldNow : Effect.sleep(lookEvery)
    )
  }
  const taken = () => concurrency - free()
  const untilOnly = (most: number) =>
    Effect.gen(function* () {
      while (taken() > most) {
        freed.closeUnsafe()
        yield* freed.await
      }
    })
  return Effect.gen(function* () {
    freed.closeUnsafe()
    const { found, isAll } = yield* oneLook
    const wasHeldBack = isHeldBack()
    if (found > 0 && isAll && !wasHeldBack) return yield* Effect.sleep(dueWorkLimits.gatherFor)
    const half = (wasHeldBack ? taken() : concurrency) / 2
    if (found === 0) yield* Effect.timeoutOption(freed.await, lookEvery)
    // Items that end soon after each other share the next look. Items that hang must not hold it up.
    if (taken() > half) yield* Effect.timeoutOption(untilOnly(half), dueWorkLimits.gatherFor)
    yield* Effect.yieldNow
  })
}
