/**
 * Group commit, and group reading: callers hand over one item each, a few fibers run whatever is waiting as one
 * statement and answer each caller. There is no timer: an idle service runs an item at once, a busy one batches what
 * arrived while the statement before was under way.
 *
 * A statement the server refused is split until the item at fault stands alone, so that one bad row never fails its
 * neighbours; what cannot have been the item's fault (no connection, or an outcome nobody knows) fails the batch.
 */
import { Cause, Deferred, Effect, Exit, Queue, type Scope } from "effect"
import { observeBatches, type Traced } from "../telemetry/batches.ts"
import { type BatchLimits, mostWaiting } from "./limits.ts"

interface Waiting<A, B, E> extends Traced {
  readonly item: A
  readonly answer: Deferred.Deferred<B, E>
}

export interface BatcherOptions<A, B, E> extends BatchLimits {
  /** What it does, as spans and metrics call it: `Service.method`. */
  readonly name: string
  /** The journey an item is about, if it is about one. */
  readonly journeyOf?: (item: A) => string
  /** Runs a batch; answers stand in the order of the items. */
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>
  /** True when the server refused the statement for something in it: a smaller batch may pass. */
  readonly isRefusal: (error: E) => boolean
  /** What a caller hears when too many wait already; its item is not taken. */
  readonly full: () => E
  /** Items of equal keys never share a statement; what waits keeps its order. */
  readonly keyOf?: (item: A) => string
}

export type Submit<A, B, E> = (item: A) => Effect.Effect<B, E>

/**
 * Starts the fibers and gives the function to submit with. What was handed over runs, whether or not its caller still
 * waits for the answer: who must not miss it waits uninterruptibly.
 */
export const makeBatcher = <A, B, E>(
  options: BatcherOptions<A, B, E>
): Effect.Effect<Submit<A, B, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<Waiting<A, B, E>>()
    const observed = yield* observeBatches(options.name, () => Queue.sizeUnsafe(queue))

    const settle = (batch: ReadonlyArray<Waiting<A, B, E>>): Effect.Effect<void> =>
      // Suspended, because an item that cannot be encoded throws before there is an effect.
      Effect.flatMap(
        Effect.exit(observed.statement(batch, () => options.run(batch.map((one) => one.item)))),
        (exit) => {
          if (Exit.isSuccess(exit)) {
            batch.forEach((one, at) => Deferred.doneUnsafe(one.answer, Exit.succeed(exit.value[at] as B)))
            return Effect.void
          }
          if (batch.length > 1 && isRefusal(exit.cause)) {
            const middle = batch.length >> 1
            return Effect.andThen(settle(batch.slice(0, middle)), settle(batch.slice(middle)))
          }
          for (const one of batch) Deferred.doneUnsafe(one.answer, Exit.failCause(exit.cause))
          return Effect.void
        }
      )

    const isRefusal = (cause: Cause.Cause<E>): boolean => {
      const failure = cause.reasons.find(Cause.isFailReason)
      // A defect may come from one item's encoding: its neighbours must not pay for it either.
      return failure === undefined ? Cause.hasDies(cause) : options.isRefusal(failure.error)
    }

    const takeBatch = Effect.map(Queue.takeBetween(queue, 1, options.largestBatch), (taken) =>
      apart(taken, options.keyOf)
    )

    for (let fiber = 0; fiber < options.fibers; fiber++) {
      yield* takeBatch.pipe(
        Effect.flatMap((rounds) => Effect.uninterruptible(Effect.forEach(rounds, settle, { discard: true }))),
        Effect.forever,
        Effect.forkScoped
      )
    }

    return (item: A) =>
      observed.answer(options.journeyOf?.(item), (span) => {
        if (Queue.sizeUnsafe(queue) >= mostWaiting) return Effect.fail(options.full())
        const answer = Deferred.makeUnsafe<B, E>()
        Queue.offerUnsafe(queue, { item, answer, span })
        return Deferred.await(answer)
      })
  })

/** Splits a batch into rounds in which every key occurs once. Usually there is one round. */
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
