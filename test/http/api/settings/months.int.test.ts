import { afterAll, beforeAll, expect, it } from "vitest"
import { monthTables } from "../../../../src/runtime/postgres/months.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../../support/receivers.ts"
import { startService, type Service } from "../../../support/service.ts"
import { isPromised } from "../../documents/promised.ts"

let service: Service
let receiver: Receiver
let company: TestCompany
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", SANDBOX_STEP: "1 hour" })
  receiver = await startReceiver()
  company = await makeCompany(service, { credits: 5, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

interface Month {
  readonly table: string
  readonly part: string
  readonly endsAt: string | null
  readonly rows: number
  readonly bytes: number
  readonly oldestLiveJourney: string | null
}

const months = async (): Promise<ReadonlyArray<Month>> => {
  const answer = await askSettings(service, "/months")
  isPromised("listMonths", answer)
  return answer.data.content
}

const thisMonth = new Date().toISOString().slice(0, 7).replace("-", "_")

/** The months in which a live journey has rows, with the oldest of these. */
const kept = (found: ReadonlyArray<Month>) =>
  found.flatMap(({ oldestLiveJourney, part }) => (oldestLiveJourney === null ? [] : [[part, oldestLiveJourney]]))

it("names the months of each table, the oldest first, then the part of what no month takes", async () => {
  const found = await months()
  const now = new Date()
  const ends = [1, 2, 3].map((later) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later)))
  for (const table of monthTables) {
    const ofTable = found.filter((month) => month.table === table)
    expect(ofTable.map(({ endsAt }) => endsAt)).toEqual([...ends.map((end) => end.toISOString()), null])
    expect([ofTable[0]?.part, ofTable.at(-1)?.part]).toEqual([`${table}_${thisMonth}`, `${table}_other`])
    expect(ofTable.every(({ bytes }) => bytes > 0)).toBe(true)
  }
})

it("names the oldest live journey that keeps a month, and no test journey", async () => {
  for (const mode of ["test", "live"]) {
    await askSettings(service, `/companies/${company.id}/webhook-endpoints/${mode}`, {
      method: "PUT",
      body: { url: receiver.url }
    })
  }
  const started = async (key: string): Promise<string> => (await start(service, key, startBody("CASH_SALE"))).data.id
  const tried = (id: string) =>
    eventually(
      () => service.query("select from attempts a join events e on e.id = a.event_id where e.journey_id = $1", [id]),
      (attempts) => attempts.length > 0
    )
  await tried(await started(company.testKey))
  expect(kept(await months())).toEqual([])

  const oldest = await started(company.liveKey)
  await tried(oldest)
  await tried(await started(company.liveKey))
  const oldestOfAll = monthTables.map((table) => [`${table}_${thisMonth}`, oldest])
  expect(kept(await months())).toEqual(oldestOfAll)

  const foreign = "ffffffff-0000-4000-8000-000000000001"
  await service.query(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     values ($1, 1, $1, $2, true, 'journey.created', '{}', now())`,
    [foreign, company.id]
  )
  expect(kept(await months())).toEqual(oldestOfAll.toSpliced(2, 0, ["events_other", foreign]))
})

it("says about how many rows a month has", async () => {
  const [{ rows } = { rows: 0 }] = await service.query<{ readonly rows: number }>(
    "select count(*)::int as rows from journal"
  )
  const isCounted = (found: ReadonlyArray<Month>) =>
    found.find(({ part }) => part === `journal_${thisMonth}`)?.rows === rows
  // A connection tells PostgreSQL what it has written within ten seconds.
  await eventually(months, isCounted, 40_000)
}, 60_000)
