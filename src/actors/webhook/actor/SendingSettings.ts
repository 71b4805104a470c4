/**
 * What an endpoint's actor sends by: the endpoint as it was last read, its secrets opened, and a channel to its URL.
 * Reading is cheap when nothing changed: a secret is opened once, and connections live until the URL is another.
 */
import { Clock, Effect, Exit, Scope } from "effect"
import type { StoreUnavailable, Unopenable } from "../../kernel/StoreError.ts"
import { Vault } from "../../kernel/Vault.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { secretPlace, type Endpoint } from "./Endpoint.ts"
import { Sender, type Channel } from "./Sender.ts"
import { signingKey, type SigningKey } from "../rules/signature.ts"
import { mostInFlight } from "./supervision.ts"

export interface Known {
  readonly endpoint: Endpoint
  /** Epoch milliseconds. */
  readonly readAt: number
  /** The keys to sign with at a time, the newest first: two while the secret before a roll still counts. */
  readonly keysAt: (now: number) => ReadonlyArray<SigningKey>
}

export interface SendingSettings {
  /** The endpoint as it is now; null when there is none any more. */
  readonly read: Effect.Effect<Known | null, StoreUnavailable | Unopenable>
  /** A channel to this URL; the one before is closed, so that nothing may be under way on it. */
  readonly channelTo: (url: string) => Effect.Effect<Channel>
  /** The URL of the present channel. */
  readonly openUrl: () => string | null
}

interface OpenedSecret {
  readonly sealed: Uint8Array
  readonly key: SigningKey
}

/** `scope` is that of the connections. */
export const make = Effect.fnUntraced(function* (
  endpointId: string,
  scope: Scope.Scope
): Effect.fn.Return<SendingSettings, never, DeliveryStore | Sender | Vault> {
  const store = yield* DeliveryStore
  const sender = yield* Sender
  const vault = yield* Vault
  let opened: ReadonlyArray<OpenedSecret> = []
  let open: { readonly url: string; readonly channel: Channel; readonly scope: Scope.Closeable } | null = null

  const openSecret = (sealed: Uint8Array): Effect.Effect<OpenedSecret, Unopenable> => {
    const before = opened.find((one) => Buffer.compare(one.sealed, sealed) === 0)
    return before === undefined
      ? Effect.map(vault.openSecret(secretPlace(endpointId), sealed), (text) => ({ sealed, key: signingKey(text) }))
      : Effect.succeed(before)
  }

  const read = Effect.gen(function* () {
    const endpoint = yield* store.endpoint(endpointId)
    if (endpoint === null || endpoint.removedAt !== null) return null
    const present = yield* openSecret(endpoint.sealedSecret)
    const previous = endpoint.sealedPreviousSecret === null ? null : yield* openSecret(endpoint.sealedPreviousSecret)
    opened = previous === null ? [present] : [present, previous]
    const until = endpoint.previousUntil ?? 0
    const both = opened.map(({ key }) => key)
    const known: Known = {
      endpoint,
      readAt: yield* Clock.currentTimeMillis,
      keysAt: (now) => (previous !== null && now < until ? both : [present.key])
    }
    return known
  })

  const channelTo = Effect.fnUntraced(function* (url: string) {
    if (open?.url === url) return open.channel
    if (open !== null) yield* Scope.close(open.scope, Exit.void)
    const own = yield* Scope.fork(scope)
    const channel = yield* Scope.provide(sender.open(url, mostInFlight), own)
    open = { url, channel, scope: own }
    return channel
  })

  return { read, channelTo, openUrl: () => open?.url ?? null }
})
