/**
 * The removal of a member, and the mail that tells them. With the member goes the address: it is sealed once more for the mail, and is
 * kept until the mail has left. Who may be removed is decided in `PostgresMembers.ts` and by the operations.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { removedMemberPlace } from "../../../actors/members/memberPlace.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { Member } from "../../../schema/members/Member.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { afterLine, lineAndNotice, lineParameters } from "../kernel/auditedChange.ts"
import { MailId } from "../../../schema/ids.ts"

/**
 * Somebody else is an owner, too; the owners are locked, all and in one order, until the change is done. A condition on the outside would not do:
 * PostgreSQL moves such a condition inside, each of two changes locks the other's member alone, and the two wait for each other.
 */
export const otherOwner = `(
  select count(*) filter (where o.id <> $${afterLine}::uuid) from (
    select id from members where company_id = $1::uuid and role = 'OWNER' order by id for update
  ) o
) > 0`

export const ofOneMember = `company_id = $1::uuid and id = $${afterLine}::uuid`

/** An invitation that nobody took up is taken back in silence: nobody can flood a stranger by inviting and removing them. */
const removeStatement = `
with changed as (
  delete from members where ${ofOneMember} and (role = 'TEAM' or ${otherOwner}) returning *
), ${lineAndNotice},
farewell as (
  insert into mails (id, cause, kind, company_id, facts, created_at, due_at, traceparent, sealed_recipient)
  select $7::uuid, 'removed|' || c.id, 'MEMBER_REMOVED', c.company_id, json_build_object('by', $2::text, 'role', c.role),
    $5::timestamptz, $5::timestamptz, $9::text, $8::bytea
  from changed c where c.seen_at is not null
)
select id from changed`

const RecipientRow = rowModel({ sealedRecipient: column.orNull(column.bytes) })
const recipientStatement = "select sealed_recipient from mails where id = $1"

export const makeMemberRemoval = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const ids = yield* Ids
  return {
    /** The statement that removes the member. It answers whether it did. */
    remove: Effect.fnUntraced(function* ({ companyId, email, id }: Member, line: AuditLine) {
      const mailId = MailId.make(ids.next())
      const sealed = PgTypes.bytea(vault.sealSecret(removedMemberPlace(mailId), email))
      const values = [...lineParameters(companyId, line), id, mailId, sealed, yield* currentTraceparent]
      return Effect.map(sql.unsafe(removeStatement, values), (rows) => rows.length > 0)
    }),
    /** Null: the mail has left, and the address with it. */
    addressOf: Effect.fnUntraced(function* (mailId: MailId) {
      const row = yield* storeRead(RecipientRow.first(sql.unsafe(recipientStatement, [mailId])))
      if (row === null || row.sealedRecipient === null) return null
      return yield* Effect.orDie(vault.openSecret(removedMemberPlace(mailId), row.sealedRecipient))
    })
  }
})
