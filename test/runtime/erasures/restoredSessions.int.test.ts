/** Sessions of customers that have ended stay ended in a restored backup, whoever ended them: a newer link, the team, the customer, the journey's end. */
import { expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import type { Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, tokenIn } from "../../http/app/CustomerBrowser.ts"
import { restoredAfter } from "./restoredGround.ts"

const names = ["newer", "team", "signedOut", "over", "later", "kept"] as const
type Name = (typeof names)[number]

/** A browser with the cookies of another, at a service. */
const at = (service: Service, browser: CustomerBrowser) => {
  const same = new CustomerBrowser(service)
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  return same
}

const isSignedIn = async (service: Service, browser: CustomerBrowser) =>
  (await at(service, browser).ask("/app/journey")).text.includes("Verify your identity")

const opens = async (service: Service, link: string) => (await new CustomerBrowser(service).signIn(link)).status === 303

const linkOf = (service: Service, journeyId: string) => newLink(service, journeyId, "VERIFY_IDENTITY")

const signedIn = async (service: Service, journeyId: string) => {
  const browser = new CustomerBrowser(service)
  expect((await browser.signIn(await linkOf(service, journeyId))).status).toBe(303)
  return browser
}

const before = async (service: Service) => {
  const company = await makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" } } })
  const journeys = new Map<Name, { readonly id: string; readonly browser: CustomerBrowser }>()
  for (const name of names) {
    const body = startBody("CASH_SALE")
    body.customer.email = `${name}@customer.example`
    const { id } = (await start(service, company.liveKey, body)).data
    journeys.set(name, { id, browser: await signedIn(service, id) })
  }
  const journey = (name: Name) => {
    const found = journeys.get(name)
    if (found === undefined) throw new Error(name)
    return found
  }
  const unused = { later: await linkOf(service, journey("later").id), over: await linkOf(service, journey("over").id) }
  return { company, journey, unused }
}

const end = async (service: Service, { company, journey, unused }: Awaited<ReturnType<typeof before>>) => {
  const endAll = async (name: Name) => {
    const path = `/companies/${company.id}/journeys/${journey(name).id}/customer-sessions`
    for (const { id } of (await askSettings(service, path)).data) {
      expect((await askSettings(service, `${path}/${id}`, { method: "DELETE" })).status).toBe(200)
    }
  }
  await signedIn(service, journey("newer").id)
  await endAll("team")
  // This session is younger than the backup, and its link is not: it would open once more.
  expect(await opens(service, unused.later)).toBe(true)
  await endAll("later")
  const leaving = at(service, journey("signedOut").browser)
  const token = tokenIn(await leaving.ask("/app/journey"))
  expect((await leaving.send("/app/sign-out", { token })).status).toBeLessThan(400)
  const cancelled = await ask(service, company.liveKey, `/api/v1/journeys/${journey("over").id}/cancel`, {
    body: { reason: "The customer changed their mind" }
  })
  expect(cancelled.status).toBe(200)
}

it("a restored backup opens no session of a customer that has ended, and no link of it", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(before, end)
  const { journey, unused } = made
  const service = await backup()
  for (const name of names) {
    expect([name, await isSignedIn(service, journey(name).browser)]).toEqual([name, name === "kept"])
  }
  for (const link of [unused.later, unused.over]) expect(await opens(service, link)).toBe(false)
  // The journey that had ended runs again here, and a new link lets its customer in.
  expect(await isSignedIn(service, await signedIn(service, journey("over").id))).toBe(true)
  await service.stop()

  // The database that knows of the end goes on showing it to the customer.
  const live = await changed()
  expect((await at(live, journey("over").browser).ask("/app/journey")).text).toContain("This journey is closed")
  expect(await isSignedIn(live, journey("kept").browser)).toBe(true)
  await live.stop()
  expect(journal.map(({ what }) => what)).toEqual([...Array.from({ length: 5 }, () => "CUSTOMER_SESSION"), "JOURNEY"])
  expect(JSON.stringify(journal)).not.toContain("@")
  await done()
})
