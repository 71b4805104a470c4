/** The ledger and the audit log by days, and as files for a spreadsheet. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { consoleLimits } from "../../../src/http/console/frame/limits.ts"
import { ask, askSettings, start, startBody } from "../../support/companies.ts"
import type { Shape } from "../../../src/schema/journey/statuses.ts"
import { queryDirectly } from "../../support/directly.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const ledger = "/console/wallets/IDENTITY"
const audit = "/console/audit"
const journeys = "/console/journeys"

const fillLedger = (lines: number, day: string, note: string) =>
  queryDirectly(
    ground.service.databaseUrl,
    `insert into wallet_ledger (company_id, wallet, amount, note, at)
     select $1::uuid, 'IDENTITY', n, $4::text || n, $3::timestamptz + n * interval '1 second' from generate_series(1, $2::int) n`,
    [ground.company.id, lines, day, note]
  )

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n")

/** The lines of a file whose cells need no quotes, by their columns. */
const journeysIn = (text: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [head = [], ...lines] = linesOf(text).map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(head.map((column, at) => [column, cells[at] ?? ""])))
}

const started = async (shape: Shape): Promise<string> =>
  (await start(ground.service, ground.company.testKey, startBody(shape))).data.id

const copyJourney = (id: string, copies: number) =>
  queryDirectly(
    ground.service.databaseUrl,
    `insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key, fingerprint, state, created_at, type, waiting_on)
     select gen_random_uuid(), company_id, livemode, status, version, 'many', customer_id, gen_random_uuid()::text, fingerprint, state, now(), type, waiting_on
     from journeys cross join generate_series(1, $2::int) where id = $1::uuid`,
    [id, copies]
  )

it("shows the ledger of whole days, and saves the same lines as a file", async () => {
  await fillLedger(150, "2026-02-01T23:00:00Z", "February ")
  await fillLedger(2, "2026-03-01T00:00:00Z", "March ")
  const days = "?since=2026-02-01&until=2026-02-01"
  const page = await ground.owner.ask(`${ledger}${days}`)
  expect(wordsOf(page)).toContain("February 150")
  expect(wordsOf(page)).not.toContain("March 1")
  expect(page.text).toContain(`href="${ledger}/ledger.csv?since=2026-02-01&amp;until=2026-02-01"`)

  const file = await ground.owner.ask(`${ledger}/ledger.csv${days}`)
  expect(file.status).toBe(200)
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present")
  expect(file.headers.get("content-disposition")).toBe(
    'attachment; filename="ledger-identity-checks-2026-02-01-2026-02-01.csv"'
  )
  const [head, first, ...others] = linesOf(file.text)
  expect(head).toBe("id,amount,journeyId,note,at")
  expect(first).toMatch(/^\d+,150,,February 150,2026-02-01T23:02:30\.000Z$/)
  expect(others.length).toBe(149)
})

it("saves the audit log as it is filtered, with the names of those who acted", async () => {
  const file = await ground.team.ask(`${audit}/audit.csv?action=api_key.created`)
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="audit.csv"')
  const [head, ...lines] = linesOf(file.text)
  expect(head).toBe("id,actor,action,details,at,ipAddress,actorName")
  expect(lines.length).toBe(2)
  for (const line of lines) expect(line).toMatch(/^\d+,operator,api_key\.created,"\{""/)
})

it("saves the journeys as they are filtered, with their parts in columns, and the audit log has who was looked at", async () => {
  const finance = await started("FINANCE_ALREADY_SUBMITTED")
  const cash = await started("CASH_SALE")
  const page = await ground.team.ask(`${journeys}?type=DELIVERY`)
  expect(page.text).toContain(`href="${journeys}/journeys.csv?type=DELIVERY"`)
  const filtered = await ground.team.ask(`${journeys}/journeys.csv?type=DELIVERY`)
  expect(filtered.headers.get("content-disposition")).toBe('attachment; filename="journeys-delivery.csv"')
  expect(journeysIn(filtered.text)).toEqual([expect.objectContaining({ id: cash, "delivery.saleType": "CASH_SALE" })])

  const all = journeysIn((await ground.team.ask(`${journeys}/journeys.csv`)).text)
  expect(Object.keys(all[0] ?? {}).slice(0, 4)).toEqual(["waitingOn", "waitingSince", "customerName", "registration"])
  expect(all.map(({ id }) => id)).toEqual([cash, finance])
  expect(all[1]).toMatchObject({
    waitingOn: "SEND_FINANCE_DECISION",
    customerName: "Priya Nair",
    registration: "AB12 CDE",
    type: "FINANCE_IDENTITY_DELIVERY",
    livemode: "false",
    "finance.status": "SUBMITTED",
    "identity.attempts": "0",
    "delivery.status": ""
  })
  const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/audit?action=journeys.listed`)
  expect(JSON.stringify(data.content[0].details)).toContain(finance)
})

it("shows the journeys that were started on whole days, saves them with the time of their end, and finds the others no more", async () => {
  const [before, first, last, after] = await Promise.all(Array.from({ length: 4 }, () => started("IDENTITY_DELIVERY")))
  await Promise.all(
    [
      [before, "2026-03-31T23:59:59.999Z"],
      [first, "2026-04-01T00:00:00Z"],
      [last, "2026-04-30T23:59:59.999Z"],
      [after, "2026-05-01T00:00:00Z"]
    ].map((one) =>
      queryDirectly(
        ground.service.databaseUrl,
        "update journeys set created_at = $2::timestamptz where id = $1::uuid",
        one
      )
    )
  )
  const reason = { reason: "The customer buys no car" }
  await ask(ground.service, ground.company.testKey, `/api/v1/journeys/${first}/cancel`, { body: reason })
  const april = "since=2026-04-01&until=2026-04-30"
  const page = await ground.team.ask(`${journeys}?${april}`)
  expect([...page.text.matchAll(/journeys\/([0-9a-f-]{36})"/g)].map(([, id]) => id)).toEqual([last, first])
  expect(page.text).toContain(`href="${journeys}/journeys.csv?since=2026-04-01&amp;until=2026-04-30"`)
  const file = await ground.team.ask(`${journeys}/journeys.csv?${april}&status=CANCELLED`)
  expect(file.headers.get("content-disposition")).toContain('"journeys-cancelled-2026-04-01-2026-04-30.csv"')
  const [cancelled, ...none] = journeysIn(file.text)
  expect([cancelled?.["id"], none]).toEqual([first, []])
  const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/journeys/${first}/timeline`)
  expect(cancelled?.["endedAt"]).toBe(data.content.at(-1).at)
  expect(journeysIn((await ground.team.ask(`${journeys}/journeys.csv?${april}`)).text)[0]).toMatchObject({
    endedAt: ""
  })
  const empty = await ground.team.ask(`${journeys}?since=2019-01-01&until=2019-01-31`)
  expect(wordsOf(empty)).toContain("No journey is like that (started from 2019-01-01; started to 2019-01-31)")
})

it("says beside the days when there are more lines than a file takes", async () => {
  await fillLedger(consoleLimits.mostFileLines, "2026-05-01T00:00:00Z", "May ")
  const exactly = await ground.owner.ask(`${ledger}/ledger.csv?since=2026-05-01&until=2026-05-31`)
  expect([exactly.status, linesOf(exactly.text).length]).toEqual([200, 1 + consoleLimits.mostFileLines])
  const more = await ground.owner.ask(`${ledger}/ledger.csv`)
  expect(more.status).toBe(422)
  expect(wordsOf(more)).toContain("Must leave at most 10,000 lines for a file: ask for fewer days")
  expect(wordsOf(more)).toContain("May 10000")
})

it.each([
  [`${ledger}?since=2026-02-30`, "Must be an ISO 8601 timestamp"],
  [`${ledger}/ledger.csv?until=x`, "Must be an ISO 8601 timestamp"],
  [`${audit}/audit.csv?since=yesterday`, "Must be an ISO 8601 timestamp"]
])("says of %s what is wrong with its day", async (path, says) => {
  const page = await ground.owner.ask(path)
  expect(page.status).toBe(422)
  expect(wordsOf(page)).toContain(says)
})

it("says that nothing was charged in days without a line, and leads to all of them", async () => {
  const page = await ground.owner.ask(`${ledger}?since=2019-01-01&until=2019-01-31`)
  expect(wordsOf(page)).toContain("No credit was added or charged then. Show all")
  expect(page.text).not.toContain("ledger.csv")
})

it("gives nobody else the file of a company", async () => {
  expect((await ground.nobody.ask(`${audit}/audit.csv`)).location).toMatch(/^\/console\/sign-in/)
  expect((await ground.owner.ask("/console/wallets/CASH/ledger.csv")).status).toBe(404)
})

it("says beside the days when there are more journeys than a file takes", async () => {
  await copyJourney(await started("CASH_SALE"), consoleLimits.mostFileLines)
  const more = await ground.owner.ask(`${journeys}/journeys.csv?status=ACTIVE`)
  expect(more.status).toBe(422)
  expect(wordsOf(more)).toContain("Must leave at most 10,000 lines for a file: ask for fewer days")
})
