/**
 * Group commit and group reading: each caller hands over one item, and a few fibers run all items that wait as one statement
 * and answer each caller. An idle service runs an item at once; a busy service batches the items that arrived while the
 * previous statement was under way. Only where no request waits for the answer does a batch wait for more items (`gatherFor`).
 *
 * A batch whose statement the server refused is split until the item at fault stands alone, so that one bad item never fails
 * its neighbours. A failure that cannot be an item's fault (no connection, or an unknown outcome) fails the whole batch.
 */
import { Cause, Deferred, Duration, Effect, Exit, Queue, type Scope } from "effect"
import { observeBatches, type Traced } from "./batchObservation.ts"
import { type BatchLimits, mostWaiting } from "./limits.ts"

interface Waiting<A, B, E> extends Traced {
  readonly item: A
  readonly answer: Deferred.Deferred<B, E>
  /** Tells the caller that it takes too long. */
  readonly late: NodeJS.Timeout | undefined
}

/** `Late`: what callers hear who have waited too long, where there is such a time. */
export interface BatcherOptions<A, B, E, Late = never> extends BatchLimits {
  /** The name of the work in spans and metrics: `Service.method`. */
  readonly name: string
  /** The journey that an item is about, if it is about one. */
  readonly journeyOf?: (item: A) => string
  /** Runs a batch. The answers stand in the order of the items. */
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>
  /** True when the server refused the statement because of something in it. A smaller batch may then succeed. */
  readonly isRefusal: (error: E) => boolean
  /** What a caller hears when too many items wait already. The item of this caller is not taken. */
  readonly full: () => E
  /** What a caller hears who has waited for `answerWithin`. The item still runs. */
  readonly late?: () => Late
  /** Two items of one key never share a statement. Items of one key run in the order in which they came. */
  readonly keyOf?: (item: A) => string
}

export type Submit<A, B, E> = (item: A) => Effect.Effect<B, E>

/**
 * Starts the fibers and gives the function that hands an item over. The item runs whether or not its caller still waits for
 * the answer: a caller that must not miss the answer waits uninterruptibly.
 */
export const makeBatcher = <A, B, E, Late = never>(
  options: BatcherOptions<A, B, E, Late>
): Effect.Effect<Submit<A, B, E | Late>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<Waiting<A, B, E | Late>>()
    const observed = yield* observeBatches(options.name, () => Queue.sizeUnsafe(queue))

    const answer = (one: Waiting<A, B, E | Late>, exit: Exit.Exit<B, E>): void => {
      clearTimeout(one.late)
      Deferred.doneUnsafe(one.answer, exit)
    }

    const settle = (batch: ReadonlyArray<Waiting<A, B, E | Late>>): Effect.Effect<void> =>
      // The statement is made inside the effect, because an item that cannot be encoded throws while it is made.
      Effect.flatMap(
        Effect.exit(observed.statement(batch, () => options.run(batch.map((one) => one.item)))),
        (exit) => {
          if (Exit.isSuccess(exit)) {
            batch.forEach((one, at) => answer(one, Exit.succeed(exit.value[at] as B)))
            return Effect.void
          }
          if (batch.length > 1 && isRefusal(exit.cause)) {
            const middle = batch.length >> 1
            return Effect.andThen(settle(batch.slice(0, middle)), settle(batch.slice(middle)))
          }
          for (const one of batch) answer(one, Exit.failCause(exit.cause))
          return Effect.void
        }
      )

    // A timer for each caller, and no fiber: a race of two fibers for each costs more than a read.
    const { answerWithin, late } = options
    const untilLate = (waiting: Deferred.Deferred<B, E | Late>) =>
      answerWithin === undefined || late === undefined
        ? undefined
        : setTimeout(() => Deferred.doneUnsafe(waiting, Exit.fail(late())), Duration.toMillis(answerWithin))

    const isRefusal = (cause: Cause.Cause<E>): boolean => {
      const failure = cause.reasons.find(Cause.isFailReason)
      // The encoding of one item may cause a defect, and its neighbours must not pay for that either.
      return failure === undefined ? Cause.hasDies(cause) : options.isRefusal(failure.error)
    }

    const takeFrom = (least: number) => Queue.takeBetween(queue, least, options.largestBatch)
    const runEach = (take: Effect.Effect<ReadonlyArray<Waiting<A, B, E | Late>>>) =>
      Effect.map(take, (taken) => apart(taken, options.keyOf)).pipe(
        Effect.flatMap((rounds) => Effect.uninterruptible(Effect.forEach(rounds, settle, { discard: true }))),
        Effect.forever,
        Effect.forkScoped
      )

    const { fibers, gatherFor, othersBegin } = options
    const takeGathered = (time: Duration.Duration) => Effect.andThen(Queue.peek(queue), Effect.delay(takeFrom(1), time))
    yield* runEach(gatherFor === undefined ? takeFrom(1) : takeGathered(gatherFor))
    for (let other = 1; other < fibers; other++) yield* runEach(takeFrom(othersBegin?.items ?? 1))
    if (othersBegin !== undefined) yield* runEach(takeLate(queue, othersBegin.after, takeFrom(1)))

    return (item: A) =>
      observed.answer(options.journeyOf?.(item), (span) => {
        if (Queue.sizeUnsafe(queue) >= mostWaiting) return Effect.fail(options.full())
        const answer = Deferred.makeUnsafe<B, E | Late>()
        Queue.offerUnsafe(queue, { item, answer, span, late: untilLate(answer) })
        return Deferred.await(answer)
      })
  })

/** Takes a batch when one item has been the first in the queue for `after`. While nothing waits, nothing runs. */
const takeLate = <W, A>(queue: Queue.Dequeue<W>, after: Duration.Duration, take: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (;;) {
      const first = yield* Queue.peek(queue)
      yield* Effect.sleep(after)
      if (Queue.sizeUnsafe(queue) > 0 && (yield* Queue.peek(queue)) === first) return yield* take
    }
  })

/** Splits a batch into rounds in which each key occurs once. Usually one round is enough. */
const apart = <A, W extends { readonly item: A }>(
  batch: ReadonlyArray<W>,
  keyOf: ((item: A) => string) | undefined
): ReadonlyArray<ReadonlyArray<W>> => {
  if (keyOf === undefined) return [batch]
  const rounds: Array<{ readonly keys: Set<string>; readonly items: Array<W> }> = []
  for (const one of batch) {
    const key = keyOf(one.item)
    let round = rounds.find((candidate) => !candidate.keys.has(key))
    if (round === undefined) {
      round = { keys: new Set(), items: [] }
      rounds.push(round)
    }
    round.keys.add(key)
    round.items.push(one)
  }
  return rounds.map((round) => round.items)
}
