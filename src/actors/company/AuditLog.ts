/**
 * The port to the audit log for actions that change no setting: what the team decided about a journey, and what the team
 * looked at. A change of settings writes its own line, in its own statement.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { CompanyId } from "../../schema/ids.ts"

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
  }
>()("journeys/actors/AuditLog") {}
