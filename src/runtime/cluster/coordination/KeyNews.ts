/**
 * What nodes tell each other about API keys: that some have changed, and never which. What is remembered of keys is the business of
 * `stores/company/PostgresKeyring.ts`.
 */
import { Context, Effect, Layer, type Scope } from "effect"

export class KeyNews extends Context.Service<
  KeyNews,
  {
    /** Calls `forget` whenever keys may have changed on another node, until the scope closes. */
    readonly onChange: (forget: () => void) => Effect.Effect<void, never, Scope.Scope>
    /** Whether this node hears what the others tell. A node that does not may not answer from memory. */
    readonly isHeard: () => boolean
    /** Announces that keys have changed here. Returns when no node can remember what they were. */
    readonly announce: Effect.Effect<void>
  }
>()("journeys/runtime/KeyNews") {}

/** For one node: nobody else changes keys. */
export const layerAlone: Layer.Layer<KeyNews> = Layer.succeed(KeyNews, {
  onChange: () => Effect.void,
  isHeard: () => true,
  announce: Effect.void
})
