/** The request log: each request with a key is a line with names of fields and nothing else of it, and old days go as a whole. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { emptySlotStatement, slotHasOldStatement } from "../../../../src/runtime/stores/erasure/retentionStatements.ts"
import { slotOf } from "../../../../src/runtime/stores/company/PostgresRequestLog.ts"
import { startExamples } from "../../../../src/schema/start/examples.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

interface Line {
  readonly requestId: string
  readonly route: string
}

const secret = "canary.value@example.com"
const asked = (query = "", key = company.testKey) => ask(service, key, `/api/v1/requests${query}`)
const withId = (requestId: string | null, query = "") =>
  eventually(
    async () => {
      const { data } = await asked(query)
      return (data.content as ReadonlyArray<Line>).find((line) => line.requestId === requestId)
    },
    (line) => line !== undefined
  )

const start = (body: unknown, key: string = randomUUID()) =>
  ask(service, company.testKey, "/api/v1/journeys", { body, headers: { "idempotency-key": key } })

it("has a start, its replay and what was asked about its journey", async () => {
  const first = await start(startExamples.CASH_SALE, "request-log-1")
  const again = await start(startExamples.CASH_SALE, "request-log-1")
  const got = await ask(service, company.testKey, `/api/v1/journeys/${first.data.id}?`)
  const line = { keyId: company.testKeyId, code: null, fields: [], journeyId: first.data.id, isReplay: false }
  const route = "POST /api/v1/journeys"
  expect(await withId(got.headers.get("request-id"))).toMatchObject({
    ...line,
    route: "GET /api/v1/journeys/{journeyId}",
    status: 200
  })
  expect(await withId(first.headers.get("request-id"))).toMatchObject({ ...line, route, status: 202 })
  expect(await withId(again.headers.get("request-id"))).toMatchObject({ ...line, route, status: 200, isReplay: true })
  const { data } = await asked(`?journeyId=${first.data.id}`)
  expect(data.content).toHaveLength(3)
})

it("names the fields at fault and holds nothing that was sent", async () => {
  const body = { ...startExamples.CASH_SALE, vehicle: { make: secret }, [secret]: secret, externalReference: secret }
  const refused = await start(body)
  const denied = await ask(service, company.liveKey, "/api/v1/sandbox/clocks?a=canary")
  expect([refused.status, denied.status]).toEqual([400, 403])
  const line = await withId(refused.headers.get("request-id"), "?code=VALIDATION_FAILED")
  expect(line).toMatchObject({ status: 400, code: "VALIDATION_FAILED", journeyId: null })
  expect((line as unknown as { fields: ReadonlyArray<string> }).fields).toEqual(
    expect.arrayContaining(["?", "vehicle.registration"])
  )
  const live = await eventually(
    () => asked("", company.liveKey),
    ({ data }) => data.content.length > 0
  )
  expect(live.data.content.at(-1)).toMatchObject({
    status: 403,
    code: "API_KEY_NOT_PERMITTED",
    route: "GET /api/v1/sandbox/clocks"
  })
  const rows = await service.query("select * from requests")
  expect(JSON.stringify(rows)).not.toContain("canary")
})

it("is read without what only reads, and by what came of it", async () => {
  const refused = await start({ ...startExamples.CASH_SALE, vehicle: {} })
  await withId(refused.headers.get("request-id"))
  const of = async (query: string): Promise<ReadonlyArray<Line & { readonly code: string | null }>> =>
    (await asked(`${query}&size=100`)).data.content
  const posts = await of("?method=POST")
  expect(new Set(posts.map(({ route }) => route))).toEqual(new Set(["POST /api/v1/journeys"]))
  expect((await of("?method=GET")).filter(({ route }) => !route.startsWith("GET "))).toEqual([])
  const [all, bad, good] = [posts, await of("?method=POST&outcome=REFUSED"), await of("?method=POST&outcome=SUCCEEDED")]
  expect(bad.map(({ requestId }) => requestId)).toContain(refused.headers.get("request-id"))
  expect([bad.every(({ code }) => code !== null), good.every(({ code }) => code === null)]).toEqual([true, true])
  expect(bad.length + good.length).toBe(all.length)
  const wrong = await asked("?outcome=MAYBE")
  expect([wrong.status, wrong.errors?.[0]?.field]).toEqual([400, "outcome"])
})

it("is read piece by piece, by its company and mode only", async () => {
  const { data: whole } = await asked("?size=100")
  const ids = whole.content.map(({ requestId }: Line) => requestId)
  const { data: piece } = await asked(`?size=2&cursor=${ids[1]}`)
  expect(piece.content.map(({ requestId }: Line) => requestId)).toEqual(ids.slice(2, 4))
  expect(piece.next).toBe(ids[3])
  const other = await makeCompany(service, { name: "Other Cars" })
  expect((await asked(`?journeyId=${whole.content.at(-1).journeyId}`, other.testKey)).data.content).toEqual([])
  const { data: shown } = await askSettings(service, `/companies/${company.id}/requests?mode=TEST&size=100`)
  expect(shown.content.map(({ requestId }: Line) => requestId)).toEqual(expect.arrayContaining(ids))
})

it("forgets a day as a whole, when its slot is about to come again", async () => {
  const now = Date.now()
  const [dayBefore, tomorrow] = [now - 31 * 86_400_000, slotOf(now + 86_400_000)]
  await service.query(
    `insert into requests values ($1, $2, $3, $4, false, $5, 'GET /', 200, null, '[]', 1, null, false)`,
    [slotOf(dayBefore), randomUUID(), new Date(dayBefore), company.id, company.testKeyId]
  )
  expect(slotOf(dayBefore)).toBe(tomorrow)
  const old = () => service.query(slotHasOldStatement(tomorrow), [new Date(now - 30 * 86_400_000)])
  expect(await old()).toHaveLength(1)
  await service.query(emptySlotStatement(tomorrow))
  expect(await old()).toEqual([])
})
