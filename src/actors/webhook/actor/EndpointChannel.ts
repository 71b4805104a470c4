/**
 * The open channel of an endpoint's actor: the connections to one URL. Opening a channel to another URL closes the one
 * before, so the caller sees to it that nothing is in flight there.
 */
import { Effect, Exit, Scope } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { Sender, type Channel } from "./Sender.ts"

export interface EndpointChannel {
  readonly open: (url: string) => Effect.Effect<void>
  /** The channel that was opened last; null before the first. */
  readonly current: () => Channel | null
}

/** The connections close with `scope` at the latest. */
export const make = Effect.fnUntraced(function* (scope: Scope.Scope): Effect.fn.Return<EndpointChannel, never, Sender> {
  const sender = yield* Sender
  let channel: Channel | null = null
  let channelScope: Scope.Closeable | null = null

  return {
    open: Effect.fnUntraced(function* (url: string) {
      if (channelScope !== null) yield* Scope.close(channelScope, Exit.void)
      channel = null
      channelScope = yield* Scope.fork(scope)
      channel = yield* Scope.provide(sender.open(url, webhookLimits.mostInFlight), channelScope)
    }),
    current: () => channel
  }
})
