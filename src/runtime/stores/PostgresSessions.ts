/** Customers' sessions in PostgreSQL, by the hash of their secret. That one was used is written once a minute at most. */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hashSecret, isSecret } from "../../actors/customer/secrets.ts"
import { atMostFor, idleFor, Sessions } from "../../actors/customer/Sessions.ts"
import { repeatableWrite } from "../postgres/storeCalls.ts"

/** A video comes in a hundred requests: each of them need not be a write. */
const seenEvery = Duration.minutes(1)

const findStatement = `
with found as (
  select s.secret_hash, s.journey_id, s.seen_at from customer_sessions s
  where s.secret_hash = $1 and s.seen_at > $3 and s.opened_at > $4
), seen as (
  update customer_sessions s set seen_at = $2 from found
  where s.secret_hash = found.secret_hash and found.seen_at <= $5
)
select f.journey_id, j.company_id, j.livemode from found f join journeys j on j.id = f.journey_id`

interface SessionRow {
  readonly journey_id: string
  readonly company_id: string
  readonly livemode: boolean
}

export const layer = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return Sessions.of({
      find: Effect.fnUntraced(function* (secret) {
        if (!isSecret(secret)) return null
        const now = yield* Clock.currentTimeMillis
        const before = (duration: Duration.Duration) => new Date(now - Duration.toMillis(duration))
        const [row] = yield* repeatableWrite(
          sql.unsafe<SessionRow>(findStatement, [
            PgTypes.bytea(hashSecret(secret)),
            new Date(now),
            before(idleFor),
            before(atMostFor),
            before(seenEvery)
          ])
        )
        return row === undefined
          ? null
          : { journeyId: row.journey_id, scope: { companyId: row.company_id, livemode: row.livemode } }
      }),
      end: (secret) =>
        Effect.asVoid(
          repeatableWrite(
            sql.unsafe("delete from customer_sessions where secret_hash = $1", [PgTypes.bytea(hashSecret(secret))])
          )
        )
    })
  })
)
