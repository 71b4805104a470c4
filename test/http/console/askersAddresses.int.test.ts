/**
 * From which address of the network a line of the audit log was asked for: who sees it, that the owners are told of it, and that it goes
 * after its days while the line and the chain stay.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { companyLimits } from "../../../src/schema/company/limits.ts"
import { askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startService } from "../../support/service.ts"
import { tokenIn } from "../app/CustomerBrowser.ts"
import { makeBroker, namedHandover } from "../api/settings/handoverGround.ts"
import { signInMember, startConsole, type ConsoleBrowser, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({}, { TRUSTED_PROXIES: "127.0.0.1", BASE_URL: "http://journeys.example" })
})
afterAll(() => ground.service.stop())

const ownersAddress = "203.0.113.7"
const operatorsAddress = "198.51.100.9"

interface Line {
  readonly action: string
  readonly actor: string
  readonly ipAddress: string | null
}

const auditPath = () => `/companies/${ground.company.id}/audit`

const lines = async (): Promise<ReadonlyArray<Line>> => (await askSettings(ground.service, auditPath())).data.content

/** The owner invites somebody on the console, by a proxy that names the owner's address. */
const invite = async (owner: ConsoleBrowser, email: string) => {
  const token = tokenIn(await owner.ask("/console/team"))
  const sent = await owner.send("/console/team", { token, email, role: "TEAM" }, { "x-forwarded-for": ownersAddress })
  expect(sent.status).toBe(303)
}

it("has the address of the member and of the operator, and the company sees its members' alone", async () => {
  const { company, owner, service } = ground
  await invite(owner, "new@people.example")
  await askSettings(service, `/companies/${company.id}/api-keys`, {
    body: { mode: "LIVE" },
    headers: { "x-forwarded-for": `::ffff:${operatorsAddress}` }
  })
  expect((await lines()).slice(0, 2)).toMatchObject([
    { action: "api_key.created", ipAddress: operatorsAddress },
    { action: "member.invited", ipAddress: ownersAddress }
  ])
  const page = await owner.ask("/console/audit")
  expect(page.text).toContain(`from ${ownersAddress}`)
  expect(page.text).toContain("api_key.created")
  expect(page.text).not.toContain(operatorsAddress)
})

it("is not told to a broker of the people of a dealer, who are another company's", async () => {
  const { company, owner, service } = ground
  const broker = await makeBroker(service)
  const { id } = await namedHandover(service, broker, company.id)
  for (const page of ["/console/handovers", `/console/handovers/${id}`]) {
    expect((await owner.ask(page, { headers: { "x-forwarded-for": ownersAddress } })).status).toBe(200)
  }
  const own = await owner.ask(`/settings/v1${auditPath()}`)
  expect(JSON.parse(own.text).data.content[0]).toMatchObject({ action: "handover.opened", ipAddress: ownersAddress })
  const ofBroker = await signInMember(service, broker.id, "OWNER", "broker@people.example")
  for (const path of [`/settings/v1/companies/${broker.id}/audit`, "/console/audit"]) {
    const log = await ofBroker.ask(path)
    expect(log.text).toContain("handover.opened_by_dealer")
    expect(log.text).toContain("handovers.listed_by_dealer")
    expect(log.text).not.toContain(ownersAddress)
  }
})

it("tells the owners by mail from where a member changed something, and not where the operator works", async () => {
  const { company, owner, service } = ground
  await service.query("delete from mails where company_id = $1", [company.id])
  await invite(owner, "third@people.example")
  await askSettings(service, `/companies/${company.id}/api-keys`, {
    body: { mode: "TEST" },
    headers: { "x-forwarded-for": operatorsAddress }
  })
  await service.query("update mails set due_at = now() where company_id = $1 and kind = 'ACCESS_CHANGED'", [company.id])
  const { text } = await eventually(
    async () => {
      const { content } = (await askSettings(service, "/mail?size=100")).data
      return content.find(
        (mail: { readonly kind: string; readonly text: string }) =>
          mail.kind === "ACCESS_CHANGED" && mail.text.includes("third@people.example")
      )
    },
    (mail) => mail !== undefined
  )
  expect(text).toContain(`invited third@people.example as a member of the team (from ${ownersAddress}).`)
  expect(text).toContain("the operator of this service made the test API key")
  expect(text).not.toContain(operatorsAddress)
})

it("goes after its days, and the line stays with a hash that holds", async () => {
  const { company, owner, service } = ground
  await invite(owner, "fourth@people.example")
  await service.query(
    `update audit_addresses set at = at - $1::int4 * interval '1 day' - interval '1 second'
     where line_id = (select max(id) from audit where company_id = $2::uuid)`,
    [companyLimits.askersAddressDays, company.id]
  )
  // Another node of the installation looks for what is over as soon as it starts.
  const other = await startService({ DATABASE_URL: service.databaseUrl })
  try {
    await eventually(lines, ([newest]) => newest?.ipAddress === null)
    const [newest, ...older] = await lines()
    expect(newest).toMatchObject({ action: "member.invited", ipAddress: null })
    expect(older.map(({ ipAddress }) => ipAddress)).toContain(ownersAddress)
    expect((await askSettings(service, `${auditPath()}/check`)).data).toMatchObject({ broken: null, isEnd: true })
  } finally {
    await other.stop()
  }
})
