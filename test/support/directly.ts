/** Sends statements to a database directly, without the service and its proxies, each on a new connection. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"

export const queryDirectly = async <Row extends object>(
  databaseUrl: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(PgConnection.make({ url: Redacted.make(databaseUrl) }), (connection) =>
        Effect.map(connection.query(text, values), ({ rows }) => rows as unknown as ReadonlyArray<Row>)
      )
    )
  )
