/**
 * Members of companies and what belongs to them in PostgreSQL. Every change of an owner locks the owners of the company first: of two
 * changes at once the second sees what the first has left, so a company never loses its last owner.
 */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { endedAddress } from "../../../actors/mail/writers/endedAddress.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Members, type Changed } from "../../../actors/members/Members.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import { Member } from "../../../schema/members/Member.ts"
import { MemberSession } from "../../../schema/members/MemberSession.ts"
import { Role } from "../../../schema/members/Role.ts"
import { CompanyId, ConsoleSessionId, MemberId } from "../../../schema/ids.ts"
import { readPage } from "../../postgres/pages.ts"
import { before, uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { afterLine, audited, lineParameters } from "../kernel/auditedChange.ts"
import { makeKnownChange } from "../kernel/knownChange.ts"
import { makeMemberInvitations } from "./memberInvitations.ts"
import { makeMemberRemoval, ofOneMember, otherOwner } from "./memberRemoval.ts"
import { addressIndex, firstOwnerStatement, openedAddress, sealedAddress } from "./memberRows.ts"

const MemberRow = rowModel({
  id: column.id(MemberId),
  companyId: column.id(CompanyId),
  sealedEmail: column.bytes,
  role: column.oneOf(Role),
  invitedAt: column.millis,
  seenAt: column.orNull(column.millis),
  notices: column.bool,
  passkeys: column.number
})

const members = `
from (
  select m.*, (select count(*)::int from passkeys p where p.member_id = m.id) as passkeys from members m
) m where m.company_id = $1`

const setRoleStatement = audited(
  `update members set role = $7::text where ${ofOneMember} and (role = 'TEAM' or $7::text = 'OWNER' or ${otherOwner})`
)
/** Since when the member has the role. Null: as long as they are here. */
const SinceRow = rowModel({ roleSince: column.orNull(column.millis) })
const heldMember = "select role_since from members where company_id = $1::uuid and id = $2::uuid for no key update"
const heldSession = "select from console_sessions where id = $1::uuid for update"

const setNoticesStatement = audited(`update members set notices = $7::bool where ${ofOneMember}`)

const SessionRow = rowModel({
  id: column.id(ConsoleSessionId),
  memberId: column.id(MemberId),
  sealedEmail: column.bytes,
  browser: column.orNull(column.text),
  waitsForPasskey: column.bool,
  openedAt: column.millis,
  seenAt: column.millis
})

/** Sessions that have not ended: seen after $2, opened after $3. */
const sessions = `
from (
  select s.id, s.member_id, m.sealed_email, s.browser, s.is_waiting_for_passkey as waits_for_passkey, s.opened_at, s.seen_at
  from console_sessions s join members m on m.id = s.member_id
  where m.company_id = $1 and s.seen_at > $2 and s.opened_at > $3
) s`

const endSessionStatement = audited(
  `delete from console_sessions s using members m
   where s.id = $${afterLine}::uuid and m.id = s.member_id and m.company_id = $1::uuid`
)

const MembershipRow = rowModel({ companyId: column.id(CompanyId), companyName: column.text, role: column.oneOf(Role) })

const membershipsStatement = `
select n.company_id, c.name as company_name, n.role
from members m join members n on n.address_index = m.address_index join companies c on c.id = n.company_id
where m.id = $1 order by lower(c.name), c.id limit ${memberLimits.mostCompanies}`

const emailsStatement = "select id, sealed_email from members where company_id = $1 and id = any($2::uuid[])"

const EmailRow = rowModel({ id: column.id(MemberId), sealedEmail: column.bytes })

const CompanyRow = rowModel({ id: column.id(CompanyId), adminEmail: column.text })

/** A company whose last member the journal of erasures has removed again is left to the operator: its administrator may be that member. */
const withoutMember = `
select c.id, c.admin_email from companies c
where not exists (select from members m where m.company_id = c.id) and c.admin_email <> '${endedAddress}'
  and not exists (select from audit a where a.company_id = c.id and a.action = 'member.removed') limit ${memberLimits.companiesAtOnce}`

/** What takes something away from a member: it stands in the journal, too. */
const makeEndings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const journal = yield* ErasureJournal
  const change = yield* makeKnownChange
  const removal = yield* makeMemberRemoval
  return {
    /** Null: no row was changed. */
    setRole: (companyId: CompanyId, memberId: MemberId, role: Role, line: AuditLine) => {
      const values = [...lineParameters(companyId, line), memberId, role]
      const held = SinceRow.first(sql.unsafe(heldMember, [companyId, memberId]))
      return change({
        companyId,
        line,
        hold: held,
        write: SinceRow.first(sql.unsafe(setRoleStatement, values)),
        written: held,
        after: (row) => {
          const since = role === "OWNER" ? null : (row?.roleSince ?? null)
          return journal.append(since === null ? [] : [{ what: "OWNER", companyId, memberId, since }])
        }
      })
    },
    /** Whether this removed the member. */
    remove: Effect.fnUntraced(function* (member: Member, line: AuditLine) {
      const { companyId, id: memberId } = member
      return yield* change({
        companyId,
        line,
        hold: sql.unsafe(heldMember, [companyId, memberId]),
        write: yield* removal.remove(member, line),
        written: Effect.succeed(true),
        after: (removed) => journal.append(removed ? [{ what: "MEMBER", companyId, memberId }] : [])
      })
    }),
    /** Whether this ended the session. */
    endSession: (companyId: CompanyId, sessionId: ConsoleSessionId, line: AuditLine) => {
      const values = [...lineParameters(companyId, line), sessionId]
      return change({
        companyId,
        line,
        hold: sql.unsafe(heldSession, [sessionId]),
        write: Effect.map(sql.unsafe(endSessionStatement, values), (rows) => rows.length > 0),
        written: Effect.succeed(true),
        after: (ended) => journal.append(ended ? [{ what: "CONSOLE_SESSION", sessionId }] : [])
      })
    }
  }
})

export const layer = Layer.effect(
  Members,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const endings = yield* makeEndings
    const removal = yield* makeMemberRemoval
    const invitations = yield* makeMemberInvitations

    const memberOf = ({ sealedEmail, ...row }: RowOf<typeof MemberRow>) =>
      Effect.map(openedAddress(vault, row.id, sealedEmail), (email) => Member.row.make({ ...row, email }))

    const sessionOf = ({ sealedEmail, ...row }: RowOf<typeof SessionRow>) =>
      Effect.map(openedAddress(vault, row.memberId, sealedEmail), (email) => MemberSession.row.make({ ...row, email }))

    const find = Effect.fnUntraced(function* (companyId: CompanyId, memberId: MemberId) {
      const row = yield* storeRead(
        MemberRow.first(sql.unsafe(`select * ${members} and m.id = $2`, [companyId, memberId]))
      )
      return row === null ? null : yield* memberOf(row)
    })

    /** A change that touched no row was refused for the last owner, unless there is no such member. */
    const refusedFor = (companyId: CompanyId, memberId: MemberId) =>
      Effect.map(find(companyId, memberId), (member): Changed<never> => (member === null ? null : "LAST_OWNER"))

    const livingSessions = Effect.map(Clock.currentTimeMillis, (now) => [
      before(now, memberLimits.sessionIdleTime),
      before(now, memberLimits.sessionLifetime)
    ])

    return Members.of({
      invite: invitations.invite,
      inviteAgain: Effect.fnUntraced(function* (companyId, email, lineOf) {
        const invited = yield* invitations.inviteAgain(companyId, email, lineOf)
        return invited === null || typeof invited === "string" ? invited : yield* find(companyId, invited.memberId)
      }),
      find,
      list: Effect.fnUntraced(function* (companyId, page) {
        const list = { from: members, order: "m.invited_at, m.id", values: [companyId] }
        const found = yield* storeRead(readPage(sql, MemberRow, list, page))
        return { ...found, content: yield* Effect.forEach(found.content, memberOf) }
      }),
      setRole: Effect.fnUntraced(function* (companyId, memberId, role, line) {
        const changed = yield* endings.setRole(companyId, memberId, role, line)
        return yield* changed === null ? refusedFor(companyId, memberId) : find(companyId, memberId)
      }),
      setNotices: Effect.fnUntraced(function* (companyId, memberId, notices, line) {
        yield* storeWrite(sql.unsafe(setNoticesStatement, [...lineParameters(companyId, line), memberId, notices]))
        return yield* find(companyId, memberId)
      }),
      remove: Effect.fnUntraced(function* (companyId, memberId, line) {
        const member = yield* find(companyId, memberId)
        if (member === null) return null
        const isRemoved = yield* endings.remove(member, line)
        return isRemoved ? "REMOVED" : yield* refusedFor(companyId, memberId)
      }),
      removedAddress: removal.addressOf,
      emailsOf: Effect.fnUntraced(function* (companyId, memberIds) {
        if (memberIds.length === 0) return new Map()
        const rows = yield* storeRead(EmailRow.all(sql.unsafe(emailsStatement, [companyId, uuidArray(memberIds)])))
        const opened = yield* Effect.forEach(rows, ({ id, sealedEmail }) =>
          Effect.map(openedAddress(vault, id, sealedEmail), (email) => [id, email] as const)
        )
        return new Map(opened)
      }),
      memberships: (memberId) => storeRead(MembershipRow.all(sql.unsafe(membershipsStatement, [memberId]))),
      sessions: Effect.fnUntraced(function* (companyId, memberId, page) {
        const values = [companyId, ...(yield* livingSessions), memberId]
        const list = {
          from: `${sessions} where $4::uuid is null or s.member_id = $4`,
          order: "s.seen_at desc, s.id",
          values
        }
        const found = yield* storeRead(readPage(sql, SessionRow, list, page))
        return { ...found, content: yield* Effect.forEach(found.content, sessionOf) }
      }),
      findSession: Effect.fnUntraced(function* (companyId, sessionId) {
        const values = [companyId, ...(yield* livingSessions), sessionId]
        const row = yield* storeRead(SessionRow.first(sql.unsafe(`select * ${sessions} where s.id = $4`, values)))
        return row === null ? null : yield* sessionOf(row)
      }),
      endSession: endings.endSession,
      addFirstOwners: Effect.fnUntraced(function* (now) {
        const companies = yield* storeRead(CompanyRow.all(sql.unsafe(withoutMember)))
        yield* Effect.forEach(companies, ({ adminEmail, id: companyId }) => {
          const id = MemberId.make(ids.next())
          const owner = [id, companyId, addressIndex(vault, adminEmail), sealedAddress(vault, id, adminEmail)]
          const nobodyIsMailed = [new Date(now), new Date(now), null, null, null]
          return storeWrite(sql.unsafe(firstOwnerStatement, [...owner, ...nobodyIsMailed]))
        })
        return companies.length
      })
    })
  })
)
