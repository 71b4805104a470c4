/** The operator's page of the built-in mailbox. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../support/eventually.ts"
import { owe } from "../../support/owedMail.ts"
import { startService } from "../../support/service.ts"
import { signInOperator, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const page = (path: string) => `/console/operator${path}`

describe("the mailbox", () => {
  it("shows mails in frames without scripts, by journey, and by an address that stands in no URL", async () => {
    const { company, operator, service } = ground
    await owe(service.databaseUrl, { companyId: company.id, causes: ["mailbox"] })
    const shown = await eventually(
      () => operator.ask(page("/mailbox")),
      ({ text }) => text.includes("<iframe")
    )
    expect(shown.text).toContain('sandbox="allow-top-navigation-by-user-activation allow-popups"')
    expect(shown.headers.get("content-security-policy")).toContain("frame-src 'self'")
    const found = await operator.submit(page("/mailbox"), { to: "OWNER@example.com" })
    expect([found.status, found.location, found.text.includes("<iframe")]).toEqual([200, null, true])
    expect((await operator.submit(page("/mailbox"), { to: "nobody@example.com" })).text).toContain("no mail like this")
    const ofJourney = await operator.ask(page("/mailbox?journeyId=00000000-0000-4000-8000-000000000000"))
    expect(ofJourney.text).toContain("no mail like this")
    const wrong = await operator.ask(page("/mailbox?journeyId=none"))
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true])
  })

  it("says where mail goes when an SMTP server is set", async () => {
    const service = await startService({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "journeys@example.com" })
    const operator = await signInOperator(service)
    const { status, text } = await operator.ask(page("/mailbox"))
    expect([status, text.includes("mail goes to the SMTP server")]).toEqual([200, true])
    await service.stop()
  })
})
