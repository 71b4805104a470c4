/**
 * A customer's address that was corrected stays out of use in a restored backup: nothing is mailed to it, and it opens nothing. The
 * journal cannot tell the address of after, so the team, which hears of it, tells it once more.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink } from "../../http/app/CustomerBrowser.ts"
import { linesIn, restoredAfter } from "./restoredGround.ts"

const wrong = "wrong@customer.example"
const right = "right@customer.example"
const sure = "sure@customer.example"

interface Shown {
  readonly to: string
  readonly kind: string
}

const mailsOf = async (service: Service, journeyId: string): Promise<ReadonlyArray<Shown>> =>
  (await askSettings(service, `/mail?journeyId=${journeyId}&size=50`)).data.content

/** How many mails with a link went to an address. */
const linksTo = async (service: Service, journeyId: string, address: string) =>
  (await mailsOf(service, journeyId)).filter(({ kind, to }) => kind === "VERIFY_IDENTITY" && to === address).length

const linksArrive = (service: Service, journeyId: string, address: string, howMany: number) =>
  eventually(
    () => linksTo(service, journeyId, address),
    (found) => found === howMany
  )

const begin = async (service: Service, key: string, email: string): Promise<{ id: string; customer: string }> => {
  const body = startBody("CASH_SALE")
  const { data } = await start(service, key, { ...body, customer: { ...body.customer, email } })
  return { id: data.id, customer: data.customerReference }
}

const correct = (service: Service, companyId: string, customer: string, email: string) =>
  askSettings(service, `/companies/${companyId}/customers/${customer}`, { method: "PATCH", body: { email } })

const resendLink = async (service: Service, companyId: string, journeyId: string) =>
  expect(
    (await askSettings(service, `/companies/${companyId}/journeys/${journeyId}/resend-link`, { method: "POST" })).status
  ).toBe(200)

const before = async (service: Service) => {
  const company = await makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" } } })
  await addMember(service, company.id, { email: "team@harbour.example", role: "TEAM" })
  const moved = await begin(service, company.liveKey, wrong)
  const back = await begin(service, company.liveKey, sure)
  await linksArrive(service, moved.id, wrong, 1)
  await linksArrive(service, back.id, sure, 1)
  const stranger = new CustomerBrowser(service)
  expect((await stranger.signIn(await newLink(service, moved.id, "VERIFY_IDENTITY"))).status).toBe(303)
  return { company, moved, back, stranger, unused: await newLink(service, moved.id, "VERIFY_IDENTITY") }
}

const correctBoth = async (service: Service, { back, company, moved }: Awaited<ReturnType<typeof before>>) => {
  expect((await correct(service, company.id, moved.customer, right)).data.corrected).toEqual(["email"])
  await linksArrive(service, moved.id, right, 1)
  // Corrected by mistake, and back again.
  for (const address of ["other@customer.example", sure]) {
    expect((await correct(service, company.id, back.customer, address)).data.corrected).toEqual(["email"])
  }
}

const endedIn = async (service: Service) =>
  (await service.query<{ action: string }>("select action from audit where actor = 'journal of erasures'")).map(
    ({ action }) => action
  )

it("nothing goes to an address that was corrected after the backup: the team hears of it, and what it corrects is mailed", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(before, correctBoth, {
    BASE_URL: "https://journeys.example"
  })
  const { back, company, moved, stranger, unused } = made
  const live = await changed()
  await resendLink(live, company.id, moved.id)
  await linksArrive(live, moved.id, right, 2)
  expect(await linksTo(live, moved.id, wrong)).toBe(1)
  expect(await endedIn(live)).toEqual([])
  await live.stop()

  const service = await backup()
  const asStranger = new CustomerBrowser(service)
  for (const [name, value] of stranger.cookies) asStranger.cookies.set(name, value)
  expect((await asStranger.ask("/app/journey")).text).not.toContain("Verify your identity")
  expect((await new CustomerBrowser(service).signIn(unused)).status).toBe(404)
  await resendLink(service, company.id, moved.id)
  const told = await eventually(
    () => mailsOf(service, moved.id),
    (mails) => mails.filter(({ kind }) => kind === "MAIL_UNDELIVERED").length === 2
  )
  expect(
    told
      .flatMap(({ kind, to }) => (kind === "MAIL_UNDELIVERED" ? [to] : []))
      .toSorted((one, other) => one.localeCompare(other))
  ).toEqual(["owner@example.com", "team@harbour.example"])
  // Whoever starts with the old address is somebody else.
  expect((await begin(service, company.liveKey, wrong)).customer).not.toBe(moved.customer)
  expect((await correct(service, company.id, moved.customer, right)).data).toMatchObject({
    corrected: ["email"],
    linksMailed: 1
  })
  await linksArrive(service, moved.id, right, 1)
  // The address on file is the right one after all: the team says so.
  const mailed = await linksTo(service, back.id, sure)
  expect((await correct(service, company.id, back.customer, sure)).data).toMatchObject({
    corrected: ["email"],
    linksMailed: 1
  })
  await linksArrive(service, back.id, sure, mailed + 1)
  expect((await correct(service, company.id, back.customer, sure)).data.corrected).toEqual([])
  expect(await linksTo(service, moved.id, wrong)).toBe(1)
  expect(await endedIn(service)).toEqual(["customer.address_ended", "customer.address_ended"])
  await service.stop()
  expect(journal.filter(({ what }) => what === "ADDRESS")).toHaveLength(3)
  expect(JSON.stringify(journal)).not.toContain("@")
  await done()
})

// A node that dies between the change and its line, or that loses the database there, leaves no line.
it("a correction that is repeated stands in the journal, also where the first did not come so far", async () => {
  const folder = await mkdtemp(join(tmpdir(), "journeys-addresses-"))
  const service = await startService({ ERASURE_JOURNAL: folder })
  const company = await makeCompany(service)
  const { customer } = await begin(service, company.testKey, wrong)
  expect((await correct(service, company.id, customer, right)).data.corrected).toEqual(["email"])
  for (const file of await readdir(folder)) await rm(join(folder, file))
  expect((await correct(service, company.id, customer, right)).data.corrected).toEqual([])
  expect((await linesIn(folder)).map(({ customerId, what }) => [what, customerId])).toEqual([["ADDRESS", customer]])
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})
