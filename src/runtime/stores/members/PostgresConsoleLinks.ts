/**
 * One-time links to the console in PostgreSQL. A token is random, and the table keeps a hash of it. A mail that is sent twice has two
 * links: both are open until one is spent, and both are spent with it. A link is open while it is unspent, in time and of the newest mail
 * to its address. Spending the link and opening its session are one statement, which also ends the oldest sessions of a person who has too
 * many. It holds the members of the address: whether the session waits for a passkey is decided after a passkey that is just added.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hashSecret } from "../../../actors/kernel/secrets.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { MemberId } from "../../../schema/ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { ConsoleLinks } from "../../../actors/members/ConsoleLinks.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Role } from "../../../schema/members/Role.ts"
import { timestamp } from "../../../schema/moment.ts"
import { before, uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"
import { addressIndex, openedAddress } from "./memberRows.ts"
import { endedConsoleSessions } from "../kernel/endedSession.ts"
import { holdingMember } from "./heldMember.ts"
import { firstLinkOf } from "../kernel/firstLinkOf.ts"
import { makeOpening } from "../kernel/openedSession.ts"
import { makeSecretMarks } from "../kernel/secretMarks.ts"
import { spentLinks } from "../kernel/spentLinks.ts"

/** Of several memberships of an address, the one that was used last. */
const lastUsed = "order by m.seen_at desc nulls last, m.invited_at desc, m.id limit 1"

/** A mail to whoever has the address $2, unless the address was mailed $6 links since $5. */
const mailStatement = `
insert into mails (id, cause, kind, company_id, facts, created_at, due_at, traceparent)
select $1::uuid, 'sign-in|' || $1::uuid, 'SIGN_IN', p.company_id, json_build_object('memberId', p.id, 'askedAt', $7::text), $3, $4, $8
from (select m.id, m.company_id from members m where m.address_index = $2 ${lastUsed}) p
where (select count(*) from console_links l where l.address_index = $2 and l.issued_at > $5) < $6`

// The link of a mail that is tried again is as old as the first, and spent if that one is; its life begins again, because it is read
// later.
const issueStatement = `
with issued as (
  insert into console_links (token_hash, mail_id, of_mail, address_index, issued_at, expires_at, used_at, is_marked)
  select $1, $6, $2, m.address_index, coalesce(o.issued_at, $4), $5, o.used_at, true from members m
    cross join lateral (${firstLinkOf("console_links", "$2")}) o where m.id = $3
  on conflict (token_hash) do nothing
)
select m.sealed_email, m.role from members m where m.id = $3`

const AddresseeRow = rowModel({ sealedEmail: column.bytes, role: column.oneOf(Role) })

const isOpen = `
  l.token_hash = $1 and l.used_at is null and l.expires_at > $2 and not exists (
    select from console_links u where u.of_mail = l.of_mail and u.used_at is not null
  ) and not exists (
    select from console_links n where n.address_index = l.address_index and coalesce(n.of_mail, n.mail_id) <> coalesce(l.of_mail, l.mail_id)
      and (n.issued_at, n.token_hash) > (l.issued_at, l.token_hash))`

const lookStatement = `select from console_links l where ${isOpen} and exists (
  select from members m where m.address_index = l.address_index)`

const ofLink = "m.address_index = (select l.address_index from console_links l where l.token_hash = $1)"

const signInStatement = `
with ${spentLinks("console_links", `select l.token_hash, l.of_mail from console_links l where ${isOpen}`)}, person as (
  select m.id, exists (select from passkeys p where p.member_id = m.id) as waits
  from members m join spent on m.address_index = spent.address_index ${lastUsed}
), opened as (
  insert into console_sessions (id, secret_hash, link_hash, member_id, is_waiting_for_passkey, browser, opened_at, seen_at, is_marked)
  select $3, $4, spent.token_hash, person.id, person.waits, $5, $2, $2, true from spent, person
  returning member_id, is_waiting_for_passkey
), seen as (
  update members m set seen_at = $2 from opened o where m.id = o.member_id and not o.is_waiting_for_passkey
), living as (
  select s.id, row_number() over (order by s.opened_at desc, s.id desc) as place
  from spent join members m on m.address_index = spent.address_index join console_sessions s on s.member_id = m.id
  where s.seen_at > $6 and s.opened_at > $7 and s.secret_hash is distinct from $8
), ended as (
  delete from console_sessions s using living where s.id = living.id and living.place >= ${memberLimits.mostSessions} returning s.id
)
select member_id, is_waiting_for_passkey, array(select id::text from ended) as ended,
  (select count(*)::int from members m join spent on m.address_index = spent.address_index) as companies
from opened`

/** The sessions of the link's address, which may end with a sign-in. */
const besideStatement = `
select s.id::text from console_sessions s join members m on m.id = s.member_id where ${ofLink}`

const BesideRow = rowModel({ id: column.text })

/** The session of the secret $1, with those of $2 that are there no more. */
const openedStatement = `
select s.member_id, s.is_waiting_for_passkey, array(
    select e.id::text from unnest($2::uuid[]) e (id) where not exists (select from console_sessions o where o.id = e.id)
  ) as ended,
  (select count(*)::int from members n where n.address_index = m.address_index) as companies
from console_sessions s join members m on m.id = s.member_id where s.secret_hash = $1`

const OpenedRow = rowModel({
  memberId: column.id(MemberId),
  isWaitingForPasskey: column.bool,
  companies: column.number,
  ended: column.listOf(column.text)
})

const hashed = (secret: string) => PgTypes.bytea(hashSecret(secret))
const after = (now: number, duration: Duration.Duration) => new Date(now + Duration.toMillis(duration))

export const layer = Layer.effect(
  ConsoleLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const links = yield* makeSecretMarks("console_links")
    const sessions = yield* makeSecretMarks("console_sessions")
    const opening = yield* makeOpening

    return ConsoleLinks.of({
      mail: Effect.fnUntraced(function* (email) {
        const now = yield* Clock.currentTimeMillis
        yield* repeatableWrite(
          sql.unsafe(mailStatement, [
            ids.next(),
            addressIndex(vault, email),
            new Date(now),
            before(now, memberLimits.signInMailAhead),
            before(now, memberLimits.linksCountedFor),
            memberLimits.mostLinks,
            timestamp(now),
            yield* currentTraceparent
          ])
        )
      }),
      issue: Effect.fnUntraced(function* ({ lifetime, mailId, memberId }) {
        const token = links.next()
        const now = yield* Clock.currentTimeMillis
        const values = [hashed(token), mailId, memberId, new Date(now), after(now, lifetime), ids.next()]
        const addressee = yield* repeatableWrite(AddresseeRow.first(sql.unsafe(issueStatement, values)))
        if (addressee === null) return null
        return { token, email: yield* openedAddress(vault, memberId, addressee.sealedEmail), role: addressee.role }
      }),
      isOpen: Effect.fnUntraced(function* (token) {
        if (!(yield* links.mayBeThere(token))) return false
        const now = yield* Clock.currentTimeMillis
        return (yield* storeRead(sql.unsafe(lookStatement, [hashed(token), new Date(now)]))).length > 0
      }),
      signIn: Effect.fnUntraced(function* (token, browser, left) {
        if (!(yield* links.mayBeThere(token))) return null
        const now = yield* Clock.currentTimeMillis
        const secret = sessions.next()
        const beside = yield* storeRead(BesideRow.all(sql.unsafe(besideStatement, [hashed(token)])))
        const besideIds = uuidArray(beside.map(({ id }) => id))
        const row = yield* opening({
          open: holdingMember(sql, {
            of: ofLink,
            values: [hashed(token)],
            change: OpenedRow.first(
              sql.unsafe(signInStatement, [
                hashed(token),
                new Date(now),
                ids.next(),
                hashed(secret),
                browser,
                before(now, memberLimits.sessionIdleTime),
                before(now, memberLimits.sessionLifetime),
                left === null ? null : hashed(left)
              ])
            )
          }),
          opened: OpenedRow.first(sql.unsafe(openedStatement, [hashed(secret), besideIds])),
          ended: ({ ended }) => endedConsoleSessions(ended)
        })
        if (row === null) return null
        const { ended: _, ...opened } = row
        return { secret, ...opened }
      })
    })
  })
)
