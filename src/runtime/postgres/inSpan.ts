/** The lines of a span of time, as conditions on the column `at` of a list. */
import type { SqlClient } from "effect/sql"
import type { TimeSpan } from "../../schema/page.ts"

export const inSpan = (sql: SqlClient.SqlClient, { since, until }: TimeSpan) => [
  ...(since === null ? [] : [sql`at >= ${new Date(since)}`]),
  ...(until === null ? [] : [sql`at < ${new Date(until)}`])
]
