/**
 * The port to the audit log for what is no change of settings: what the team told a journey, and what it looked at. A
 * change of settings writes its own line, in its own statement.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Writes the line; of an action on one message, named in its details as `messageId`, once. */
    readonly write: (companyId: string, line: AuditLine) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/AuditLog") {}
