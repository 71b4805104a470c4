/** The words of mail to customers. */
import { describe, expect, it } from "vitest"
import { customerSteps } from "../../../../src/schema/journey/steps.ts"
import { newsEmail, stepEmail, type Addressee } from "../../../../src/actors/mail/wording/customer.ts"
import { contentOf } from "../../../../src/actors/mail/wording/Email.ts"
import { shownIn } from "../mailContexts.ts"

const to: Addressee = { firstName: "Ann", registration: "AB12 CDE", company: "Harbour Cars", seller: null }
const url = "https://journeys.example/app/l/abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE"
const news = ["WELCOME", "FINANCE_APPROVED", "FINANCE_UPDATED", "HANDOVER_COMPLETE"] as const

const everyEmail = (addressee: Addressee) => [
  ...customerSteps.flatMap((step) => [false, true].map((again) => stepEmail(step, again, addressee, url))),
  ...news.map((kind) => newsEmail(kind, addressee))
]

describe("a mail that asks the customer for a step", () => {
  it.each(customerSteps)("shows its link with the whole URL, and says how long it works: %s", (step) => {
    const { html, text } = contentOf(stepEmail(step, false, to, url))
    expect(text).toContain(` ${url}\n`)
    expect(text).toContain("once, within 72 hours")
    expect(html).toContain(`<a href="${url}">${url}</a>`)
    expect(html.match(/<(a|img|script|link|meta)\b/g)).toEqual(["<meta", "<a"])
  })

  it.each(customerSteps)("says it in other words when the step was tried before: %s", (step) => {
    const [first, again] = [stepEmail(step, false, to, url), stepEmail(step, true, to, url)]
    expect(again.subject).not.toBe(first.subject)
    expect(again.subject).toMatch(/again|reminder/i)
    expect(again.paragraphs[1]).not.toEqual(first.paragraphs[1])
  })
})

describe("news to the customer", () => {
  it("links nowhere", () => {
    for (const kind of news) expect(contentOf(newsEmail(kind, to)).html).not.toContain("<a")
  })

  it("of a finance application that was not approved tells neither that nor what else it was", () => {
    const { subject, text } = contentOf(newsEmail("FINANCE_UPDATED", to))
    expect(subject + text).not.toMatch(/declin|refer|reject|refus|sorry|unfortunately|approv/i)
    expect(text).toContain("Harbour Cars can tell you")
  })
})

describe("every mail to a customer", () => {
  it("calls them by first name, names the vehicle and the company, and says the same in both parts", () => {
    for (const email of everyEmail(to)) {
      const { html, subject, text } = contentOf(email)
      expect(text).toMatch(/^Hello Ann,\n\n/)
      expect(subject).toContain("AB12 CDE")
      expect(text).toContain("Harbour Cars")
      expect(shownIn(html)).toBe(text.trimEnd())
    }
  })

  it("has a subject of its own", () => {
    const subjects = everyEmail(to).map(({ subject }) => subject)
    expect(new Set(subjects).size).toBe(subjects.length)
  })

  it("shows the seller whom the caller named, unless it is the company itself", () => {
    const ofBroker = { ...to, company: "Bright Brokers", seller: "Harbour Cars" }
    for (const email of everyEmail(ofBroker)) {
      expect(contentOf(email).text).toContain("from Bright Brokers, on behalf of the seller, Harbour Cars.")
    }
    for (const email of everyEmail({ ...to, seller: " Harbour Cars " })) {
      expect(contentOf(email).text).not.toContain("on behalf")
    }
  })

  it("takes whatever stands in a name for text: no markup, no new line, no new header", () => {
    const hostile: Addressee = {
      firstName: `Ann\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>`,
      registration: `"><img src=x onerror='x'>`,
      company: "A & B <Söhne>\u2028GmbH",
      seller: "<b>Seller</b>\u0000"
    }
    for (const email of everyEmail(hostile)) {
      const { html, subject, text } = contentOf(email)
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect(text).not.toMatch(/^(?:Bcc|<script)/m)
      expect(html).not.toMatch(/<(?:script|img|b|S)\b/)
      expect(shownIn(html)).toBe(text.trimEnd())
    }
  })
})
