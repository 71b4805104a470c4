/** Sends statements to a database directly, without the service and its proxies, on a connection of their own. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"

export type Query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** Many statements, one after the other, on one connection. */
export const directly = <A>(databaseUrl: string, work: (query: Query) => Promise<A>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(PgConnection.make({ url: Redacted.make(databaseUrl) }), (connection) =>
        Effect.promise(() =>
          work(async <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) => {
            const { rows } = await Effect.runPromise(connection.query(text, values))
            return rows as unknown as ReadonlyArray<Row>
          })
        )
      )
    )
  )

/** One statement. */
export const queryDirectly = <Row extends object>(
  databaseUrl: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Row>> => directly(databaseUrl, (query) => query<Row>(text, values))
