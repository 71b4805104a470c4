/** The ledger and the audit log by days, and as files for a spreadsheet. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { consoleLimits } from "../../../src/http/console/frame/limits.ts"
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
