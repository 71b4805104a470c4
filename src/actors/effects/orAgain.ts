/** What keeps an attempt from being made at all passes: the store is away, or a key cannot be opened on this node. */
import { Effect } from "effect"
import { EffectFailed } from "../journey/actor/Effects.ts"

export const orAgain = <A, E extends { readonly _tag: string }, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, EffectFailed, R> =>
  Effect.mapError(work, ({ _tag }) => new EffectFailed({ definite: false, reason: _tag }))
