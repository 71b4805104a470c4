/**
 * The port to the endpoints as the settings change them. Every change is written together with its line in the audit log. A
 * save and a removal raise the endpoint's revision and reset its health (W6).
 */
import { Context, type Effect } from "effect"
import type { Scope } from "../../kernel/Scope.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Endpoint, PreviousSecret } from "../rules/Endpoint.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

/** What a save sets. A secret is given only when it is new; it replaces the present one and those of before. */
export interface EndpointSave {
  /** The id of a new endpoint. A removed endpoint comes back under its old id. */
  readonly id: string
  readonly scope: Scope
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly sealedSecret: Uint8Array | null
}

export interface SecretRoll {
  readonly sealedSecret: Uint8Array
  /** What signs beside the new secret (`rules/secretRoll.ts`). */
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
}

export class EndpointStore extends Context.Service<
  EndpointStore,
  {
    /** The endpoint of a company and mode, also a removed one; null when there never was one. */
    readonly find: (scope: Scope) => Reading<Endpoint | null>
    /** `revision`: of the endpoint that the caller has read, null for none. Returns null when it was saved in between. */
    readonly save: (save: EndpointSave, revision: number | null, line: AuditLine) => Writing<Endpoint | null>
    /** Gives the endpoint, as the caller has read it, a new secret. Returns null as `save` does. */
    readonly roll: (endpoint: Endpoint, roll: SecretRoll, line: AuditLine) => Writing<Endpoint | null>
    /** Removes the endpoint; its log stays. Returns null as `save` does. */
    readonly remove: (endpoint: Endpoint, line: AuditLine) => Writing<Endpoint | null>
  }
>()("journeys/actors/EndpointStore") {}
