/** How lines of one kind end what the database still has, and how the audit log of a company hears of it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { EndedThing, LineOf } from "../../actors/erasure/EndedThing.ts"
import type { Erasures } from "../../actors/erasure/Erasures.ts"
import type { CommitUnknown, StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import type { Vault } from "../../actors/kernel/Vault.ts"
import { arrayParameter, uuidArray } from "../postgres/parameters.ts"
import { journalActor } from "./journalLine.ts"

/** Ends what is here of the lines; the answer is how many things that were. What has ended already is left as it is. */
export type Ending<What extends EndedThing["what"]> = (
  lines: ReadonlyArray<LineOf<What>>
) => Effect.Effect<number, SqlError | StoreUnavailable | CommitUnknown, SqlClient.SqlClient | Vault | Erasures>

/** The change with its lines of the audit log, for rows that have a company. `beside` are further parts, each with a comma after it. */
export const withLine = (change: string, action: string, details: string, beside = ""): string => `
with changed as (${change}), ${beside} line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, '${journalActor}', '${action}', ${details}, now() from changed where company_id is not null
)
select id from changed`

/** One statement for all lines: it answers with the rows that it ended. */
export const byStatement =
  <What extends EndedThing["what"]>(
    statement: string,
    parameters: (lines: ReadonlyArray<LineOf<What>>) => ReadonlyArray<unknown>
  ): Ending<What> =>
  (lines) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(sql.unsafe(statement, parameters(lines)), (rows) => rows.length)
    )

/** Ends what the lines name, and asks the database nothing when there is no line. */
export const endThose = <What extends EndedThing["what"]>(
  lines: ReadonlyArray<LineOf<What>>,
  ending: Ending<What>
): ReturnType<Ending<What>> => (lines.length === 0 ? Effect.succeed(0) : ending(lines))

/** Kind after kind; the answer is how many things were ended of all kinds. */
export const endEach = <Kind, E, R>(
  kinds: ReadonlyArray<Kind>,
  end: (kind: Kind) => Effect.Effect<number, E, R>
): Effect.Effect<number, E, R> =>
  Effect.map(Effect.forEach(kinds, end), (ended) => ended.reduce((all, one) => all + one, 0))

export const uuidsOf = <Line>(lines: ReadonlyArray<Line>, id: (line: Line) => string) => uuidArray(lines.map(id))

export const bytesOf = <Line>(lines: ReadonlyArray<Line>, hash: (line: Line) => string) =>
  arrayParameter(
    lines.map((line) => Buffer.from(hash(line), "hex")),
    "bytea"
  )

/** When the values of the lines became others. */
export const timesOf = (lines: ReadonlyArray<{ readonly since: number }>) =>
  arrayParameter(
    lines.map(({ since }) => new Date(since)),
    "timestamptz"
  )

/** Holds for a value that is older than the change of the line `t`: the database does not know of the change. */
export const isBefore = (since: string): string => `coalesce(${since}, '-infinity') < t.since`
