/** Names that read as hosts are shown so that no mail program makes a link of them; all other names are shown as they are. */
import { describe, expect, it } from "vitest"
import { newsEmail } from "../../../../src/actors/mail/wording/customer.ts"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import { invitationEmail } from "../../../../src/actors/mail/wording/member.ts"
import { unlinked } from "../../../../src/actors/mail/wording/unlinked.ts"
import { plainBrand } from "../../../../src/schema/company/Brand.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

/** What mail programs look for, roughly: words or numbers around a dot, an address, a scheme. */
const linked =
  /[0-9][.][0-9]|[\p{L}\p{N}-]+[.\u2024\u3002\uff0e\uff61][\p{L}]{2,}|[\p{L}\p{N}]@[\p{L}\p{N}]|https?:\/\/[\p{L}\p{N}]/u

const links = [
  "evil.example",
  "Cars.co.uk Ltd",
  "https://evil.example/pay",
  "pay@evil.example",
  "www.bank.example",
  "bank\u3002example",
  "bank\uff0eexample",
  "bank\uff61example",
  "bank\u2024example",
  "1.2.3.4",
  "10.20.30.40:81"
]

const telephoneNumbers = [
  "0770090",
  "Call 07700900123 now",
  "+44 (0)7700 900-123",
  "07700.900.123",
  "077 / 009 / 00123",
  "077\u00ad00\u200b900\u2011123",
  "\u0660\u0667\u0667\u0660\u0660\u0669\u0660\u0660\u0661"
]

/** What programs take for a telephone number, roughly. */
const dialled = /\p{Nd}(?:[^\p{L}\p{Nd}\u200c]*\p{Nd}){3}/u

describe("a name that reads as a link", () => {
  it.each(links)("is broken: %s", (name) => {
    expect(unlinked(name)).not.toMatch(linked)
    expect(unlinked(name).replaceAll("\u200c", "")).toBe(name)
  })

  it.each(telephoneNumbers)("or as a telephone number is broken: %s", (name) => {
    expect(unlinked(name)).not.toMatch(dialled)
    expect(unlinked(name).replaceAll("\u200c", "")).toBe(name)
  })

  it.each([
    "Harbour Cars",
    "Class of 2026",
    "AB 123 456",
    "J. R. Smith",
    "Söhne & Co.",
    "AB12 CDE",
    "O'Neil",
    "Müller-Lüdenscheidt",
    "A/S Biler"
  ])("that is none is shown as it is: %s", (name) => expect(unlinked(name)).toBe(name))

  it("is broken in every part of a mail to a customer, and of an invitation", () => {
    const evil = "evil.example"
    const addressee = {
      firstName: evil,
      registration: evil,
      company: evil,
      seller: `${evil} too`,
      language: "en"
    } as const
    const journey = { id: JourneyId.make("journey"), handover: null, lastEventAt: 0 }
    const brand = { ...plainBrand, hours: `See ${evil}` }
    const mails = [
      newsEmail("WELCOME", { ...addressee, brand }, journey),
      newsEmail("HANDOVER_COMPLETE", { ...addressee, brand }, journey),
      invitationEmail({ company: evil, role: "TEAM", by: "", link: "", until: 0, signInUrl: "" })
    ]
    for (const { html, subject, text } of mails.map(contentOf)) {
      expect([subject, text, html].filter((part) => part.includes(evil))).toEqual([])
    }
  })
})
