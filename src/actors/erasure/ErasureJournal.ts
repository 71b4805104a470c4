/**
 * The port to the journal of what has ended: erased customers, revoked keys, secrets that were rolled, and the access of people to the
 * console and the settings. It is kept outside the database, so that a restored backup of the database can be told what it does not
 * know. A line is ids, hashes of random secrets and a time; it holds no personal data and opens nothing.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export type EndedThing =
  | { readonly what: "CUSTOMER"; readonly companyId: string; readonly customerId: string }
  /** The hash under which the key's text was found. */
  | { readonly what: "API_KEY"; readonly companyId: string; readonly hash: string }
  /** The hash of a secret that must not sign any more after `until`, in epoch milliseconds. */
  | { readonly what: "WEBHOOK_SECRET"; readonly endpointId: string; readonly hash: string; readonly until: number }
  /** A member who was removed, and with them their passkeys and sessions. */
  | { readonly what: "MEMBER"; readonly companyId: string; readonly memberId: string }
  | { readonly what: "PASSKEY"; readonly companyId: string; readonly passkeyId: string }
  /** A session of the console, a member's or the operator's. Its secret may have changed since the backup; its id has not. */
  | { readonly what: "CONSOLE_SESSION"; readonly sessionId: string }
  /** A named token of the operator, and with it the sessions that it opened. */
  | { readonly what: "OPERATOR_TOKEN"; readonly tokenId: string }

export class ErasureJournal extends Context.Service<
  ErasureJournal,
  {
    /** Written, and safe on the disk, when it answers. What could not be written goes with the next append of the process. */
    readonly append: (things: ReadonlyArray<EndedThing>) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/actors/ErasureJournal") {}
