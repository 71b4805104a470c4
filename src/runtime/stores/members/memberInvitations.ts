/**
 * Invitations of members: the first, and once more for whoever has never signed in. The statement that makes the member, or finds that
 * it is time, owes the mail and writes the line of the audit log. Who may invite is decided by the operations.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { Member } from "../../../schema/members/Member.ts"
import { type CompanyId, MemberId } from "../../../schema/ids.ts"
import { before } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { lineAndNotice, lineParameters } from "../kernel/auditedChange.ts"
import { addressIndex, sealedAddress } from "./memberRows.ts"

/** The mail to the member in `changed`; $2 invites, at $5. The others are parameters of the statement. */
const invitationOf = (
  cause: string,
  { dueAt, id, traceparent }: Readonly<Record<"dueAt" | "id" | "traceparent", string>>
) => `
  insert into mails (id, cause, kind, company_id, facts, created_at, due_at, traceparent)
  select ${id}::uuid, ${cause}, 'INVITATION', c.company_id, json_build_object('memberId', c.id, 'by', $2::text),
    $5::timestamptz, ${dueAt}::timestamptz, ${traceparent}::text
  from changed c`

const inviteStatement = `
with changed as (
  insert into members (id, company_id, role, address_index, sealed_email, invited_at)
  select $6::uuid, $1::uuid, $7::text, $8::bytea, $9::bytea, $5::timestamptz
  where (select count(*) from members m where m.company_id = $1::uuid) < $10::int4
  on conflict (company_id, address_index) do nothing returning *
), ${lineAndNotice},
invitation as (${invitationOf("'invitation|' || c.id", { id: "$11", dueAt: "$12", traceparent: "$13" })})
select id from changed`

const ThereRow = rowModel({ id: column.id(MemberId), seenAt: column.orNull(column.millis) })
const thereStatement = "select id, seen_at from members where company_id = $1 and address_index = $2"

/** Of two at the same time one invites: the other finds the time of the first. */
const inviteAgainStatement = `
with changed as (
  update members set invited_at = $5::timestamptz
  where company_id = $1::uuid and id = $6::uuid and seen_at is null and invited_at < $7::timestamptz returning *
), ${lineAndNotice},
invitation as (${invitationOf("'invitation|' || c.id || '|' || extract(epoch from $5::timestamptz)", { id: "$8", dueAt: "$9", traceparent: "$10" })})
select id from changed`

export const makeMemberInvitations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const ids = yield* Ids
  return {
    invite: Effect.fnUntraced(function* (
      { companyId, email, id, role }: Pick<Member, "companyId" | "email" | "id" | "role">,
      line: AuditLine
    ) {
      const index = addressIndex(vault, email)
      const added = yield* storeWrite(
        sql.unsafe(inviteStatement, [
          ...lineParameters(companyId, line),
          id,
          role,
          index,
          sealedAddress(vault, id, email),
          memberLimits.mostMembers,
          ids.next(),
          before(line.at, memberLimits.signInMailAhead),
          yield* currentTraceparent
        ])
      )
      if (added.length > 0) return "INVITED"
      return (yield* storeRead(sql.unsafe(thereStatement, [companyId, index]))).length > 0 ? "THERE" : "FULL"
    }),
    /** The id of whoever was invited again, or why nobody was. */
    inviteAgain: Effect.fnUntraced(function* (
      companyId: CompanyId,
      email: string,
      lineOf: (memberId: MemberId) => AuditLine
    ) {
      const there = yield* storeRead(
        ThereRow.first(sql.unsafe(thereStatement, [companyId, addressIndex(vault, email)]))
      )
      if (there === null) return null
      if (there.seenAt !== null) return "SEEN"
      const line = lineOf(there.id)
      const invited = yield* storeWrite(
        sql.unsafe(inviteAgainStatement, [
          ...lineParameters(companyId, line),
          there.id,
          before(line.at, memberLimits.invitedAgainAfter),
          ids.next(),
          before(line.at, memberLimits.signInMailAhead),
          yield* currentTraceparent
        ])
      )
      return invited.length === 0 ? "INVITED_JUST_NOW" : { memberId: there.id }
    })
  }
})
