/**
 * Does a work once for all who ask for it at the same time. A caller who gives up leaves the work to the others. What the work
 * is, and what names it, is the caller's to say.
 */
import { Deferred, Effect } from "effect"

export const makeSharedWork = Effect.fnUntraced(function* <A, E>() {
  const scope = yield* Effect.scope
  const running = new Map<string, Deferred.Deferred<A, E>>()

  const begin = Effect.fnUntraced(function* (name: string, work: Effect.Effect<A, E>) {
    const done = yield* Deferred.make<A, E>()
    running.set(name, done)
    yield* work.pipe(
      Effect.onExit((exit) => {
        running.delete(name)
        return Deferred.done(done, exit)
      }),
      Effect.forkIn(scope)
    )
    return done
  })

  return (name: string, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const known = running.get(name)
      const done = known === undefined ? Effect.uninterruptible(begin(name, work)) : Effect.succeed(known)
      return Effect.flatMap(done, Deferred.await)
    })
})
