/** The words of mail to customers. */
import { describe, expect, it } from "vitest"
import { plainBrand } from "../../../../src/schema/company/Brand.ts"
import { languageCodes, type Language } from "../../../../src/schema/words/locale/languages.ts"
import { customerSteps, type Reminder } from "../../../../src/schema/journey/steps.ts"
import {
  newsEmail,
  stepEmail,
  timeForStep,
  type Addressee,
  type MailedJourney
} from "../../../../src/actors/mail/wording/customer.ts"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import { live, shownIn } from "../mailContexts.ts"

const to: Addressee = {
  firstName: "Ann",
  registration: "AB12 CDE",
  company: "Harbour Cars",
  brand: plainBrand,
  seller: null,
  language: "en"
}
const journey: MailedJourney = live("IDENTITY_DELIVERY")
const url = "https://journeys.example/app/l/abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE"
const link = { url, until: Date.UTC(2026, 6, 4, 13, 5) }
const news = ["WELCOME", "FINANCE_APPROVED", "FINANCE_UPDATED", "HANDOVER_COMPLETE"] as const

const asks = [
  { again: false },
  { again: true },
  { again: false, reminder: "LAST" },
  { again: false, newLink: true }
] as const

const everyEmail = (addressee: Addressee) => [
  ...customerSteps.flatMap((step) => asks.map((asked) => stepEmail(step, asked, addressee, link))),
  ...news.map((kind) => newsEmail(kind, addressee, journey))
]

describe("a mail that asks the customer for a step", () => {
  it.each(customerSteps)("shows its link with the whole URL, and says how long it works: %s", (step) => {
    const { html, text } = contentOf(stepEmail(step, { again: false }, to, link))
    expect(text).toContain(` ${url}\n`)
    expect(text).toContain("once, within 3 days (until Saturday, 4 July 2026 at 14:05).")
    expect(html).toMatch(new RegExp(`<a class="link" href="${url}" [^>]*>${url}</a>`))
    expect(html).toMatch(new RegExp(`<a class="button" href="${url}" [^>]*>[A-Z][^<]+</a>`))
    expect(html.match(/<a\b/g)).toHaveLength(2)
  })

  it.each(customerSteps)("says it in other words when the step was tried before: %s", (step) => {
    const [first, again] = [stepEmail(step, { again: false }, to, link), stepEmail(step, { again: true }, to, link)]
    expect(again.subject).not.toBe(first.subject)
    expect(again.subject).toMatch(/again|reminder/i)
    expect(again.paragraphs[1]).not.toEqual(first.paragraphs[1])
  })
})

describe("a mail whose step can be done until a known time", () => {
  const until = Date.UTC(2026, 11, 26, 9, 30)
  const said = "You can do it until Saturday, 26 December 2026 at 09:30."

  it.each(customerSteps)("says so before its button, and in the first words beside the subject: %s", (step) => {
    for (const again of [false, true]) {
      const email = stepEmail(step, { again, until }, to, link)
      expect(email.preview).toMatch(new RegExp(`^${said} \\w`))
      const at = email.paragraphs.indexOf(said)
      expect(at).toBeGreaterThan(0)
      expect(email.paragraphs[at + 1]).toHaveProperty("button")
    }
  })

  it("is the one that the journey asks for, and no other", () => {
    const asking = {
      ...live("IDENTITY_DELIVERY"),
      window: { kind: "IDENTITY" as const, remainingMillis: 0, deadline: until }
    }
    expect(timeForStep("VERIFY_IDENTITY", asking)).toEqual({ until })
    expect(timeForStep("RECORD_VIDEO", asking)).toEqual({})
    expect(timeForStep("VERIFY_IDENTITY", { ...asking, window: null })).toEqual({})
  })
})

describe("a mail with a link that somebody has asked for", () => {
  it.each(customerSteps)("says first that the link is new and that the one before no longer works: %s", (step) => {
    const [first, asked] = [{ again: false }, { again: false, newLink: true }].map((one) =>
      stepEmail(step, one, to, link)
    )
    expect(asked?.subject).toBe(`New link: ${first?.subject}`)
    expect(asked?.paragraphs[1]).toMatch(/new link.*no longer works/)
    expect(asked?.paragraphs.length).toBe((first?.paragraphs.length ?? 0) + 1)
  })
})

describe("a reminder", () => {
  it.each(customerSteps)("says that it is one, what is asked, and at last until when: %s", (step) => {
    const [first, ...reminders] = [
      { again: false },
      { again: false, reminder: "FIRST" },
      { again: false, reminder: "SECOND" },
      { again: false, reminder: "LAST" }
    ].map((asked) => contentOf(stepEmail(step, asked as Parameters<typeof stepEmail>[1], to, link)))
    const request = first?.text.split("\n\n")[1] ?? ""
    expect(request.length).toBeGreaterThan(10)
    for (const { subject, text } of reminders) {
      expect(subject).toBe(`Reminder: ${first?.subject}`)
      expect(text).toContain(request)
      expect(text).toContain(` ${url}\n`)
    }
    expect(reminders.map(({ text }) => /within 7 days/.test(text))).toEqual([false, false, true])
  })

  it.each(languageCodes)(
    "says the second time that one more comes at most before the purchase ends: %s",
    (language) => {
      const [first, second] = (["FIRST", "SECOND"] as const).map(
        (reminder) => stepEmail("VERIFY_IDENTITY", { again: false, reminder }, { ...to, language }, link).paragraphs
      )
      const own = second?.filter((one) => typeof one === "string" && !first?.includes(one))
      expect(own).toHaveLength(1)
      expect(own?.[0]).toContain(to.company)
      expect(own?.[0]).toContain(to.registration)
    }
  )

  it("says the second time, in English, what follows", () => {
    const { text } = contentOf(stepEmail("VERIFY_IDENTITY", { again: false, reminder: "SECOND" }, to, link))
    expect(text).toMatch(/before this purchase of .* ends we remind you once more at most\. Once it has ended, only /)
  })

  it("says until when it can be done, with the day of the week, at the time that the customer's clock shows", () => {
    const until = Date.UTC(2026, 11, 26, 9, 30)
    const textOf = (language: Language, reminder: Reminder) =>
      contentOf(stepEmail("VERIFY_IDENTITY", { again: false, reminder, until }, { ...to, language }, link)).text
    for (const reminder of ["FIRST", "SECOND"] as const) {
      expect(textOf("en", reminder)).toContain("You can do it until Saturday, 26 December 2026 at 09:30.")
    }
    expect(textOf("en", "LAST")).toContain("within 7 days (until Saturday, 26 December 2026 at 09:30): after that")
    expect(textOf("cy", "LAST")).toContain("o fewn 7 diwrnod (dyddiad cau: Dydd Sadwrn, 26 Rhagfyr 2026 am 09:30):")
    expect(textOf("pl", "LAST")).toContain("w ciągu 7 dni (termin: sobota, 26 grudnia 2026 09:30):")
    expect(textOf("ro", "LAST")).toContain("în cel mult 7 zile (până sâmbătă, 26 decembrie 2026 la 09:30):")
  })

  it("of a link whose end no clock here knows says only how long it works", () => {
    const { text } = contentOf(stepEmail("VERIFY_IDENTITY", { again: false }, to, { url, until: null }))
    expect(text).toContain("The link works once, within 3 days. If")
  })
})

describe("news to the customer", () => {
  it("links nowhere", () => {
    for (const kind of news) expect(contentOf(newsEmail(kind, to, journey)).html).not.toContain("<a")
  })

  it("of a finance application that was not approved tells neither that nor what else it was", () => {
    const { subject, text } = contentOf(newsEmail("FINANCE_UPDATED", to, journey))
    expect(subject + text).not.toMatch(/declin|refer|reject|refus|sorry|unfortunately|approv/i)
    expect(text).toContain("Harbour Cars can tell you")
  })
})

describe("the mail of a complete handover", () => {
  const completedAt = Date.UTC(2026, 10, 22, 12, 18)
  const complete: MailedJourney = {
    ...journey,
    handover: { status: "COMPLETED", createdAt: completedAt, completedAt, mismatches: 0 }
  }

  it("is a receipt to keep: vehicle, seller, time and reference, and nothing more of the customer", () => {
    const { text } = contentOf(newsEmail("HANDOVER_COMPLETE", { ...to, seller: "Riverbank Cars" }, complete))
    expect(text).toContain(
      `Vehicle: AB12 CDE\nSeller: Riverbank Cars\nHanded over: Sunday, 22 November 2026 at 12:18\nReference: ${journey.id}\n`
    )
    expect(text).toContain("Keep this email: it is your receipt.")
  })

  it("names the company as the seller where the caller named no other", () => {
    expect(contentOf(newsEmail("HANDOVER_COMPLETE", to, complete)).text).toContain("Seller: Harbour Cars\n")
  })
})

describe("every mail to a customer", () => {
  it("calls them by first name, names the vehicle and the company, and says the same in both parts", () => {
    for (const email of everyEmail(to)) {
      const { html, subject, text } = contentOf(email)
      expect(text).toMatch(/^Hello Ann,\n\n/)
      expect(subject).toContain("AB12 CDE")
      expect(text).toContain("You get it because Harbour Cars guides you through the purchase of AB12 CDE")
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
      ...to,
      firstName: `Ann\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>`,
      registration: `"><img src=x onerror='x'>`,
      company: "A & B <Söhne>\u2028GmbH",
      seller: "<b>Seller</b>\u0000"
    }
    for (const email of everyEmail(hostile)) {
      const { html, subject, text } = contentOf(email)
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect(text).not.toMatch(/^(?:Bcc|<script)/m)
      expect(html).not.toMatch(/<(?:script|img|b|S)\b|onerror='/)
      expect(shownIn(html)).toBe(text.trimEnd())
    }
  })

  it.each(languageCodes)("is written in the customer's language, and marked as that: %s", (language) => {
    const english = new Set(everyEmail(to).map((email) => contentOf(email).text))
    for (const email of everyEmail({ ...to, language })) {
      const { html, text } = contentOf(email)
      expect(html).toMatch(new RegExp(`<html lang="${language}-[A-Z]{2}" dir="ltr">`))
      expect(text.split("\n")[0]).toContain("Ann")
      expect(email.subject).toContain("AB12 CDE")
      expect(text).toContain("Harbour Cars")
      expect(shownIn(html)).toBe(text.trimEnd())
      expect(english.has(text)).toBe(language === "en")
    }
  })

  it("shows the company's telephone and hours, and its colour in readable shades for light and dark", () => {
    const brand = {
      ...plainBrand,
      colour: "#ffd400",
      telephone: "+44 113 496 0000",
      hours: "Monday to Friday\nSaturday"
    }
    for (const email of everyEmail({ ...to, brand })) {
      const { html, text } = contentOf(email)
      expect(text).toContain("reply to this email or call +44 113 496 0000.\n\nMonday to Friday\nSaturday\n")
      expect(html).toContain("Monday to Friday<br>Saturday")
      expect(html).toMatch(/border-top:4px solid #[0-9a-f]{6}/)
      expect(html).not.toContain("4px solid #ffd400")
      expect(html).toContain(".card{background:#1a222b!important;border-top-color:#ffd400!important}")
    }
  })

  it("shows the hours in the reader's language where the company has given them, and else the hours for everybody", () => {
    const brand = { ...plainBrand, hours: "Monday", hoursIn: { pl: "Poniedziałek" } }
    for (const language of languageCodes) {
      const shown = language === "pl" ? "Poniedziałek" : "Monday"
      for (const email of everyEmail({ ...to, brand, language })) expect(email.smallPrint?.at(-1)).toBe(shown)
    }
  })

  it("has a preview line that the mail itself does not show, and nothing that is loaded from elsewhere", () => {
    const previews = everyEmail(to).map((email) => {
      const { html, text } = contentOf(email)
      expect(html).toMatch(/<div style="display:none;[^"]*" aria-hidden="true">[A-Z]/)
      expect(text).not.toContain(email.preview)
      expect(html).not.toMatch(/<(?:img|script|link|iframe|form)\b|url\(|@import|src=|background=/)
      return email.preview
    })
    expect(new Set(previews).size).toBeGreaterThan(7)
  })
})
