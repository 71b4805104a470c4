/** The page of a company's journeys: filters, search, and the way on. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, makeCompany, start, startBody } from "../../support/companies.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { signInMember, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
const settings = { sandbox: { identityConfigured: true, panelConfigured: true, credits: true, pace: "manual" } }
beforeAll(async () => {
  ground = await startConsole({ settings })
})
afterAll(() => ground.service.stop())

const path = "/console/journeys"

const begin = async (
  registration: string,
  wishes: { readonly email?: string; readonly lastName?: string; readonly reference?: string } = {}
) => {
  const body = startBody("CASH_SALE")
  if (wishes.lastName !== undefined) body.customer.lastName = wishes.lastName
  body.vehicle.registration = registration
  body.customer.email = wishes.email ?? "driver@example.com"
  body.externalReference = wishes.reference ?? "deal-7"
  const answer = await start(ground.service, ground.company.testKey, body)
  expect(answer.status).toBe(202)
  return answer.data.id as string
}

it("says how to start a journey while there is none", async () => {
  const page = await ground.team.ask(path)
  expect(wordsOf(page)).toContain("Your company has no journey yet.")
  expect(page.text).toContain('href="/console/keys"')
  expect(page.text).toContain('href="/docs"')
})

it("shows vehicle, customer, type, mode, status, what is waited on and for how long, and leads to each journey", async () => {
  const id = await begin('<b>AB12</b> "x"', { lastName: "<b>Buyer</b>", reference: "<i>ref</i>" })
  const page = await ground.team.ask(path)
  expect(page.text).toContain(`href="${path}/${id}"`)
  expect(page.text).toContain("&lt;b&gt;AB12&lt;/b&gt;")
  expect(page.text).toContain(`<bdi>${startBody("CASH_SALE").customer.firstName} &lt;b&gt;Buyer&lt;/b&gt;</bdi>`)
  expect(page.text).toContain("&lt;i&gt;ref&lt;/i&gt;")
  expect(wordsOf(page)).toMatch(/Handover Test Active The customer verifies their identity 0 min since \d+ \w+ \d{4}/)
})

it("is filtered by its form, and says what was looked for where nothing is found", async () => {
  const id = await begin("FI17 ERD")
  await ask(ground.service, ground.company.testKey, `/api/v1/journeys/${id}/cancel`, { body: { reason: "Moved away" } })
  const cancelled = await ground.team.ask(`${path}?status=CANCELLED&type=DELIVERY&mode=TEST&waitingOn=&waitedFor=`)
  expect(wordsOf(cancelled)).toContain("FI17 ERD")
  expect(cancelled.text.match(/<tr>/g)).toHaveLength(2)
  expect(cancelled.text).toMatch(/value="CANCELLED"\s+selected/)
  const none = await ground.team.ask(`${path}?status=&type=&mode=TEST&waitingOn=DEALER_TO_REVIEW&waitedFor=24`)
  expect(wordsOf(none)).toContain(
    "No journey is like that (Test; waits on: Your team&#39;s review; for a day or longer)."
  )
  const wrong = await ground.team.ask(`${path}?status=LOST&waitedFor=soon`)
  expect(wrong.status).toBe(400)
  expect(wordsOf(wrong)).toMatch(/status must be .*waitingSince must be/)
  for (const name of ["constructor", "toString"]) {
    const unoffered = await ground.team.ask(`${path}?status=EXPIRED&waitedFor=${name}`)
    expect([unoffered.status, wordsOf(unoffered)]).toEqual([400, expect.stringContaining("waitingSince must be")])
  }
})

it("shows more below, with the same filters", async () => {
  for (let more = 10; more < 32; more++) await begin(`MO${more} RES`)
  const first = await ground.team.ask(`${path}?mode=TEST&status=ACTIVE`)
  const next =
    /href="(\/console\/journeys\?[^"]*after=[^"]+)" hx-get/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  expect(next).toContain("mode=TEST")
  expect(wordsOf(first)).toContain("MO31 RES")
  expect(wordsOf(first)).not.toContain("MO10 RES")
  const second = wordsOf(await ground.team.ask(next))
  expect(second).toContain("MO10 RES")
  expect(second).not.toContain("MO31 RES")
})

it("searches by form: what is personal stands in no address, and is found in its own company alone", async () => {
  const id = await begin("SE41 RCH", { email: "searched@example.com" })
  for (const search of ["se41rch", "Searched@example.com", id]) {
    const found = await ground.team.submit(path, { search })
    expect([found.status, found.location]).toEqual([200, null])
    expect(found.text).toContain(`href="${path}/${id}"`)
    expect(found.text.match(/<tr>/g)).toHaveLength(2)
    expect(
      [...found.text.matchAll(/(?:href|action|hx-get)="([^"]*)"/g)].some(([, to = ""]) => /se41|searched/i.test(to))
    ).toBe(false)
  }
  const many = await ground.team.submit(path, { search: "deal-7" })
  const after = /name="after" value="([^"]+)"/.exec(many.text)?.[1] ?? ""
  expect(wordsOf(await ground.team.submit(path, { search: "deal-7", after }))).toContain("MO10 RES")
  const none = await ground.team.submit(path, { search: "<b>no</b> such" })
  expect(wordsOf(none)).toContain("Nothing was found for “ &lt;b&gt;no&lt;/b&gt; such ”.")
  const empty = await ground.team.submit(path, { search: " " })
  expect(empty.status).toBe(422)
  expect(empty.text).toMatch(/aria-invalid="true"/)
  expect(wordsOf(empty)).toContain("Nothing was looked up. Please look at the fields that are marked.")
  const other = await makeCompany(ground.service, { name: "Other Cars" })
  const stranger = await signInMember(ground.service, other.id, "OWNER", "stranger@people.example")
  expect(wordsOf(await stranger.submit(path, { search: "se41rch" }))).toContain("Nothing was found")
  expect((await stranger.ask(path)).text).not.toContain(id)
})

it("answers nobody without a session, and no form from elsewhere", async () => {
  expect((await ground.nobody.ask(path)).status).toBe(303)
  expect((await ground.team.send(path, { search: "x" })).status).toBe(403)
})
