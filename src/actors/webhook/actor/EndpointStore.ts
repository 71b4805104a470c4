/**
 * The port to where endpoints are kept, as the settings change them. Every change is written with its line in the audit
 * log; a save and a removal raise the endpoint's revision and forget what its failures had led to (W6).
 */
import { Context, type Effect } from "effect"
import type { Scope } from "../../kernel/Scope.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Endpoint } from "../rules/Endpoint.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

/** What a save decides; a secret is given when it is new, and replaces both that were there. */
export interface EndpointSave {
  /** Used when there was none; a removed endpoint comes back under its old id. */
  readonly id: string
  readonly scope: Scope
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly sealedSecret: Uint8Array | null
}

export interface SecretRoll {
  readonly sealedSecret: Uint8Array
  /** Until when the secret before it goes on signing; null: not at all. */
  readonly previousUntil: number | null
}

export class EndpointStore extends Context.Service<
  EndpointStore,
  {
    /** The endpoint of a company and mode, a removed one included; null when there never was one. */
    readonly find: (scope: Scope) => Reading<Endpoint | null>
    /** `revision`: the one it was decided on, null for none. Null when someone else saved in between. */
    readonly save: (save: EndpointSave, revision: number | null, line: AuditLine) => Writing<Endpoint | null>
    /** The endpoint, as it was read, with its new secret; null as above. */
    readonly roll: (endpoint: Endpoint, roll: SecretRoll, line: AuditLine) => Writing<Endpoint | null>
    /** Takes it away; its log stays. Null as above. */
    readonly remove: (endpoint: Endpoint, line: AuditLine) => Writing<Endpoint | null>
  }
>()("journeys/actors/EndpointStore") {}
