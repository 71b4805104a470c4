/**
 * The failure of work that an attempt needs before it reaches a provider: the store is away, or this node cannot open a key.
 * Such a failure passes, so another attempt may succeed.
 */
import { Effect } from "effect"
import { EffectFailed } from "../journey/actor/Effects.ts"

export const failingForNow = <A, E extends { readonly _tag: string }, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, EffectFailed, R> =>
  Effect.mapError(work, ({ _tag }) => new EffectFailed({ definite: false, reason: _tag }))
