/**
 * Sessions of the console in PostgreSQL, by the hash of their secret. `PostgresConsoleLinks.ts` opens the sessions of members.
 * Member, role and address are read at each request: whoever is removed, or becomes less, is so on the next request to any node.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hashSecret } from "../../../actors/kernel/secrets.ts"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { ConsoleSessions, type ConsoleSession } from "../../../actors/members/ConsoleSessions.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { ChallengePurpose } from "../../../actors/members/Passkeys.ts"
import { OperatorScope } from "../../../schema/installation/OperatorToken.ts"
import { Role } from "../../../schema/members/Role.ts"
import { CompanyId, ConsoleSessionId, MemberId } from "../../../schema/ids.ts"
import { before, uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"
import { Operator } from "../../../http/server/callers/operator.ts"
import { endedByHolder, endedConsoleSessions } from "../kernel/endedSession.ts"
import { holdingMember } from "./heldMember.ts"
import { openedAddress } from "./memberRows.ts"
import { makeOpening } from "../kernel/openedSession.ts"
import { makeSecretMarks } from "../kernel/secretMarks.ts"

/** A session that is not over: seen after $3, opened after $4. */
const isInTime = "s.seen_at > $3 and s.opened_at > $4"
/** The same of the secret $1. */
const isLiving = `s.secret_hash = $1 and ${isInTime}`

const hasPasskey = "exists (select from passkeys p where p.member_id = s.member_id)"

/** The columns of a session `s`, as `whoseSession` finds them: what it looks at, and what its sign-in lacks. */
const companyOfSession = "coalesce(m.company_id, s.company_id)"
/** A passkey that was lost and removed is not shown any more: where the company demands one, another is added. */
const waitsFor = `case
    when s.is_waiting_for_passkey and ${hasPasskey} then 'SHOW'
    when c.passkeys_required and not ${hasPasskey} then 'ADD'
  end`

/** Whose a session `s` is: the member with the company, or the token of the operator while it counts at $2. */
const whoseSession = `left join members m on m.id = s.member_id left join companies c on c.id = m.company_id
  left join operator_tokens t on t.id = s.operator_token_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)`

const findStatement = `
with found as (
  select s.* from console_sessions s where ${isLiving}
), seen as (
  update console_sessions s set seen_at = $2 from found f where s.id = f.id and f.seen_at <= $5
), member_seen as (
  update members m set seen_at = $2 from found f
  where m.id = f.member_id and f.seen_at <= $5 and not f.is_waiting_for_passkey
)
select s.id, s.member_id, ${companyOfSession} as company_id, m.role, m.sealed_email, s.opened_at, s.seen_at,
  ${waitsFor} as waits_for, s.operator_token_id, t.name as token_name,
  t.granted_scopes as token_scopes, t.expires_at as token_ends_at
from found s ${whoseSession}`

/**
 * Those of the sessions $1 that permit something. A member's session never becomes the operator's, and one of a token ends with the token;
 * $5 is the mark of the root token.
 */
const companiesStatement = `
select s.id, ${companyOfSession} as company_id
from console_sessions s ${whoseSession}
where s.id = any($1::uuid[]) and ${isInTime} and ${waitsFor} is null
  and (s.member_id is null or m.id is not null)
  and (s.operator_token_id is null or s.operator_token_id = $5 or t.id is not null)`

const CompanyRow = rowModel({ id: column.id(ConsoleSessionId), companyId: column.orNull(column.id(CompanyId)) })

const SessionRow = rowModel({
  id: column.id(ConsoleSessionId),
  memberId: column.orNull(column.id(MemberId)),
  companyId: column.orNull(column.id(CompanyId)),
  role: column.orNull(column.oneOf(Role)),
  sealedEmail: column.orNull(column.bytes),
  waitsFor: column.orNull(column.oneOf(ChallengePurpose)),
  openedAt: column.millis,
  /** Before this use. */
  seenAt: column.millis,
  operatorTokenId: column.orNull(column.text),
  tokenName: column.orNull(column.text),
  tokenScopes: column.orNull(column.listOf(column.oneOf(OperatorScope))),
  tokenEndsAt: column.orNull(column.millis)
})

/** No session was seen before: a session that is only looked up keeps its time. */
const longAgo = new Date(0)

/** `seenAt`: after this use. */
const endOf = ({ openedAt, tokenEndsAt }: RowOf<typeof SessionRow>, seenAt: number) => {
  const atLast = openedAt + Duration.toMillis(memberLimits.sessionLifetime)
  const lastsUntil = Math.min(atLast, tokenEndsAt ?? atLast)
  return { endsAt: Math.min(seenAt + Duration.toMillis(memberLimits.sessionIdleTime), lastsUntil), lastsUntil }
}

const IdRow = rowModel({ id: column.id(ConsoleSessionId) })
const idStatement = "select id from console_sessions where secret_hash = $1"
const endStatement = "delete from console_sessions where id = $1"

const ofToken = (parameter: string) => `s.member_id is null and s.operator_token_id = ${parameter}::uuid`

const openForOperatorStatement = `
with living as (
  select s.id, row_number() over (order by s.opened_at desc, s.id desc) as place from console_sessions s
  where ${ofToken("$4")} and s.seen_at > $5 and s.opened_at > $6
), ended as (
  delete from console_sessions s using living where s.id = living.id and living.place >= ${memberLimits.mostOperatorSessions}
  returning s.id
), opened as (
  insert into console_sessions (id, secret_hash, opened_at, seen_at, operator_token_id, is_marked) values ($1, $2, $3, $3, $4, true)
  on conflict (id) do nothing
)
select array(select id::text from ended) as ended`

/** The operator's sessions of the token $1, which may end when another opens. */
const besideStatement = `select s.id from console_sessions s where ${ofToken("$1")}`

/** One row when there is a session $1, with those of $2 that are there no more. */
const openedForOperatorStatement = `
select array(
  select e.id::text from unnest($2::uuid[]) e (id) where not exists (select from console_sessions o where o.id = e.id)
) as ended
from console_sessions s where s.id = $1`

const EndedRow = rowModel({ ended: column.listOf(column.text) })

/** The operator may look at any company ($5), a member at the companies of the member's own address. */
const chooseStatement = `
with found as (
  select s.id, s.member_id, s.is_waiting_for_passkey from console_sessions s where ${isLiving}
), target as (
  select f.id, null::uuid as member_id, $5::uuid as company_id, false as waits from found f
  where f.member_id is null and ($5::uuid is null or exists (select from companies c where c.id = $5::uuid))
  union all
  select f.id, n.id, null, case when n.id = f.member_id then f.is_waiting_for_passkey
    else exists (select from passkeys p where p.member_id = n.id) end
  from found f join members m on m.id = f.member_id
    join members n on n.address_index = m.address_index and n.company_id = $5::uuid
)
update console_sessions s
set member_id = t.member_id, company_id = t.company_id, is_waiting_for_passkey = t.waits, seen_at = $2
from target t where s.id = t.id returning s.id`

/** The member as whom a session of the secret $1 would look at the company $2. */
const ofChoice = `m.company_id = $2::uuid and m.address_index = (
  select o.address_index from console_sessions s join members o on o.id = s.member_id where s.secret_hash = $1)`

/** The parameters of `isInTime`; $2 is the time now. */
const inTime = (now: number) =>
  [new Date(now), before(now, memberLimits.sessionIdleTime), before(now, memberLimits.sessionLifetime)] as const

/** The parameters of `isLiving`. */
const living = (secret: string, now: number) => [PgTypes.bytea(hashSecret(secret)), ...inTime(now)]

/**
 * Stands beside the sessions of the root token as the id of a named token does, so that another `OPERATOR_TOKEN` ends them. Sessions
 * that a node of before opened have no mark; they end by their age.
 */
export const rootMarkOf = (vault: Vault["Service"], { tokenHash }: Operator["Service"]): string =>
  derivedId(vault, "root token", Buffer.from(tokenHash).toString("base64"))

export const layer = Layer.effect(
  ConsoleSessions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const secrets = yield* makeSecretMarks("console_sessions")
    const journal = yield* ErasureJournal
    const opening = yield* makeOpening
    const rootMark = rootMarkOf(vault, yield* Operator)

    const sessionOf = Effect.fnUntraced(function* (row: RowOf<typeof SessionRow>, seenAt: number) {
      const { companyId, memberId, operatorTokenId, role, sealedEmail, tokenName, tokenScopes } = row
      const id = operatorTokenId === rootMark ? null : operatorTokenId
      // The token was revoked, or has ended: so has what it opened.
      if (id !== null && (tokenName === null || tokenScopes === null)) return null
      // A member's session never becomes the operator's, whatever of the member is missing.
      if (memberId !== null && (companyId === null || role === null || sealedEmail === null)) return null
      const who: ConsoleSession["who"] =
        memberId === null || companyId === null || role === null || sealedEmail === null
          ? {
              _tag: "Operator",
              token:
                id === null || tokenName === null || tokenScopes === null
                  ? null
                  : { id, name: tokenName, scopes: tokenScopes }
            }
          : {
              _tag: "Member",
              sessionId: row.id,
              memberId,
              companyId,
              role,
              email: yield* openedAddress(vault, memberId, sealedEmail),
              signedInAt: row.openedAt
            }
      return { id: row.id, waitsFor: row.waitsFor, who, company: companyId, ...endOf(row, seenAt) }
    })

    return ConsoleSessions.of({
      find: Effect.fnUntraced(function* (secret, isUse = true) {
        if (!(yield* secrets.mayBeThere(secret))) return null
        const now = yield* Clock.currentTimeMillis
        const seenBefore = isUse ? before(now, memberLimits.sessionSeenEvery) : longAgo
        const row = yield* repeatableWrite(
          SessionRow.first(sql.unsafe(findStatement, [...living(secret, now), seenBefore]))
        )
        if (row === null) return null
        return yield* sessionOf(row, row.seenAt <= seenBefore.getTime() ? now : row.seenAt)
      }),
      companies: Effect.fnUntraced(function* (sessionIds) {
        const values = [sessionIds, ...inTime(yield* Clock.currentTimeMillis), rootMark]
        const rows = yield* storeRead(CompanyRow.all(sql.unsafe(companiesStatement, values)))
        return new Map(rows.map(({ companyId, id }) => [id, companyId]))
      }),
      end: Effect.fnUntraced(function* (secret) {
        const session = yield* storeRead(IdRow.first(sql.unsafe(idStatement, [PgTypes.bytea(hashSecret(secret))])))
        if (session === null) return
        yield* endedByHolder(sql.unsafe(endStatement, [session.id]), journal.append(endedConsoleSessions([session.id])))
      }),
      openForOperator: Effect.fnUntraced(function* (tokenId) {
        const secret = secrets.next()
        const now = yield* Clock.currentTimeMillis
        const [hash, at, seenAfter, openedAfter] = living(secret, now)
        const id = ids.next()
        const ofWhich = tokenId ?? rootMark
        const values = [id, hash, at, ofWhich, seenAfter, openedAfter]
        const beside = yield* storeRead(IdRow.all(sql.unsafe(besideStatement, [ofWhich])))
        const besideIds = uuidArray(beside.map((one) => one.id))
        yield* opening({
          open: EndedRow.first(sql.unsafe(openForOperatorStatement, values)),
          opened: EndedRow.first(sql.unsafe(openedForOperatorStatement, [id, besideIds])),
          ended: ({ ended }) => endedConsoleSessions(ended)
        })
        return secret
      }),
      choose: Effect.fnUntraced(function* (secret, companyId) {
        if (!(yield* secrets.mayBeThere(secret))) return false
        const isOf = living(secret, yield* Clock.currentTimeMillis)
        const change = sql.unsafe(chooseStatement, [...isOf, companyId])
        const values = [isOf[0], companyId]
        const chosen = yield* repeatableWrite(holdingMember(sql, { of: ofChoice, values, change }))
        return chosen.length > 0
      })
    })
  })
)
