/** Customers' sessions in PostgreSQL, by the hash of their secret. `PostgresSignInLinks.ts` opens them. */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { hashSecret } from "../../../actors/kernel/secrets.ts"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { Sessions, type Session } from "../../../actors/customer/Sessions.ts"
import { ListedCustomerSession } from "../../../schema/customer/ListedCustomerSession.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { before } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"
import { CompanyId, CustomerSessionId, JourneyId } from "../../../schema/ids.ts"
import { afterLine, audited, lineParameters } from "../kernel/auditedChange.ts"
import { endedByHolder, endedSession, EndedSessionRow, type EndedSession } from "../kernel/endedSession.ts"
import { makeKnownChange } from "../kernel/knownChange.ts"
import { knownLanguages, languageColumns, languageFields } from "./PostgresCustomerLanguage.ts"
import { makeSecretMarks } from "../kernel/secretMarks.ts"

/** Of the sessions `f`. */
const selectSession = `select f.id, f.journey_id, f.seen_at, f.opened_at, j.company_id, j.livemode, ${languageColumns("c", "o")}
from found f join journeys j on j.id = f.journey_id
  join companies o on o.id = j.company_id left join customers c on c.id = j.customer_id`

const findStatement = `
with found as (
  select s.id, s.secret_hash, s.journey_id, s.seen_at, s.opened_at from customer_sessions s
  where s.secret_hash = $1 and s.seen_at > $3 and s.opened_at > $4
), seen as (
  update customer_sessions s set seen_at = $2 from found
  where s.secret_hash = found.secret_hash and found.seen_at <= $5
)
${selectSession}`

/** Not seen after $2, or not opened after $3. */
const findRunOutStatement = `
with found as (
  select s.id, s.journey_id, s.seen_at, s.opened_at from customer_sessions s
  where s.secret_hash = $1 and (s.seen_at <= $2 or s.opened_at <= $3)
)
${selectSession}`

const SessionRow = rowModel({
  id: column.id(CustomerSessionId),
  journeyId: column.id(JourneyId),
  /** Before this use. */
  seenAt: column.millis,
  openedAt: column.millis,
  companyId: column.id(CompanyId),
  livemode: column.bool,
  ...languageFields
})

const sessionOf = (row: RowOf<typeof SessionRow>, seenAt: number): Session => {
  const { companyId, id, journeyId, livemode, openedAt } = row
  const lastsUntil = openedAt + Duration.toMillis(customerLimits.sessionLifetime)
  return {
    id,
    journeyId,
    scope: { companyId, livemode },
    languages: knownLanguages(row),
    endsAt: Math.min(seenAt + Duration.toMillis(customerLimits.sessionIdleTime), lastsUntil),
    lastsUntil
  }
}

/** No session was seen before: a session that is only looked up keeps its time. */
const longAgo = new Date(0)

/** Sessions that have not ended: seen after $2, opened after $3. A link that belongs to no mail was shown as a QR code. */
const listStatement = `
select s.id, case when l.of_mail is null then 'QR_CODE' else 'MAIL' end as opened_by, s.opened_at, s.seen_at
from customer_sessions s left join sign_in_links l on l.token_hash = s.link_hash
where s.journey_id = $1 and s.seen_at > $2 and s.opened_at > $3
order by s.seen_at desc, s.id limit ${customerLimits.mostSessionsShown}`

const listed = modelColumns(ListedCustomerSession.row)

const endOfStatement = audited(
  `delete from customer_sessions where journey_id = $${afterLine}::uuid and id = $${afterLine + 1}::uuid`
)

const heldSession = "select from customer_sessions where id = $1::uuid for update"
const endedStatement = "select id, link_hash from customer_sessions where journey_id = $1 and id = $2"

const ofSecret = "select id, link_hash from customer_sessions where secret_hash = $1"
const endStatement = "delete from customer_sessions where id = $1"

export const layer = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* makeSecretMarks("customer_sessions")
    const journal = yield* ErasureJournal
    const known = yield* makeKnownChange
    const journaled = (ended: ReadonlyArray<EndedSession>) => journal.append(ended.map(endedSession))
    return Sessions.of({
      find: Effect.fnUntraced(function* (secret, isUse = true) {
        if (!(yield* secrets.mayBeThere(secret))) return null
        const now = yield* Clock.currentTimeMillis
        const written = isUse ? before(now, customerLimits.sessionSeenEvery) : longAgo
        const session = yield* repeatableWrite(
          SessionRow.first(
            sql.unsafe(findStatement, [
              PgTypes.bytea(hashSecret(secret)),
              new Date(now),
              before(now, customerLimits.sessionIdleTime),
              before(now, customerLimits.sessionLifetime),
              written
            ])
          )
        )
        if (session === null) return null
        return sessionOf(session, session.seenAt <= written.getTime() ? now : session.seenAt)
      }),
      findRunOut: Effect.fnUntraced(function* (secret) {
        if (!(yield* secrets.mayBeThere(secret))) return null
        const now = yield* Clock.currentTimeMillis
        const values = [
          PgTypes.bytea(hashSecret(secret)),
          before(now, customerLimits.sessionIdleTime),
          before(now, customerLimits.sessionLifetime)
        ]
        const session = yield* storeRead(SessionRow.first(sql.unsafe(findRunOutStatement, values)))
        return session === null ? null : sessionOf(session, session.seenAt)
      }),
      list: Effect.fnUntraced(function* (journeyId) {
        const now = yield* Clock.currentTimeMillis
        return yield* storeRead(
          listed.all(
            sql.unsafe(listStatement, [
              journeyId,
              before(now, customerLimits.sessionIdleTime),
              before(now, customerLimits.sessionLifetime)
            ])
          )
        )
      }),
      endOf: Effect.fnUntraced(function* (companyId, journeyId, sessionId, line) {
        // What an end of unknown outcome tells the journal: the row tells nothing any more.
        const found = yield* storeRead(EndedSessionRow.all(sql.unsafe(endedStatement, [journeyId, sessionId])))
        const values = [...lineParameters(companyId, line), journeyId, sessionId]
        yield* known({
          companyId,
          line,
          hold: sql.unsafe(heldSession, [sessionId]),
          write: EndedSessionRow.all(sql.unsafe(endOfStatement, values)),
          written: Effect.succeed(found),
          after: journaled
        })
      }),
      end: Effect.fnUntraced(function* (secret) {
        const found = yield* storeRead(EndedSessionRow.all(sql.unsafe(ofSecret, [PgTypes.bytea(hashSecret(secret))])))
        const ending = Effect.forEach(found, ({ id }) => sql.unsafe(endStatement, [id]), { discard: true })
        yield* endedByHolder(ending, journaled(found))
      })
    })
  })
)
