/** The first page of the console: the first steps of a new company, and the overview afterwards. The audit log's page beside it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver } from "../../support/receivers.ts"
import { journeyAt } from "../api/settings/reviewGround.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { signInOperator, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole(
    { name: "<i>Harbour</i> Cars", settings: { sandbox: { pace: "manual" } } },
    { WEBHOOK_ALLOW_INSECURE: "true" }
  )
})
afterAll(() => ground.service.stop())

const start = async (shape: string) =>
  ground.owner.send("/console/test-journeys", { token: tokenIn(await ground.owner.ask("/console")), shape })

it("each page of a company leads its people to the guide for them, and a page of the operator does not", async () => {
  const help = '<a href="/docs/guides/team">Help</a>'
  for (const browser of [ground.owner, ground.team])
    expect((await browser.ask("/console/reviews")).text).toContain(help)
  expect((await ground.owner.ask("/docs/guides/team")).status).toBe(200)
  const operator = await signInOperator(ground.service)
  expect((await operator.ask("/console/operator")).text).not.toContain(help)
})

describe("the overview", () => {
  it("leads a new owner from step to step: a test journey by one button, its webhook, and what is left", async () => {
    const first = await ground.owner.ask("/console")
    expect(first.text).toContain("&lt;i&gt;Harbour&lt;/i&gt; Cars")
    expect(wordsOf(first)).toContain("Make a test key Done")
    expect(wordsOf(first)).toContain("Start a first test journey Not yet")
    expect(wordsOf(first)).toContain("Nothing has happened yet.")
    const started = await start("CASH_SALE")
    expect([started.status, started.location]).toEqual([
      303,
      expect.stringMatching(/^\/console\/journeys\/[0-9a-f-]{36}$/)
    ])
    const second = wordsOf(await ground.owner.ask("/console"))
    expect(second).toContain(
      "The test journey has started. It advances by itself. Next first step: set a test endpoint"
    )
    expect(second).toContain("Start a first test journey Done")
    expect(second).toContain("1 test : the customer verifies their identity")
    expect(second).toContain("A journey was started journey.created")
    const receiver = await startReceiver()
    await askSettings(ground.service, `/companies/${ground.company.id}/webhook-endpoints/test`, {
      method: "PUT",
      body: { url: receiver.url }
    })
    await start("IDENTITY_DELIVERY")
    const arrived = await eventually(
      () => ground.owner.ask("/console"),
      (page) => wordsOf(page).includes("See the first webhook arrive Done")
    )
    await receiver.stop()
    expect(wordsOf(arrived)).toContain("Invite your team Done")
    expect(arrived.text).toContain("<title>&lt;i&gt;Harbour&lt;/i&gt; Cars · Journeys</title>")
    const clerks = wordsOf(await ground.team.ask("/console"))
    expect([clerks.includes("First steps"), clerks.includes("Start a test journey")]).toEqual([false, true])
  })

  it("shows an owner the work that waits for the team before the first steps", async () => {
    const isWorkFirst = async () => {
      const words = wordsOf(await ground.owner.ask("/console"))
      return words.indexOf("Waits for your team") < words.indexOf("First steps")
    }
    expect(await isWorkFirst()).toBe(false)
    await journeyAt(ground.service, ground.company, "IDENTITY_DELIVERY", "identity.under_review")
    expect(await isWorkFirst()).toBe(true)
  })

  it("says why a test journey could not be started", async () => {
    await askSettings(ground.service, `/companies/${ground.company.id}`, {
      method: "PATCH",
      body: { sandbox: { identityConfigured: false } }
    })
    const refused = await start("CASH_SALE")
    expect([refused.status, wordsOf(refused).includes("Identity verification is not set up")]).toEqual([422, true])
    const unknown = await start("BARTER")
    expect([unknown.status, unknown.text.includes('id="test-journey-shape-refused"')]).toEqual([422, true])
  })

  it("warns of an endpoint that is off, and of credits that run out", async () => {
    await ground.service.query(
      "update webhook_endpoints set enabled = false, off_reason = 'UNREACHABLE', off_since = now() where company_id = $1",
      [ground.company.id]
    )
    await askSettings(ground.service, `/companies/${ground.company.id}/wallets/IDENTITY/credits`, {
      body: { amount: 2, note: "Two" }
    })
    const page = wordsOf(await ground.team.ask("/console"))
    expect(page).toContain("test webhook endpoint is off, because nothing reached it")
    expect(page).toContain("Identity checks : 2 credits are free.")
  })
})

describe("the audit log", () => {
  it("says in words who did what, with the action's code and its details beside", async () => {
    const page = wordsOf(await ground.team.ask("/console/audit"))
    expect(page).toContain("Started a test journey test_journey.started")
    expect(page).toContain("shape: cash sale")
    expect(page).toContain("owner@people.example")
  })

  it("is filtered by action, by actor and by day, and refuses what is no filter beside its field", async () => {
    const credited = wordsOf(await ground.owner.ask("/console/audit?action=wallet.credited&actor=&since="))
    expect(credited).toContain("amount: 2")
    expect(credited).not.toContain("shape: cash sale")
    const none = wordsOf(await ground.owner.ask("/console/audit?actor=service"))
    expect(none).toContain("No line is like that.")
    expect(wordsOf(await ground.owner.ask("/console/audit?since=2999-01-01"))).toContain("No line is like that.")
    const refused = await ground.owner.ask("/console/audit?since=yesterday")
    expect([refused.status, refused.text.includes('id="find-since-refused"')]).toEqual([422, true])
  })
})
