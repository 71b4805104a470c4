/** Rows that go because of their age: each kind is found by an index, on the tables as the migrations make them. */
import { Duration } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { customerLimits } from "../../../src/actors/customer/limits.ts"
import { memberLimits } from "../../../src/actors/members/limits.ts"
import { agedRows, removeAgedStatement } from "../../../src/runtime/work/agedRows.ts"
import { queryDirectly } from "../../support/directly.ts"
import { startService, type Service } from "../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

it.each(agedRows.map((rows) => [rows.what, rows] as const))(
  "%s are found by an index on their age",
  async (_, rows) => {
    const first = await queryDirectly<{ readonly name: string }>(
      service.databaseUrl,
      `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid = $1::regclass and i.indpred is null`,
      [rows.table]
    )
    expect(first.map(({ name }) => name)).toContain(rows.at)
    expect(await queryDirectly(service.databaseUrl, removeAgedStatement(rows), [new Date(0)])).toEqual([])
  }
)

it("removes what is older than its days and keeps the rest, of a table that has no id", async () => {
  await service.query(
    "insert into mail_hours (company_id, hour) select gen_random_uuid(), h from unnest($1::timestamptz[]) h",
    ["{2020-01-01T10:00Z,2020-01-01T12:00Z}"]
  )
  const rows = agedRows.find(({ table }) => table === "mail_hours")
  const removed = await queryDirectly(service.databaseUrl, removeAgedStatement(rows!), [new Date("2020-01-01T11:00Z")])
  expect(removed).toEqual([{ hour: new Date("2020-01-01T10:00Z") }])
})

it.each([
  ["customer_sessions", customerLimits.sessionLifetime],
  ["console_sessions", memberLimits.sessionLifetime]
] as const)("rows of %s stay for as long as a session that is used may last", (table, lifetime) => {
  const rows = agedRows.find((one) => one.table === table)
  expect(Duration.toMillis(rows!.keptFor)).toBeGreaterThanOrEqual(Duration.toMillis(lifetime))
})
