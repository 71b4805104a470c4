/** The language of the pages: by header, by cookie, by choice, by what is on file, and by the company. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { escapedHtml } from "../../../src/schema/escapedHtml.ts"
import { languageCodes, languages } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf as wordsIn } from "../../../src/schema/words/words.ts"
import { askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { CustomerBrowser, newLink, tokenIn, type Seen } from "./CustomerBrowser.ts"
import { signedIn, startCashSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
beforeAll(async () => {
  ground = await startPages()
})
afterAll(() => ground.service.stop())

const langOf = ({ text }: Seen) => /<html lang="([^"]+)" dir="([^"]+)"/.exec(text)?.[1]
const asking = (language: string) => ({ headers: { "accept-language": language } })
const choose = (browser: CustomerBrowser, language: string, page: Seen, back = "/app/journey") =>
  browser.send("/app/language", { language, back, token: tokenIn(page) })

it("is the one that the browser asks for", async () => {
  for (const code of languageCodes) {
    const page = await new CustomerBrowser(ground.service).ask("/app/journey", asking(`de, ${code};q=0.5`))
    const words = wordsIn(code)
    expect(page.text).toContain(`<html lang="${languages[code].locale}" dir="ltr">`)
    expect(page.headers.get("content-language")).toBe(languages[code].locale)
    expect(page.headers.get("vary")).toBe("Accept-Language, Cookie")
    expect(page.text).toContain(escapedHtml(words.notices.signInFirst.used))
    expect(page.text).toContain(escapedHtml(words.frame.encrypted))
  }
})

it("is the one that was chosen in this browser, whatever it asks for, and the form leads back to its page", async () => {
  const link = await newLink(ground.service, await startCashSale(ground), "VERIFY_IDENTITY")
  const browser = new CustomerBrowser(ground.service)
  const page = await browser.ask(link, asking("pl"))
  expect(langOf(page)).toBe("pl-PL")
  expect(page.text).toMatch(new RegExp(`name="back"\\s+value="${link}"`))
  const chosen = await choose(browser, "cy", page, link)
  expect(chosen).toMatchObject({ status: 303, location: link })
  expect(chosen.headers.getSetCookie().join()).toMatch(/journeys-language=cy; Max-Age=31536000; Path=\/; HttpOnly/)
  const again = await browser.ask(link, asking("pl"))
  expect(langOf(again)).toBe("cy-GB")
  // A choice is a form for those who have no script: each other language is a button, and the current one is not.
  expect(again.text).toMatch(
    /<button\s+name="language"\s+value="pl"\s+lang="pl-PL"\s+translate="no"\s*>\s*Polski\s*<\/button>/
  )
  expect(again.text).toContain('<span lang="cy-GB" translate="no" aria-current="true">Cymraeg</span>')
})

it("has the opening hours in the reader's language, where the company has given them, and else those for everybody", async () => {
  const brand = { hours: "Monday to Friday", hoursIn: { pl: "Od poniedziałku do piątku" } }
  await askSettings(ground.service, `/companies/${ground.company.id}`, { method: "PATCH", body: { brand } })
  const link = await newLink(ground.service, await startCashSale(ground), "VERIFY_IDENTITY")
  for (const code of languageCodes) {
    const { text } = await new CustomerBrowser(ground.service).ask(link, asking(code))
    expect(/<p class="hours">([^<]*)</.exec(text)?.[1]).toBe(code === "pl" ? brand.hoursIn.pl : brand.hours)
  }
})

it.each(["https://elsewhere.example/", "//elsewhere.example", "/app/../api", "/app/journey?a=b", "/elsewhere", ""])(
  "never leads to %j",
  async (back) => {
    const browser = new CustomerBrowser(ground.service)
    expect(await browser.send("/app/language", { language: "pl", back })).toMatchObject({
      status: 303,
      location: "/app/journey"
    })
  }
)

it("is not changed by a form of another site, nor to a language that there is not", async () => {
  const browser = new CustomerBrowser(ground.service)
  const foreign = await browser.send("/app/language", { language: "pl" }, { "sec-fetch-site": "cross-site" })
  expect(foreign.status).toBe(403)
  expect((await browser.send("/app/language", { language: "xx" })).status).toBe(303)
  expect([...browser.cookies.keys()]).toEqual([])
})

it("is kept with the customer who chose it: another browser has it, and erasing the customer takes it away", async () => {
  const journeyId = await startCashSale(ground, (body) => (body.customer.email = "chooser@example.com"))
  const browser = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
  const page = await browser.ask("/app/journey")
  expect(langOf(page)).toBe("en-GB")
  await choose(browser, "ro", page)
  expect(langOf(await browser.ask("/app/journey"))).toBe("ro-RO")
  const elsewhere = new CustomerBrowser(ground.service)
  const link = await newLink(ground.service, journeyId, "VERIFY_IDENTITY", crypto.randomUUID())
  const opened = await elsewhere.ask(link, asking("pl"))
  expect(langOf(opened)).toBe("ro-RO")
  // The sign-in of a browser that asks for Polish does not replace the choice.
  await elsewhere.send(link, { token: tokenIn(opened) }, { "accept-language": "pl" })
  expect(langOf(await elsewhere.ask("/app/journey", asking("pl")))).toBe("ro-RO")
  const kept = () =>
    ground.service.query<{ id: string }>("select id from customers where language = 'ro' and language_chosen")
  const [customer, ...others] = await kept()
  expect(others).toEqual([])
  const erasure = `/companies/${ground.company.id}/customers/${customer?.id}`
  expect((await askSettings(ground.service, erasure, { method: "DELETE" })).status).toBe(200)
  // The erasure goes on by itself once the journey of the customer is closed.
  await eventually(kept, (rows) => rows.length === 0, 30_000)
})

it("is not kept with a customer when the form shows another token", async () => {
  const journeyId = await startCashSale(ground, (body) => (body.customer.email = "forged@example.com"))
  const browser = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
  await browser.send("/app/language", { language: "ro", back: "/app/journey", token: "x" })
  expect(langOf(await browser.ask("/app/journey"))).toBe("ro-RO")
  browser.cookies.delete("journeys-language")
  expect(langOf(await browser.ask("/app/journey"))).toBe("en-GB")
})

it("is what the browser of an earlier sign-in asked for, where a browser asks for nothing", async () => {
  const journeyId = await startCashSale(ground, (body) => (body.customer.email = "polish@example.com"))
  const link = await newLink(ground.service, journeyId, "VERIFY_IDENTITY")
  const first = new CustomerBrowser(ground.service)
  await first.send(link, { token: tokenIn(await first.ask(link)) }, { "accept-language": "pl-PL, en;q=0.5" })
  expect(langOf(await first.ask("/app/journey"))).toBe("pl-PL")
  expect(langOf(await first.ask("/app/journey", asking("cy")))).toBe("cy-GB")
})

it("is the company's where nobody has said anything", async () => {
  const settings = `/companies/${ground.company.id}`
  const refused = await askSettings(ground.service, settings, { method: "PATCH", body: { language: "xx" } })
  expect(refused).toMatchObject({ status: 400, errors: [{ field: "language" }] })
  const changed = await askSettings(ground.service, settings, { method: "PATCH", body: { language: "cy" } })
  expect(changed).toMatchObject({ status: 200, data: { language: "cy" } })
  const link = await newLink(ground.service, await startCashSale(ground), "VERIFY_IDENTITY")
  expect(langOf(await new CustomerBrowser(ground.service).ask(link))).toBe("cy-GB")
  expect(langOf(await new CustomerBrowser(ground.service).ask(link, asking("ro")))).toBe("ro-RO")
  // A link that has ended, or never was, does not show whose it is.
  expect(langOf(await new CustomerBrowser(ground.service).ask("/app/l/unknown"))).toBe("en-GB")
  await askSettings(ground.service, settings, { method: "PATCH", body: { language: "en" } })
})

it("is the language of problems, too", async () => {
  const page = await new CustomerBrowser(ground.service).ask("/app/nothing", asking("pl"))
  expect(page.status).toBe(404)
  expect(page.text).toContain(`<h1>${wordsIn("pl").problems.of.noSuchPage.heading}</h1>`)
  expect(page.text).toMatch(/<title>\s*Błąd: Nie ma takiej strony\s*<\/title>/)
})
