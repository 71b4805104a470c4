/** The months of the tables that only grow: rows stand in their month, months are made ahead, and empty ones that are over leave. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { dropEmptyMonthStatement, makeMonthsStatement, monthTables } from "../../../src/runtime/postgres/months.ts"
import { nextId } from "../../../src/runtime/node/NodeIds.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { directly, type Query } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let service: Service
let receiver: Receiver
let company: TestCompany
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
  receiver = await startReceiver()
  company = await makeCompany(service, { credits: 5 })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

const metrics = async (): Promise<string> =>
  (await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })).text()

/** It looks as soon as it starts. */
const startAgain = async () => {
  await service.stop()
  service = await startService({ DATABASE_URL: service.databaseUrl, WEBHOOK_ALLOW_INSECURE: "true" })
}

/** The month so many months after this one, as its part is named. */
const monthNamed = (later: number): string => {
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later))
  return month.toISOString().slice(0, 7).replace("-", "_")
}

/** In the middle of the month so many months after this one. */
const within = (later: number): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 15))
}

const idAt = (at: Date): string => {
  const digits = at.getTime().toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUUID().slice(15)}`
}

const partsOf = async (table: string): Promise<ReadonlyArray<string>> =>
  (
    await service.query<{ readonly part: string }>(
      "select part from month_parts where whole = $1 order by after_last",
      [table]
    )
  ).map(({ part }) => part)

const writeLine = (journeyId: string) =>
  service.query(
    `insert into journal (journey_id, version, message_id, sender, message, at) values ($1, 1, $2, 'test', '{}', now())`,
    [journeyId, nextId()]
  )

const partOfJourney = async (journeyId: string): Promise<ReadonlyArray<string>> =>
  (
    await service.query<{ readonly part: string }>(
      "select tableoid::regclass::text as part from journal where journey_id = $1",
      [journeyId]
    )
  ).map(({ part }) => part)

/** A month that was made long ago, as a table has it that is older than this test. */
const addOldMonth = async (table: string, later: number): Promise<string> => {
  const part = `${table}_${monthNamed(later)}`
  await service.query(`create table ${part} (like ${table}_other including all)`)
  const [bounds] = await service.query<{ readonly from: string; readonly to: string }>(
    "select first_id_at(month_from($1::timestamptz, 0)) as from, first_id_at(month_from($1::timestamptz, 1)) as to",
    [within(later)]
  )
  await service.query(
    `alter table ${table} attach partition ${part} for values from ('${bounds?.from}') to ('${bounds?.to}')`
  )
  return part
}

it("the rows of a journey, its events and their attempts stand in the month of their ids", async () => {
  await askSettings(service, `/companies/${company.id}/webhook-endpoints/test`, {
    method: "PUT",
    body: { url: receiver.url }
  })
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const parts = await eventually(
    () =>
      service.query<{ readonly part: string }>(
        `select distinct part from (
           select tableoid::regclass::text as part from journal where journey_id = $1
           union all select tableoid::regclass::text from events where journey_id = $1
           union all select a.tableoid::regclass::text from attempts a join events e on e.id = a.event_id where e.journey_id = $1
         ) t order by part`,
        [data.id]
      ),
    (found) => found.length === monthTables.length
  )
  expect(parts.map(({ part }) => part)).toEqual(monthTables.map((table) => `${table}_${monthNamed(0)}`).toSorted())
})

it("months that are missing are made when a node starts, two ahead, and the metric counts them", async () => {
  for (const later of [1, 2]) await service.query(`drop table events_${monthNamed(later)}`)
  await eventually(metrics, (text) => /^journeys_months_ahead 0$/m.test(text), 40_000)
  await startAgain()
  await eventually(
    () => partsOf("events"),
    (parts) => parts.includes(`events_${monthNamed(2)}`)
  )
  expect(await partsOf("events")).toEqual([0, 1, 2].map((later) => `events_${monthNamed(later)}`))
  await eventually(metrics, (text) => /^journeys_months_ahead 2$/m.test(text), 40_000)
}, 100_000)

it("a month that is over is taken away when it is empty, and stays with one row; the last month stays in any case", async () => {
  const [empty, full, last] = await Promise.all([-4, -3, -1].map((later) => addOldMonth("journal", later)))
  const old = idAt(within(-3))
  await writeLine(old)
  await startAgain()
  await eventually(
    () => partsOf("journal"),
    (parts) => !parts.includes(empty ?? "")
  )
  const kept = await partsOf("journal")
  expect([kept.includes(full ?? ""), kept.includes(last ?? "")]).toEqual([true, true])
  expect(await partOfJourney(old)).toEqual([full])

  // Once its row is deleted it goes as well, and what comes for it later finds a place.
  await service.query("delete from journal where journey_id = $1", [old])
  // The node may be at it in this moment, and whoever finds a lock taken gives way.
  const dropped = () => service.query(dropEmptyMonthStatement, ["journal", new Date()]).catch(() => [])
  await eventually(
    () => dropped().then(() => partsOf("journal")),
    (parts) => !parts.includes(full ?? "")
  )
  await writeLine(old)
  expect(await partOfJourney(old)).toEqual(["journal_other"])
})

it("an id that has no time of ours finds a place, and is found there", async () => {
  const foreign = "ffffffff-0000-4000-8000-000000000001"
  await writeLine(foreign)
  expect(await partOfJourney(foreign)).toEqual(["journal_other"])
  await expect(writeLine(foreign)).rejects.toMatchObject({ reason: { _tag: "UniqueViolation" } })
})

it("a month whose rows came before it was made is left to them, and the month after it is made", async () => {
  const early = idAt(within(3))
  await writeLine(early)
  expect(await service.query(makeMonthsStatement, ["journal", within(2)])).toEqual([{ made: 1 }])
  expect(await partOfJourney(early)).toEqual(["journal_other"])
  expect(await partsOf("journal")).not.toContain(`journal_${monthNamed(3)}`)
  expect(await partsOf("journal")).toContain(`journal_${monthNamed(4)}`)
})

const makeOne = (query: Query) => query(makeMonthsStatement, ["attempts", within(1)])

it("whoever makes a month while a long read is under way gives way at once, and makes it afterwards", async () => {
  await directly(service.databaseUrl, async (reading) => {
    await reading("begin")
    await reading("select count(*) from attempts")
    await directly(service.databaseUrl, async (query) => {
      await query("set statement_timeout = '2s'")
      await expect(makeOne(query)).rejects.toMatchObject({ reason: { _tag: "LockTimeoutError" } })
      expect(await query("select count(*) from attempts")).toHaveLength(1)
    })
    await reading("commit")
  })
  expect(await directly(service.databaseUrl, makeOne)).toEqual([{ made: 1 }])
})
