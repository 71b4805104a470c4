/**
 * Ends again what people sign in with: members who were removed, passkeys that were taken away, sessions of the console, named tokens of
 * the operator. Each statement ends what is here of its lines, and writes of it what the audit log of the company should know.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { uuidArray } from "../postgres/parameters.ts"
import { journalActor, linesOf, type JournalLine } from "./journalLine.ts"

const audited = (change: string, action: string, details: string): string => `
with changed as (${change}), line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, '${journalActor}', '${action}', ${details}, now() from changed where company_id is not null
)
select id from changed`

/** The last owner too: whoever was removed was no owner any more, and the owner of after the backup is gone with it. */
const removeMembers = audited(
  "delete from members where id = any($1::uuid[]) returning id, company_id",
  "member.removed",
  "json_build_object('memberId', id)"
)

const removePasskeys = audited(
  `delete from passkeys p using members m where p.id = any($1::uuid[]) and m.id = p.member_id
   returning p.id, p.member_id, m.company_id`,
  "passkey.removed",
  "json_build_object('memberId', member_id, 'passkeyId', id)"
)

/** The operator's sessions, and those of members who are gone, belong to no company here. */
const endSessions = audited(
  `delete from console_sessions s where s.id = any($1::uuid[])
   returning s.id, s.member_id, (select m.company_id from members m where m.id = s.member_id) as company_id`,
  "session.ended",
  "json_build_object('memberId', member_id, 'sessionId', id)"
)

const revokeTokens = `
with sessions_gone as (
  delete from console_sessions where operator_token_id = any($1::uuid[])
)
update operator_tokens set revoked_at = now(), revoked_by = '${journalActor}'
where id = any($1::uuid[]) and revoked_at is null returning id`

/** How many things were ended. */
export const endAccess = Effect.fnUntraced(function* (lines: ReadonlyArray<JournalLine>) {
  const sql = yield* SqlClient.SqlClient
  const ended = (statement: string, ids: ReadonlyArray<string>) =>
    ids.length === 0 ? Effect.succeed(0) : Effect.map(sql.unsafe(statement, [uuidArray(ids)]), (rows) => rows.length)
  const ends = [
    ended(
      removePasskeys,
      linesOf(lines, "PASSKEY").map(({ passkeyId }) => passkeyId)
    ),
    ended(
      endSessions,
      linesOf(lines, "CONSOLE_SESSION").map(({ sessionId }) => sessionId)
    ),
    ended(
      revokeTokens,
      linesOf(lines, "OPERATOR_TOKEN").map(({ tokenId }) => tokenId)
    ),
    ended(
      removeMembers,
      linesOf(lines, "MEMBER").map(({ memberId }) => memberId)
    )
  ]
  return (yield* Effect.all(ends)).reduce((all, one) => all + one, 0)
})
