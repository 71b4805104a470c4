/**
 * The port through which a request finds out whose API key it carries. A key that was revoked or rotated, or whose company
 * was switched off, must be refused from the next request on, on every node. An adapter that remembers keys forgets them before
 * the change is answered (decision A5).
 */
import { Context, type Effect } from "effect"
import type { ApiKey } from "../../schema/company/ApiKey.ts"
import type { CheckMaker } from "../../schema/journey/messages.ts"
import type { Company } from "../../schema/company/Company.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { ApiKeyId } from "../../schema/ids.ts"

/** A key with what its company has configured, as far as requests depend on it. Times are epoch milliseconds. */
export interface KnownKey extends Pick<ApiKey, "scopes" | "developer" | "expiresAt" | "addresses"> {
  readonly keyId: ApiKeyId
  readonly livemode: boolean
  readonly isRevoked: boolean
  readonly company: Pick<
    Company,
    "id" | "kind" | "active" | "identityWindowDays" | "handoverWindowDays" | "sandbox"
  > & {
    /** Who makes the company's identity checks; null while nobody is set up. */
    readonly identityBy: typeof CheckMaker.Type | null
    readonly hasFinancePanel: boolean
  }
}

/** What a start needs to know of its key: the mode, and what the company has configured. */
export type StartingKey = Pick<KnownKey, "livemode" | "company">

export class Keyring extends Context.Service<
  Keyring,
  {
    /**
     * The key with this text, or null. A text that is well-formed and that this installation has not made is not looked up, unless
     * it is a key of before keys were marked.
     */
    readonly find: (text: string) => Effect.Effect<KnownKey | null, StoreUnavailable>
    /** Notes that a key was used at this time, in epoch milliseconds. It is written later, so it costs a request nothing. */
    readonly used: (keyId: ApiKeyId, at: number) => void
    /** Forgets what is remembered of all keys, on all nodes. */
    readonly forget: Effect.Effect<void>
  }
>()("journeys/actors/Keyring") {}
