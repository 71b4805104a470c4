/** The language of a customer's mail, through a real SMTP server: the company's at first, then the customer's own. */
import { expect, it } from "vitest"
import { askSettings } from "../support/companies.ts"
import { wordsOf } from "../../src/schema/words/words.ts"
import { CustomerBrowser, tokenIn } from "../http/app/CustomerBrowser.ts"
import { journeyMailGround, textOf } from "./journeyMailGround.ts"

const { arrived, begin, liveCompany, newAddress, service } = journeyMailGround()

/** The letters of a mail's text part; the transport shows its bytes. */
const lettersOf = (mail: Parameters<typeof textOf>[0] | undefined): string =>
  mail === undefined ? "" : Buffer.from(textOf(mail), "latin1").toString()

it("is the company's until the customer has signed in, and then the one that the customer reads and chooses", async () => {
  const company = await liveCompany()
  const settings = { method: "PATCH", body: { language: "cy" } } as const
  expect((await askSettings(service(), `/companies/${company.id}`, settings)).status).toBe(200)
  const email = newAddress()
  const journeyId = await begin(company.liveKey, "CASH_SALE", email)
  const resend = (mails: number) =>
    askSettings(service(), `/companies/${company.id}/journeys/${journeyId}/resend-link`, { method: "POST" }).then(() =>
      arrived(email, mails)
    )

  const [welcome, first] = await arrived(email, 2)
  expect(lettersOf(welcome)).toContain(wordsOf("cy").mail.welcome.nothing)
  const [, link = ""] = /https:\/\/journeys\.example(\/app\/l\/\S+)/.exec(lettersOf(first)) ?? []

  const browser = new CustomerBrowser(service())
  const asksForPolish = { "accept-language": "pl" }
  const opened = await browser.ask(link, { headers: asksForPolish })
  expect((await browser.send(link, { token: tokenIn(opened) }, asksForPolish)).status).toBe(303)
  expect(lettersOf((await resend(3))[2])).toContain(wordsOf("pl").mail.reply)

  const page = await browser.ask("/app/journey", { headers: asksForPolish })
  await browser.send("/app/language", { language: "ro", back: "/app/journey", token: tokenIn(page) })
  expect(lettersOf((await resend(4))[3])).toContain(wordsOf("ro").mail.reply)
})
