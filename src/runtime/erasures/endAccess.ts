/**
 * Ends again what people sign in with and may do: members who were removed, owners who became less, passkeys that were taken away,
 * sessions of the console, named tokens of the operator.
 */
import { withLine, byStatement, isBefore, timesOf, uuidsOf } from "./ending.ts"
import { journalActor } from "./journalLine.ts"

/** The last owner too: whoever was removed was no owner any more, and the owner of after the backup is gone with it. */
export const endMembers = byStatement<"MEMBER">(
  withLine(
    "delete from members where id = any($1::uuid[]) returning id, company_id",
    "member.removed",
    "json_build_object('memberId', id)"
  ),
  (lines) => [uuidsOf(lines, ({ memberId }) => memberId)]
)

/** The last owner too, for the same reason. */
export const endOwners = byStatement<"OWNER">(
  withLine(
    `update members m set role = 'TEAM' from unnest($1::uuid[], $2::timestamptz[]) t (id, since)
     where m.id = t.id and m.role = 'OWNER' and ${isBefore("m.role_since")} returning m.id, m.company_id`,
    "member.changed",
    "json_build_object('memberId', id, 'role', 'TEAM')"
  ),
  (lines) => [uuidsOf(lines, ({ memberId }) => memberId), timesOf(lines)]
)

export const endPasskeys = byStatement<"PASSKEY">(
  withLine(
    `delete from passkeys p using members m where p.id = any($1::uuid[]) and m.id = p.member_id
     returning p.id, p.member_id, m.company_id`,
    "passkey.removed",
    "json_build_object('memberId', member_id, 'passkeyId', id)"
  ),
  (lines) => [uuidsOf(lines, ({ passkeyId }) => passkeyId)]
)

/** The operator's sessions, and those of members who are gone, belong to no company here. */
export const endConsoleSessions = byStatement<"CONSOLE_SESSION">(
  withLine(
    `delete from console_sessions s where s.id = any($1::uuid[])
     returning s.id, s.member_id, (select m.company_id from members m where m.id = s.member_id) as company_id`,
    "session.ended",
    "json_build_object('memberId', member_id, 'sessionId', id)"
  ),
  (lines) => [uuidsOf(lines, ({ sessionId }) => sessionId)]
)

export const endOperatorTokens = byStatement<"OPERATOR_TOKEN">(
  `with sessions_gone as (
    delete from console_sessions where operator_token_id = any($1::uuid[])
  )
  update operator_tokens set revoked_at = now(), revoked_by = '${journalActor}'
  where id = any($1::uuid[]) and revoked_at is null returning id`,
  (lines) => [uuidsOf(lines, ({ tokenId }) => tokenId)]
)
