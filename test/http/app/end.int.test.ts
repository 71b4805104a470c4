/** The end of a journey: what its customer sees and may keep, and what anybody sees who only holds a link. */
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CustomerDetails } from "../../../src/actors/customer/CustomerDetails.ts"
import { escapedHtml } from "../../../src/schema/escapedHtml.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { languageCodes } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf as wordsIn } from "../../../src/schema/words/words.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { base64, logoOf } from "../../support/logos.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, tokenIn, wordsOf } from "./CustomerBrowser.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, {
    kind: "BROKER",
    name: "Bright Brokers & Sons",
    settings: {
      sandbox: { pace: "manual" },
      brand: {
        logo: base64(logoOf(60, 30)),
        colour: "#ffd400",
        telephone: "+44 (113) 496 0000",
        hours: "Monday to Friday, 9 to 17\nSaturday, 10 to 14",
        returnUrl: "https://brightbrokers.example/thank-you"
      }
    }
  })
})
afterAll(() => service.stop())

const everything = /Zoë|Okafor|zoe\.okafor|AB12|Ford|Fiesta|07700|Station|LS\d/

/** A test journey from a seller whom the broker named, with the customer signed in and another link that is still open. */
const begin = async (type: "HOME_DELIVERY" | "IN_STORE" = "HOME_DELIVERY") => {
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  body.delivery.type = type
  const answer = await start(service, company.testKey, body)
  expect(answer.status).toBe(202)
  const journeyId: string = answer.data.id
  const step: CustomerStep = "VERIFY_IDENTITY"
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(await newLink(service, journeyId, step))).status).toBe(303)
  return { journeyId, customer, link: await newLink(service, journeyId, step) }
}

const simulate = async (journeyId: string, event: string) => {
  const body = { event }
  const answer = await ask(service, company.testKey, `/api/v1/journeys/${journeyId}/simulate`, { body })
  expect([answer.status, answer.errors]).toEqual([200, null])
}

const address = { buildingNumber: "14", street: "Station Approach", city: "Leeds", postcode: "LS1 4DY" }

const confirmAddress = async (journeyId: string) => {
  const kept = Effect.flatMap(CustomerDetails, (file) => file.keepAddress(JourneyId.make(journeyId), address))
  expect(await service.run(kept)).toBe(true)
}

const mainOf = ({ text }: { readonly text: string }) => ({ text: /<main[^]*<\/main>/.exec(text)?.[0] ?? "" })

describe("the end of a complete handover", () => {
  it("shows its signed-in customer seller, vehicle, time and place, whom to ask, and the way back", async () => {
    const { customer, journeyId } = await begin()
    await simulate(journeyId, "finance_enquiry.approved")
    await simulate(journeyId, "identity.verified")
    await confirmAddress(journeyId)
    await simulate(journeyId, "delivery.completed")
    const page = await customer.ask("/app/journey")
    expect(page.status).toBe(200)
    const words = wordsOf(mainOf(page))
    expect(words).toMatch(
      /^Your handover is complete .* Vehicle Ford .*AB12 CDE Seller Riverbank Car Supermarket Ltd Arranged by Bright Brokers &amp; Sons Handed over \w+, \d+ \w+ \d{4} at \d\d:\d\d Where 14 Station Approach Leeds LS1 4DY Reference/
    )
    expect(words).toContain(`Reference ${journeyId}`)
    expect(words).toContain("Questions? Call Bright Brokers &amp; Sons : +44 (113) 496 0000")
    expect(page.text).toContain('href="tel:+441134960000"')
    expect(words).toContain("Saturday, 10 to 14")
    expect(page.text).toContain('href="https://brightbrokers.example/thank-you" rel="noreferrer"')
    expect(page.text.match(/tel:\+/g)).toHaveLength(1)
  })

  it("names no address where the vehicle was handed over at the seller's", async () => {
    const { customer, journeyId } = await begin("IN_STORE")
    await simulate(journeyId, "delivery.completed")
    const page = await customer.ask("/app/journey")
    expect(wordsOf(page)).toContain("Where At the seller's place of business".replace("'", "&#39;"))
    expect(page.text).not.toContain("<br />")
  })

  it("gives a receipt that is a file, has no script and loads nothing", async () => {
    const { customer, journeyId } = await begin()
    expect((await customer.ask("/app/receipt")).location).toBe("/app/journey")
    await simulate(journeyId, "delivery.completed")
    const receipt = await customer.ask("/app/receipt")
    expect(receipt.headers.get("content-disposition")).toBe('attachment; filename="receipt.html"')
    expect(receipt.headers.get("cache-control")).toBe("no-store")
    expect(wordsOf(receipt)).toContain("Riverbank Car Supermarket Ltd")
    expect(wordsOf(receipt)).toContain("This is a simulated purchase")
    expect(receipt.text).not.toMatch(/<(?:script|link|img|form)\b|https?:/)
    expect((await new CustomerBrowser(service).ask("/app/receipt")).status).toBe(401)
  })

  it("is in the customer's language, the receipt too", async () => {
    const { customer, journeyId } = await begin()
    await simulate(journeyId, "delivery.completed")
    const inPolish = { headers: { "accept-language": "pl" } }
    expect(wordsOf(await customer.ask("/app/journey", inPolish))).toContain("Przekazanie pojazdu zostało zakończone")
    expect(wordsOf(await customer.ask("/app/receipt", inPolish))).toContain("Potwierdzenie przekazania")
  })

  it("lets the customer sign out, and shows nothing any more", async () => {
    const { customer, journeyId } = await begin()
    await simulate(journeyId, "delivery.completed")
    const page = await customer.ask("/app/journey")
    expect(wordsOf(await customer.send("/app/sign-out", { token: tokenIn(page) }))).toContain("You are signed out")
    const after = await customer.ask("/app/journey")
    expect([after.status, everything.test(after.text)]).toEqual([401, false])
  })

  it("leads a signed-in customer who opens an old link, or an old page, to it", async () => {
    const { customer, journeyId, link } = await begin()
    await simulate(journeyId, "delivery.completed")
    for (const path of [link, "/app/identity", "/app/video"]) {
      expect((await customer.ask(path)).location).toBe("/app/journey")
    }
  })
})

describe("the end of a journey without finance", () => {
  it.each(["finance_enquiry.declined", "finance_enquiry.submission_failed"])(
    "is told to its signed-in customer as the mail tells it, in every language, and as nobody's decision: %s",
    async (event) => {
      const { customer, journeyId } = await begin()
      await simulate(journeyId, event)
      for (const code of languageCodes) {
        const page = await customer.ask("/app/journey", { headers: { "accept-language": code } })
        expect(page.status).toBe(410)
        const { ending, mail } = wordsIn(code)
        const company = "Bright Brokers & Sons"
        const text = wordsOf(mainOf(page)).replaceAll(/ (?=[.,])/g, "")
        expect(text).toContain(escapedHtml(ending.closed.FINANCE({ company })))
        expect(text).toContain(escapedHtml(mail.financeUpdated.ask({ company })))
        expect(text).not.toContain(escapedHtml(ending.closed.CANCELLED({ company })))
        expect(text).toContain("+44 (113) 496 0000")
        expect(text).toMatch(/Ford .*AB12 CDE/)
        expect(text).toContain(escapedHtml(`${ending.kept({ days: 30 })} ${ending.yourData({ company })}`))
      }
    }
  )
})

describe("a link of an ended journey, without a session,", () => {
  it.each([
    ["delivery.completed", "The handover is complete."],
    ["delivery.cancelled", "It ended before the handover was complete, and there is nothing more for you to do here."],
    ["delivery.expired", "It was not finished in time, so it has ended. Bright Brokers &amp; Sons can tell you"]
  ])("says how it ended, whose it was and whom to ask, and nothing about the customer: %s", async (event, said) => {
    const { journeyId, link } = await begin()
    await simulate(journeyId, event)
    const page = await new CustomerBrowser(service).ask(link)
    expect(page.status).toBe(410)
    const words = wordsOf(mainOf(page)).replaceAll(/ (?=[.,])/g, "")
    expect(words.replaceAll("Bright Brokers &amp; Sons  ", "Bright Brokers &amp; Sons ")).toContain(
      `This journey is closed ${said}`
    )
    expect(words).toContain("Seller Riverbank Car Supermarket Ltd")
    expect(words).toContain("+44 (113) 496 0000")
    expect(page.text).toContain("https://brightbrokers.example/thank-you")
    expect(page.text).not.toMatch(everything)
    expect(page.headers.getSetCookie()).toEqual([])
  })

  it("does not say why finance was not given: a declined application is a cancellation like any other", async () => {
    const [declined, cancelled] = [await begin(), await begin()]
    await simulate(declined.journeyId, "finance_enquiry.declined")
    await simulate(cancelled.journeyId, "delivery.cancelled")
    const pages = await Promise.all(
      [declined, cancelled].map(async ({ link }) => (await new CustomerBrowser(service).ask(link)).text)
    )
    const [one = "", other = ""] = pages.map((text) => text.replaceAll(/\/app\/l\/[\w-]+/g, "/app/l/token"))
    expect(one).toBe(other)
  })

  it("of a customer who was erased is a link like any other that never was", async () => {
    const { journeyId, link } = await begin()
    await simulate(journeyId, "delivery.completed")
    const [row] = await service.query<{ customer_reference: string }>(
      "select customer_id as customer_reference from journeys where id = $1",
      [journeyId]
    )
    const erased = await askSettings(service, `/companies/${company.id}/customers/${row?.customer_reference}`, {
      method: "DELETE"
    })
    expect(erased.status).toBe(200)
    expect((await new CustomerBrowser(service).ask(link)).status).toBe(404)
  })
})

it("the page of an open link, before anybody has signed in, shows the company's logo, colour and telephone", async () => {
  const { link } = await begin()
  const visitor = new CustomerBrowser(service)
  const page = await visitor.ask(link)
  const [logo = ""] = /\/app\/logo\/[0-9a-f]{64}/.exec(page.text) ?? []
  const [sheet = ""] = /\/app\/brand\/ffd400\.[\w-]{16}\.css/.exec(page.text) ?? []
  expect((await visitor.ask(logo)).headers.get("content-type")).toBe("image/png")
  expect((await visitor.ask(sheet)).headers.get("content-type")).toBe("text/css; charset=utf-8")
  expect(wordsOf(page)).toContain("Call Bright Brokers &amp; Sons : +44 (113) 496 0000")
})
