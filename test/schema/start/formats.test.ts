import { describe, expect, it } from "vitest"
import { absent, accepted, messages, now, shapes, verdict } from "./judge.ts"

const applicant = (dateOfBirth: string, today = now) =>
  verdict("FINANCE_SUBMIT_VIA_MIRA", { "customer.dateOfBirth": dateOfBirth }, { now: today })

describe("customer.email", () => {
  const refused = ["VALIDATION_FAILED customer.email"]

  it.each([
    "a@b.c",
    "ann+identity_failed@example.com",
    "o'brien.x_y-z@sub-domain.example.co.uk",
    "a@xn--bcher-kva.example",
    "UPPER@Example.COM",
    `${"a".repeat(64)}@example.com`,
    `a@${"b".repeat(63)}.example`,
    `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(59)}.e1`
  ])("takes %s", (email) => {
    expect(verdict("CASH_SALE", { "customer.email": email })).toEqual([])
  })

  it.each([
    absent,
    "",
    "   ",
    "a",
    "a@",
    "@b",
    "a@b",
    "a b@c.d",
    "a@b..c",
    "a@-b.c",
    "a@b-.c",
    ".a@b.c",
    "a.@b.c",
    "a..b@c.d",
    "a@.b.c",
    "a@b.c.",
    "a@b@c.d",
    "a@b.c\r\nBcc:z@z.z",
    "a@b.c\n",
    "a@b.c,z@z.z",
    "a@b.c;z@z.z",
    '"a"@b.c>',
    '"a"@b.c',
    "A <a@b.c>",
    "<a@b.c>",
    "mailto:a@b.c",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@b_c.d",
    "a@b\u00fccher.example",
    "\u00e4@example.com",
    "a\u212a@example.com",
    "a@example.\u0441om",
    "a\u0000@b.c",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(64)}.example`,
    `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(60)}.e1`,
    `a@${"a.".repeat(250)}`,
    '"'.repeat(255),
    null,
    5,
    ["a@b.c"]
  ])("refuses %j", (email) => {
    expect(verdict("CASH_SALE", { "customer.email": email })).toEqual(refused)
  })

  // A pattern that tries every way to read such an address would take longer than this test may.
  it("refuses addresses that are made to be read for ever", { timeout: 10_000 }, () => {
    const hostile = [
      `a@${"a.".repeat(126)}`,
      `a@${"a-".repeat(126)}`,
      `a@${"-".repeat(250)}`,
      "a.".repeat(127),
      `${"a".repeat(250)}!@`,
      "@".repeat(255)
    ]
    for (const email of hostile) expect(verdict("CASH_SALE", { "customer.email": email }), email).toEqual(refused)
  })

  it("is kept as it was sent, without the spaces around it", () => {
    expect(accepted("CASH_SALE", { "customer.email": "  Ann.Lee@Example.COM " }).customer.email).toBe(
      "Ann.Lee@Example.COM"
    )
  })

  it("says in the message why an international domain is refused", () => {
    expect(messages("CASH_SALE", { "customer.email": "a@b\u00fccher.example" })).toEqual([
      "customer.email must be ASCII; write an international domain in its xn-- form"
    ])
  })
})

describe("customer.mobile", () => {
  it.each(["----------", "0123456789", "+44 (0)7700 900123", "1".repeat(20), "  0123456789  "])(
    "takes %j",
    (mobile) => {
      expect(verdict("FINANCE_SUBMIT_VIA_MIRA", { "customer.mobile": mobile })).toEqual([])
      expect(verdict("CASH_SALE", { "customer.mobile": mobile })).toEqual([])
    }
  )

  it.each([
    "012345678",
    "1".repeat(21),
    "0123456789x",
    "０１２３４５６７８９",
    "01234\t6789",
    "01234.56789",
    1234567890,
    null
  ])("refuses %j", (mobile) => {
    expect(verdict("FINANCE_SUBMIT_VIA_MIRA", { "customer.mobile": mobile })).toEqual([
      "VALIDATION_FAILED customer.mobile"
    ])
    expect(verdict("CASH_SALE", { "customer.mobile": mobile })).toEqual(["VALIDATION_FAILED customer.mobile"])
  })
})

describe("customer.title", () => {
  it.each(["MR", "MRS", "MISS", "MS", "DR"])("takes %s", (title) => {
    for (const shape of shapes) expect(verdict(shape, { "customer.title": title })).toEqual([])
  })

  it.each(["Mr", "MR ", "", "SIR", null, 1])("refuses %j", (title) => {
    for (const shape of shapes)
      expect(verdict(shape, { "customer.title": title })).toEqual(["VALIDATION_FAILED customer.title"])
  })
})

describe("customer.dateOfBirth", () => {
  const refused = ["VALIDATION_FAILED customer.dateOfBirth"]

  it.each(["2000-02-29", "1900-01-01", "1996-12-31", "2026-01-15", " 1990-04-17 "])(
    "takes %j on any journey",
    (date) => {
      expect(verdict("CASH_SALE", { "customer.dateOfBirth": date })).toEqual([])
    }
  )

  it.each([
    "1900-02-29",
    "2023-02-30",
    "2023-02-29",
    "2023-04-31",
    "2023-13-01",
    "2023-00-10",
    "2023-01-00",
    "2023-01-32",
    "0000-01-01",
    "1899-12-31",
    "1990-1-1",
    "90-01-01",
    "01-01-1990",
    "1990-01-01T00:00:00Z",
    "1990/01/01",
    "19900101",
    "１９９０-01-01",
    "+001990-01-01",
    "2026-01-16",
    "9999-12-31",
    19_900_101,
    null
  ])("refuses %j on any journey", (date) => {
    expect(verdict("CASH_SALE", { "customer.dateOfBirth": date })).toEqual(refused)
    expect(verdict("FINANCE_SUBMIT_VIA_MIRA", { "customer.dateOfBirth": date })).toEqual(refused)
  })

  it("makes an applicant 18 to 120 years old on the day of the request", () => {
    expect(applicant("2008-01-15")).toEqual([])
    expect(applicant("2008-01-16")).toEqual(refused)
    expect(applicant("1905-01-16")).toEqual([])
    expect(applicant("1905-01-15")).toEqual(refused)
  })

  it("counts a person who was born on 29 February as a year older on 1 March", () => {
    expect(applicant("2008-02-29", Date.parse("2026-02-28T23:59:59.999Z"))).toEqual(refused)
    expect(applicant("2008-02-29", Date.parse("2026-03-01T00:00:00Z"))).toEqual([])
  })

  it("is not judged by age where the service submits no application", () => {
    expect(verdict("FINANCE_ALREADY_SUBMITTED", { "customer.dateOfBirth": "2020-01-01" })).toEqual([])
  })
})

describe.each(["customerFace.capturedAt", "customerFace.biometricConsent.capturedAt"])("%s", (field) => {
  const put = (value: unknown) => verdict("FINANCE_SALE", { [field]: value })

  it.each([
    "2026-01-15T10:25:00Z",
    "2026-01-15T10:25:00.123456Z",
    "2026-01-15T12:25:00+02:00",
    "2026-01-15T12:25:00+0200",
    "2026-01-15T10:25Z",
    "2026-01-15T12:25+02:00",
    "2024-02-29T23:59:59-11:30",
    "2026-01-15T10:35:00Z",
    "2026-01-15T11:35:00.000+01:00"
  ])("takes %s", (time) => expect(put(time)).toEqual([]))

  it.each([
    "2026-01-15",
    "2026-01-15T10:25:00",
    "2026-01-15T10Z",
    "2026-01-15T10:25",
    "2026-01-15T10:25.5Z",
    "2026-01-15 10:25:00Z",
    "2026-01-15T10:25:00z",
    "2026-02-29T10:25:00Z",
    "2025-01-15T24:00:00Z",
    "2025-01-15T10:60:00Z",
    "2025-06-30T23:59:60Z",
    "2025-01-15T10:25:00+24:00",
    "2025-01-15T10:25:00+01",
    "2025-01-15T10:25:00+2400",
    "20250115T102500Z",
    "2025-01-15T10:25:00.Z",
    "2026-01-15T10:35:00.001Z",
    "2026-01-15T10:35:01Z",
    "2026-01-15T10:25:00-01:00",
    "yesterday",
    1_768_472_700,
    null
  ])("refuses %j", (time) => expect(put(time)).toEqual([`VALIDATION_FAILED ${field}`]))
})
