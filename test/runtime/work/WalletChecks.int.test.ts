/** The wallets are counted again: one that somebody has changed by hand is named in the log, and a metric says how many there are. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startOtlpReceiver, type OtlpReceiver } from "../../support/otlpReceiver.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let service: Service
let companies: ReadonlyArray<TestCompany>
let collector: OtlpReceiver
beforeAll(async () => {
  collector = await startOtlpReceiver()
  service = await startService()
  const financePanel = { name: "Away", url: "https://panel.invalid/submit", secret: "s".repeat(32) }
  const settings = { identityProvider: { kind: "BUILT_IN" }, financePanel }
  companies = []
  // More than one statement counts.
  for (let made = 0; made < 12; made += 1)
    companies = [...companies, await makeCompany(service, { credits: 5, settings })]
  // A check that begins at once is charged, and an application that no panel takes holds a credit of each wallet.
  for (const shape of ["IDENTITY_DELIVERY", "FINANCE_SUBMIT_VIA_MIRA"] as const) {
    expect((await start(service, companies[0]?.liveKey ?? "", startBody(shape))).status).toBe(202)
  }
})
afterAll(async () => {
  await service.stop()
  await collector.stop()
})

const unbalanced = async (): Promise<string | undefined> => {
  const answer = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  return /^journeys_wallets_unbalanced (\d+)$/m.exec(await answer.text())?.[1]
}

/** A node counts as soon as it starts. */
const countedAgain = async (): Promise<string | undefined> => {
  await service.stop()
  service = await startService({ DATABASE_URL: service.databaseUrl, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  return eventually(unbalanced, (found) => found !== undefined)
}

const change = (what: string, company: TestCompany | undefined) =>
  service.query(`update wallets set ${what} where company_id = $1 and wallet = 'IDENTITY'`, [company?.id])

it("agree after credits and starts, wherever in the list they stand", async () => {
  const found = await service.query(
    "select count(*)::int as wallets, sum(held)::int as held, sum(5 - balance)::int as charged from wallets"
  )
  expect(found).toEqual([{ wallets: 24, held: 2, charged: 1 }])
  expect(await countedAgain()).toBe("0")
})

it("are counted and named where a balance or what is held was changed by hand, and no more once it is right again", async () => {
  const [first, second] = [companies[4], companies[11]]
  await change("held = held + 1", first)
  await change("balance = balance + 7", second)
  expect(await countedAgain()).toBe("2")
  await change("held = held - 1", first)
  await change("balance = balance - 7", second)
  // What the node has to say it has said when it has stopped.
  expect(await countedAgain()).toBe("0")
  const lines = collector.logs.map(({ body }) => body).filter((body) => body.includes("A wallet does not agree"))
  expect(lines).toHaveLength(2)
  for (const company of [first, second]) expect(lines.join("\n")).toContain(company?.id)
  expect(lines.join("\n")).toMatch(/balance\W+12\D.*counted\W+5\D/s)
})
