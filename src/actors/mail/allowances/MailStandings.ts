/**
 * The port to how the mail of each company to others stands: what left, what came back, and whether it was stopped (decision M9).
 * Whether one mail may leave is asked of `MailAllowances`.
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { CompanyId, MailId } from "../../../schema/ids.ts"
import type { MailStandingPatch, ReturnedAs, StoppedBy } from "../../../schema/mail/MailStanding.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"

/** Counts are those of the last 24 hours. */
export interface MailStanding {
  readonly stoppedAt: number | null
  readonly stoppedBy: StoppedBy | null
  readonly perDay: number | null
  readonly sent: number
  readonly refused: number
  readonly reported: number
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class MailStandings extends Context.Service<
  MailStandings,
  {
    readonly read: (companyId: CompanyId, now: number) => Effect.Effect<MailStanding, StoreUnavailable>
    /** What is started again is counted anew, and what waited is due. */
    readonly change: (companyId: CompanyId, change: MailStandingPatch, line: AuditLine) => Writing<void>
    /** A mail that came back after it had left. Null: there is no such mail to others. A mail counts once. */
    readonly returned: (
      mailId: MailId,
      as: ReturnedAs,
      line: AuditLine
    ) => Writing<{ readonly companyId: CompanyId } | null>
    /** Stops the company's mail when too much of it came back, and owes its owners a mail about it. */
    readonly judge: (companyId: CompanyId, now: number) => Writing<void>
  }
>()("journeys/actors/MailStandings") {}
