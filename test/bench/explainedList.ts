/** How PostgreSQL reads its tables for each statement of the list of journeys: what it scans from end to end, and for how long. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { arrayParameter, bytesOrNull } from "../../src/runtime/postgres/parameters.ts"
import * as statements from "../../src/runtime/stores/journey/journeyListStatements.ts"
import { waitingOn } from "../../src/schema/journey/steps.ts"
import { JourneyType } from "../../src/schema/journey/statuses.ts"

const size = 21

export const explainList = (databaseUrl: string, companyId: string, deep: string): Promise<void> => {
  const hash = new Uint8Array(32)
  const filters = [arrayParameter([...waitingOn], "text"), arrayParameter(JourneyType.literals, "text")]
  const all: Readonly<Record<string, readonly [text: string, parameters: ReadonlyArray<unknown>]>> = {
    "all journeys": [statements.allStatement, []],
    "with filters": [statements.filteredStatement, filters],
    "search by id": [statements.idStatement, [...filters, deep, deep]],
    "search by email": [statements.emailStatement, [...filters, bytesOrNull(hash)]],
    "search by reference": [statements.referenceStatement, [...filters, "deal-7"]],
    "search by registration": [statements.textStatement, [...filters, "AB12", arrayParameter([hash, hash], "bytea")]]
  }
  const explaining = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    console.log(`\n${"statement".padEnd(30)}${"ms".padStart(8)}  scanned from end to end`)
    for (const [name, [text, parameters]] of Object.entries(all)) {
      const plan = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`explain (analyze, costs off) ${text}`, [
        companyId,
        arrayParameter([true, false], "bool"),
        "infinity",
        deep,
        "infinity",
        size,
        "-infinity",
        ...parameters
      ])
      const lines = plan.map((row) => row["QUERY PLAN"])
      const scans = lines.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? [])
      const took = /Execution Time: ([\d.]+)/.exec(lines.at(-1) ?? "")?.[1] ?? "?"
      console.log(`${name.padEnd(30)}${took.padStart(8)}  ${scans.length === 0 ? "nothing" : scans.join(", ")}`)
      if (process.env["BENCH_PLANS"] !== undefined) console.log(lines.join("\n"))
    }
  })
  return Effect.runPromise(Effect.provide(explaining, PgClient.layer({ url: Redacted.make(databaseUrl) })))
}
