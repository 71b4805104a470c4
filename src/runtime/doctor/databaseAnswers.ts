/** What the database of an installation says about itself: whether it may be used, by which role, and what time it has. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import { Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Reactivity from "effect/reactivity/Reactivity"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import { complaint, lookAtDatabase, placeOf } from "../postgres/Database.ts"
import { databaseMillis, withClockAhead } from "../postgres/databaseClock.ts"
import { databaseLimits } from "../postgres/limits.ts"
import { pool } from "../postgres/pool.ts"
import { column, rowModel } from "../postgres/rows.ts"
import type { GivenSettings } from "../settings/Settings.ts"
import { keyAnswers } from "./keyAnswers.ts"
import { migrationAnswer } from "./migrationAnswer.ts"

const ClockRow = rowModel({ millis: column.number })

const clock = Effect.fnUntraced(function* (client: PgClient.PgClient) {
  const row = yield* withClockAhead(ClockRow.first(client.unsafe(`select ${databaseMillis} as millis`)))
  const ahead = Math.round(row?.ahead ?? 0)
  const apart = Math.abs(ahead)
  if (apart <= Duration.toMillis(databaseLimits.mostClockSkew)) {
    return well("clock", `the clocks of this machine and the database are ${apart} ms apart`)
  }
  const where = ahead > 0 ? "ahead of" : "behind"
  return wrong(
    "clock",
    `the clock of the database is ${apart} ms ${where} this machine's`,
    "keep both in time with NTP"
  )
})

/** The embedded database is started by the service, which checks it each time. */
export const databaseAnswers = (
  settings: GivenSettings,
  encryptionKey: Redacted.Redacted<Uint8Array> | undefined
): Effect.Effect<ReadonlyArray<Finding>> => {
  const { databaseUrl, retiredEncryptionKeys } = settings
  const given =
    encryptionKey === undefined ? [] : [Redacted.value(encryptionKey), ...Redacted.value(retiredEncryptionKeys)]
  if (databaseUrl === undefined) return Effect.succeed([well("database", "it is embedded, and the service checks it")])
  return pool(databaseUrl).pipe(
    Effect.flatMap((client) =>
      Effect.all([
        lookAtDatabase(client, settings),
        Effect.map(clock(client), (one) => [one]),
        Effect.map(Effect.provideService(migrationAnswer, SqlClient.SqlClient, client), (one) => [one]),
        // Without a key the settings are wrong, and say so.
        given.length === 0
          ? Effect.succeed([])
          : Effect.map(Effect.provideService(keyAnswers(given), SqlClient.SqlClient, client), (one) => [one])
      ])
    ),
    Effect.map((found) => [well("database", `${placeOf(databaseUrl)} answers`), ...found.flat()]),
    Effect.catch((error) =>
      Effect.succeed([
        wrong(
          "database",
          `${placeOf(databaseUrl)} ${complaint(error)}`,
          "see whether PostgreSQL runs there, takes this role, and offers TLS if sslmode asks for it"
        )
      ])
    ),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )
}
