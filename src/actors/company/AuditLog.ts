/**
 * The port to the audit log: the list of its lines, and the line of an action that changes no setting, such as what the team
 * decided about a journey and what the team looked at. A change of settings writes its own line, in its own statement.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AccessChange } from "../../schema/company/accessChanges.ts"
import type { AuditEntry, AuditLine } from "../../schema/company/AuditEntry.ts"
import type { PieceOf, PieceRequest, TimeSpan } from "../../schema/page.ts"
import type { CompanyId } from "../../schema/ids.ts"

/** The line of a change that the owners are told of (decision M10). */
export interface AccessLine extends AuditLine {
  readonly action: AccessChange
}

/** Which lines: null asks for all of them. */
export interface AuditFilter extends TimeSpan {
  readonly action: string | null
  readonly actor: string | null
}

/** A line of the log by its place, and the hash that the place has. */
export interface AuditPlace {
  readonly number: number
  /** In hexadecimal digits. */
  readonly hash: string
}

/** What a look at some lines has found. */
export interface AuditCheck {
  readonly checked: number
  /** The last line that was looked at; null: there is none. */
  readonly last: AuditPlace | null
  readonly broken: { readonly number: number; readonly reason: "CHANGED" | "MISSING" } | null
  readonly isEnd: boolean
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Writes the line. A line whose details have a `messageId` is written once for that message and action. */
    readonly write: (companyId: CompanyId, line: AuditLine) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
    /** Writes the line unless the company's latest lines have the same of the same actor since then (epoch milliseconds). */
    readonly writeUnlessSince: (
      companyId: CompanyId,
      line: AuditLine,
      since: number
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
    /** The newest first. A piece costs the same wherever it begins, and whatever the filter is. */
    readonly list: (
      companyId: CompanyId,
      filter: AuditFilter,
      piece: PieceRequest
    ) => Effect.Effect<PieceOf<AuditEntry>, StoreUnavailable>
    /**
     * The changes that owners are mailed of from `from` on and before `until` (epoch milliseconds), in the order of `AccessChange`, of one
     * kind the oldest first, and no more than `most`; `total` is how many there are.
     */
    readonly accessChanges: (
      companyId: CompanyId,
      span: { readonly from: number; readonly until: number },
      most: number
    ) => Effect.Effect<{ readonly lines: ReadonlyArray<AccessLine>; readonly total: number }, StoreUnavailable>
    /** Checks the next lines after a place, or from the first; `hash` null trusts the hash that the place has now. */
    readonly check: (
      companyId: CompanyId,
      after: { readonly number: number; readonly hash: string | null } | null
    ) => Effect.Effect<AuditCheck, StoreUnavailable>
  }
>()("journeys/actors/AuditLog") {}
