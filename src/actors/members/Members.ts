/**
 * The port to the members of companies. A change and its line in the audit log are written together or not at all. A company
 * always has an owner: the store refuses what would take the last one away. Who may change what is decided by the operations.
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { Member } from "../../schema/members/Member.ts"
import type { MemberSession } from "../../schema/members/MemberSession.ts"
import type { Role } from "../../schema/members/Role.ts"
import type { CompanyId, ConsoleSessionId, MailId, MemberId } from "../../schema/ids.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** A company that a person is a member of. */
export interface Membership {
  readonly companyId: CompanyId
  readonly companyName: string
  readonly role: Role
}

/** Null: there is no such member in the company. LAST_OWNER: the company would have no owner left. */
export type Changed<A> = A | "LAST_OWNER" | null

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class Members extends Context.Service<
  Members,
  {
    /** Adds the member and owes them the invitation. THERE: the address is a member already. FULL: no member more fits. */
    readonly invite: (
      member: Pick<Member, "companyId" | "email" | "role" | "id">,
      line: AuditLine
    ) => Writing<"INVITED" | "THERE" | "FULL">
    /**
     * Owes the invitation once more to a member who has never signed in; `lineOf` makes the line of the audit log. INVITED_JUST_NOW: it is
     * too early. SEEN: the member has signed in. Null: the address is no member's.
     */
    readonly inviteAgain: (
      companyId: CompanyId,
      email: string,
      lineOf: (memberId: MemberId) => AuditLine
    ) => Writing<Member | "INVITED_JUST_NOW" | "SEEN" | null>
    readonly find: (companyId: CompanyId, memberId: MemberId) => Reading<Member | null>
    /** Those who were invited first come first. */
    readonly list: (companyId: CompanyId, page: PageRequest) => Reading<PageOf<Member>>
    readonly setRole: (
      companyId: CompanyId,
      memberId: MemberId,
      role: Role,
      line: AuditLine
    ) => Writing<Changed<Member>>
    /** Whether the member gets mail to the team. Null: there is no such member. */
    readonly setNotices: (
      companyId: CompanyId,
      memberId: MemberId,
      notices: boolean,
      line: AuditLine
    ) => Writing<Member | null>
    /**
     * The sessions and passkeys of the member go with the member, who is owed a mail about it if they have ever signed in: an invitation
     * that nobody took up is taken back in silence.
     */
    readonly remove: (companyId: CompanyId, memberId: MemberId, line: AuditLine) => Writing<Changed<"REMOVED">>
    /** Whom the mail to a removed member goes to. Null: the mail has left, and the address with it. */
    readonly removedAddress: (mailId: MailId) => Reading<string | null>
    /** The addresses of those who are members of the company, by their ids. */
    readonly emailsOf: (
      companyId: CompanyId,
      memberIds: ReadonlyArray<MemberId>
    ) => Reading<ReadonlyMap<MemberId, string>>
    /** Every company that the member's address belongs to, by name. */
    readonly memberships: (memberId: MemberId) => Reading<ReadonlyArray<Membership>>
    /** Sessions that have not ended, of one member or of all of the company. The last seen first. */
    readonly sessions: (
      companyId: CompanyId,
      memberId: MemberId | null,
      page: PageRequest
    ) => Reading<PageOf<MemberSession>>
    readonly findSession: (companyId: CompanyId, sessionId: ConsoleSessionId) => Reading<MemberSession | null>
    /** Whether this ended the session. */
    readonly endSession: (companyId: CompanyId, sessionId: ConsoleSessionId, line: AuditLine) => Writing<boolean>
    /** Makes the administrator the first owner of some companies that have no member, and says of how many. */
    readonly addFirstOwners: (now: number) => Writing<number>
  }
>()("journeys/actors/Members") {}
