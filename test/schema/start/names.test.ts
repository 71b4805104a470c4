import { describe, expect, it } from "vitest"
import { messages, verdict, type Changes } from "./judge.ts"

const names = ["customer.firstName", "customer.lastName", "vehicle.registration", "externalCompanyName"]

const links = [
  "https://a.io",
  "HTTP:a.io",
  "ftp://a",
  "a.io/x",
  "Win at a.io/x",
  "a.co.uk:81/",
  "a-b.io\\x",
  "1.2.3.4/x",
  "www.a.io",
  "WWW.x",
  "x@y",
  "@ann",
  "mailto:x",
  // What a reader, or a mail program, takes for the same.
  "\uff57\uff57\uff57.a.io",
  "x\uff20y",
  "ww\u200bw.a.io",
  "a\u3002io/x",
  "k\u00f6ln.de/x",
  // Signs that are drawn like those of a link.
  "a.io\u2044x",
  "a.io\u2215x",
  "a.io\u29f8x",
  "a\u2024io\u2044x",
  "a\ua4f8io/x",
  "https\u2236a.io",
  "x\u02d0\u2044\u2044y",
  "http\ua789a",
  "evil\u06d4com/x",
  "evil\u0701com\u27cbx",
  "www\u0702evil",
  "evil\u{1d16d}com\u31d3x",
  "https\u0589evil",
  "x\u05c3\u1735\u2041y"
]

/** Names of people, firms and plates that look a little like links. */
const honest = [
  "A.J.",
  "Smith/Jones",
  "St. John",
  "O'Neil",
  "A/B 12",
  "Cars.co.uk",
  "J.P/M",
  "No.1/2",
  "Mr. X: Y",
  "10.5/2",
  // The full stop of Urdu and the colon of Armenian, as people write them.
  "\u0627\u06cc\u0645\u06d4 \u062e\u0627\u0646",
  "\u0561\u0580\u0561\u0574\u0589"
]

describe.each(names)("%s, which mails repeat", (field) => {
  const put = (value: string): Changes => ({ [field]: value })

  it.each(links)("is refused when it holds a link or an address: %s", (value) => {
    expect(verdict("IDENTITY_DELIVERY", put(value))).toEqual([`VALIDATION_FAILED ${field}`])
  })

  it.each(honest)("takes a name: %s", (value) => {
    expect(verdict("IDENTITY_DELIVERY", put(value))).toEqual([])
  })

  it("is refused with the rule, and the link is not repeated", () => {
    expect(messages("IDENTITY_DELIVERY", put("evil.io/x"))).toEqual([
      `${field} must not hold a link, a web address or an @`
    ])
  })
})

it("text that no mail repeats may hold anything", () => {
  expect(
    verdict("IDENTITY_DELIVERY", { "delivery.notes": "https://a.io x@y", externalReference: "www.a.io/x" })
  ).toEqual([])
})
