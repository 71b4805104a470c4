/**
 * A mail server that takes connections and never says a word (FAULT-45): mail holds its few places, and nothing but mail waits for
 * it. Panels and providers are asked, webhooks arrive, timers ring, and the node stops and loses no mail.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { mailLimits } from "../../src/actors/mail/limits.ts"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { writeEndpoint } from "../support/endpoints.ts"
import { eventually } from "../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { startMailServer } from "../support/mailServer.ts"
import { owe } from "../support/owedMail.ts"
import { startLive } from "../support/providerRequests.ts"
import { eventOf, startReceiver, type Receiver } from "../support/receivers.ts"
import { startService, type Service } from "../support/service.ts"
import { startSilentServer, type SilentServer } from "../support/silentServer.ts"

const causes = Array.from({ length: 40 }, (_, at) => `silent-${at}`)

let mailServer: SilentServer
let panel: FakePanel
let identity: FakeIdentityProvider
let receiver: Receiver
let service: Service
let company: TestCompany

const mailTo = (port: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: "Journeys <journeys@example.com>"
})

beforeAll(async () => {
  mailServer = await startSilentServer()
  panel = await startFakePanel()
  identity = await startFakeIdentityProvider()
  receiver = await startReceiver()
  service = await startService({
    ...mailTo(mailServer.port),
    WEBHOOK_ALLOW_INSECURE: "true",
    BASE_URL: "https://journeys.example",
    SANDBOX_STEP: "50 millis"
  })
  company = await makeCompany(service, {
    credits: 10,
    settings: { financePanel: panel.settings, identityProvider: identity.settings }
  })
  await writeEndpoint(service.query, { companyId: company.id, url: receiver.url, events: ["journey.*"] })
})
afterAll(() => Promise.all([mailServer.stop(), panel.stop(), identity.stop(), receiver.stop()]))

interface Mail {
  readonly sent: boolean
  readonly isOver: boolean
}
const mails = () =>
  queryDirectly<Mail>(
    service.databaseUrl,
    `select sent_at is not null as sent, due_at is null as "isOver" from mails where cause like 'silent-%'`
  )
const unsent = causes.map(() => ({ sent: false, isOver: false }))

it("holds the places of mail alone, and a node that stops hands its mail back", async () => {
  await owe(service.databaseUrl, { companyId: company.id, causes })
  await eventually(mailServer.open, (open) => open === mailLimits.mostOfOneCompany)

  await startLive(service, company, "FINANCE_SUBMIT_VIA_MIRA")
  await eventually(
    () => [panel.taken.size, identity.taken.size],
    ([applied, checked]) => applied === 1 && checked === 1
  )
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  await eventually(
    mailServer.open,
    (open) => open === mailLimits.mostOfOneCompany + mailLimits.mostTestMailsOfOneCompany
  )
  await eventually(
    () => receiver.received.map((one) => eventOf(one)),
    (events) => events.some(({ data: of, type }) => type === "journey.completed" && of["journeyId"] === data.id)
  )
  expect(await mails()).toEqual(unsent)

  await service.stop()
  await eventually(mailServer.open, (open) => open === 0)
  expect(mailServer.mostOpen()).toBe(mailLimits.mostOfOneCompany + mailLimits.mostTestMailsOfOneCompany)
  expect(await mails()).toEqual(unsent)

  const works = await startMailServer()
  await queryDirectly(service.databaseUrl, "update mails set due_at = now() where cause like 'silent-%'")
  const next = await startService({ ...mailTo(works.port), DATABASE_URL: service.databaseUrl })
  await eventually(mails, (all) => all.every(({ sent }) => sent))
  await next.stop()
  await works.stop()
})
