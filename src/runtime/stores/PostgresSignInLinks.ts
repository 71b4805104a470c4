/**
 * One-time links in PostgreSQL. A token is a keyed hash of its mail's id, so a mail that is sent twice has one link and
 * nobody without the key can make one; what is stored is its hash. A link is open while it is unspent, in time, the
 * newest of its step, and its journey runs; spending it and opening its session are one statement.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { CustomerStep } from "../../schema/journey/steps.ts"
import { hashSecret, isSecret, newSecret, secretOf } from "../../actors/customer/secrets.ts"
import { atMostFor } from "../../actors/customer/Sessions.ts"
import { linkLifetime, SignInLinks, type LinkMail, type LinkState } from "../../actors/customer/SignInLinks.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { column } from "../postgres/columns.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import { isRefusal } from "../postgres/sqlFailure.ts"
import { repeatableWrite, storeRead } from "../postgres/storeCalls.ts"
import { tooManyWaiting, withStatementTimeout } from "../postgres/timeouts.ts"

const open = (now: string) => `
  l.used_at is null and l.expires_at > ${now} and not exists (
    select from sign_in_links n where n.journey_id = l.journey_id and n.step = l.step
      and (n.issued_at, n.token_hash) > (l.issued_at, l.token_hash))`

// A mail that is tried again is read later: its link lives on from there.
const issueStatement = `
insert into sign_in_links as old (token_hash, mail_id, journey_id, step, issued_at, expires_at)
select * from unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[])
on conflict (mail_id) do update set expires_at = excluded.expires_at where old.used_at is null`

const lookStatement = `
select l.journey_id, l.step, c.name as company_name, j.status <> 'ACTIVE' as is_closed, ${open("$2")} as is_open
from sign_in_links l join journeys j on j.id = l.journey_id join companies c on c.id = j.company_id
where l.token_hash = $1`

const signInStatement = `
with spent as (
  update sign_in_links l set used_at = $2 from journeys j
  where l.token_hash = $1 and j.id = l.journey_id and j.status = 'ACTIVE' and ${open("$2")}
  returning l.token_hash, l.journey_id
), over as (
  delete from customer_sessions s using spent where s.journey_id = spent.journey_id and s.opened_at <= $4
)
insert into customer_sessions (secret_hash, link_hash, journey_id, opened_at, seen_at)
select $3, token_hash, journey_id, $2, $2 from spent
returning journey_id`

interface Issued extends LinkMail {
  readonly token: string
  readonly now: number
  readonly expires: number
}

/** Links that are issued by one statement at most. */
const largestWrite = 64

interface LinkRow {
  readonly journey_id: string
  readonly step: CustomerStep
  readonly company_name: string
  readonly is_closed: boolean
  readonly is_open: boolean
}

const stateOf = (row: LinkRow | undefined): LinkState => {
  if (row === undefined) return { _tag: "UNKNOWN" }
  if (row.is_closed) return { _tag: "CLOSED" }
  const { company_name: companyName, journey_id: journeyId, step } = row
  return row.is_open ? { _tag: "OPEN", journeyId, step, companyName } : { _tag: "ENDED", journeyId }
}

const { OID } = PgTypes

const hashed = (token: string) => PgTypes.bytea(hashSecret(token))

export const layer = Layer.effect(
  SignInLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const issue = yield* makeBatcher({
      name: "SignInLinks.issue",
      fibers: 1,
      largestBatch: largestWrite,
      isRefusal,
      full: tooManyWaiting,
      keyOf: ({ mailId }: Issued) => mailId,
      run: (links: ReadonlyArray<Issued>) =>
        Effect.as(
          withStatementTimeout(
            sql.unsafe(issueStatement, [
              column(links, OID.bytea, ({ token }) => hashSecret(token)),
              column(links, OID.uuid, ({ mailId }) => mailId),
              column(links, OID.uuid, ({ journeyId }) => journeyId),
              column(links, OID.text, ({ step }) => step),
              column(links, OID.timestamptz, ({ now }) => new Date(now)),
              column(links, OID.timestamptz, ({ expires }) => new Date(expires))
            ])
          ),
          links.map(() => undefined)
        )
    })

    return SignInLinks.of({
      issue: Effect.fnUntraced(function* ({ journeyId, mailId, step }) {
        const token = secretOf(vault.index("link", mailId))
        const now = yield* Clock.currentTimeMillis
        const expires = now + Duration.toMillis(linkLifetime)
        yield* repeatableWrite(issue({ token, mailId, journeyId, step, now, expires }))
        return token
      }),
      look: Effect.fnUntraced(function* (token) {
        if (!isSecret(token)) return { _tag: "UNKNOWN" }
        const now = yield* Clock.currentTimeMillis
        const [row] = yield* storeRead(sql.unsafe<LinkRow>(lookStatement, [hashed(token), new Date(now)]))
        return stateOf(row)
      }),
      signIn: Effect.fnUntraced(function* (token) {
        if (!isSecret(token)) return null
        const now = yield* Clock.currentTimeMillis
        const secret = newSecret()
        const tooOld = now - Duration.toMillis(atMostFor)
        const [row] = yield* repeatableWrite(
          sql.unsafe<Pick<LinkRow, "journey_id">>(signInStatement, [
            hashed(token),
            new Date(now),
            hashed(secret),
            new Date(tooOld)
          ])
        )
        return row === undefined ? null : { secret, journeyId: row.journey_id }
      })
    })
  })
)
