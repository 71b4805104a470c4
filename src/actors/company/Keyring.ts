/**
 * The port through which a request finds out whose key it carries. A key that was revoked or rotated, or whose company
 * was switched off, must be refused from the next request on; an adapter that remembers keys forgets them at once when
 * they change here, and within a second when they change elsewhere (decision A5).
 */
import { Context, type Effect } from "effect"
import type { CompanyKind } from "../../schema/company/Company.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { KeyScope } from "../../schema/company/ApiKey.ts"
import type { SandboxSwitches } from "../../schema/company/SandboxSwitches.ts"

/** A key with what its company has configured, as far as requests depend on it. Times are epoch milliseconds. */
export interface KnownKey {
  readonly keyId: string
  readonly livemode: boolean
  readonly scopes: ReadonlyArray<KeyScope>
  readonly developer: boolean
  readonly expiresAt: number | null
  readonly isRevoked: boolean
  readonly company: {
    readonly id: string
    readonly kind: CompanyKind
    readonly active: boolean
    readonly hasIdentityProvider: boolean
    readonly hasFinancePanel: boolean
    readonly identityWindowDays: number
    readonly handoverWindowDays: number
    readonly sandbox: SandboxSwitches
  }
}

export class Keyring extends Context.Service<
  Keyring,
  {
    /** The key with this hash, or null. */
    readonly find: (hash: Uint8Array) => Effect.Effect<KnownKey | null, StoreUnavailable>
    /** Forgets what is remembered of all keys. */
    readonly forget: Effect.Effect<void>
  }
>()("journeys/actors/Keyring") {}
