import { describe, expect, it } from "vitest"
import { normaliserOf } from "../../../src/schema/decoding/normalise.ts"
import { startBodies } from "../../../src/schema/start/startBodies.ts"
import { normaliseText } from "../../../src/schema/decoding/text.ts"
import type { Shape } from "../../../src/schema/journey/statuses.ts"
import { absent, accepted, messages, verdict } from "./judge.ts"

interface TextField {
  readonly shape: Shape
  readonly field: string
  readonly limit: number
  /** What a missing value is answered with; nothing if the field is optional. */
  readonly missing?: string
}

const incomplete = "APPLICATION_INCOMPLETE"

/** Every free text field of §4.2, on a shape that has it. */
const fields: ReadonlyArray<TextField> = [
  { shape: "CASH_SALE", field: "externalReference", limit: 100 },
  { shape: "IDENTITY_DELIVERY", field: "externalCompanyName", limit: 255 },
  { shape: "FINANCE_SALE", field: "customer.firstName", limit: 100, missing: "VALIDATION_FAILED" },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "customer.firstName", limit: 100, missing: "VALIDATION_FAILED" },
  { shape: "IDENTITY_DELIVERY", field: "customer.lastName", limit: 100, missing: "VALIDATION_FAILED" },
  { shape: "CASH_SALE", field: "vehicle.registration", limit: 20, missing: "VALIDATION_FAILED" },
  { shape: "CASH_SALE", field: "vehicle.make", limit: 50 },
  { shape: "CASH_SALE", field: "vehicle.model", limit: 100 },
  { shape: "CASH_SALE", field: "vehicle.colour", limit: 50 },
  { shape: "CASH_SALE", field: "vehicle.inventoryVehicleId", limit: 100 },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "delivery.notes", limit: 1000 },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "finance.panelName", limit: 20, missing: "PANEL_REFERENCE_REQUIRED" },
  {
    shape: "FINANCE_ALREADY_SUBMITTED",
    field: "finance.panelReference",
    limit: 100,
    missing: "PANEL_REFERENCE_REQUIRED"
  },
  { shape: "IDENTITY_DELIVERY", field: "finance.panelName", limit: 20 },
  { shape: "IDENTITY_DELIVERY", field: "finance.panelReference", limit: 100 },
  { shape: "IDENTITY_DELIVERY", field: "finance.lender", limit: 50 },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "finance.lender", limit: 50 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.lender", limit: 50 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.employmentHistory[1].employer", limit: 255, missing: incomplete },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.employmentHistory[0].jobTitle", limit: 255, missing: incomplete },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[0].street", limit: 255, missing: incomplete },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[1].city", limit: 100, missing: incomplete },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[1].postcode", limit: 20, missing: incomplete },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[0].buildingNumber", limit: 20 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[1].buildingName", limit: 100 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[1].subBuildingName", limit: 100 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[0].organisationName", limit: 100 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.addressHistory[0].county", limit: 100 },
  { shape: "FINANCE_SUBMIT_VIA_MIRA", field: "finance.consents.providerName", limit: 255, missing: "CONSENT_REQUIRED" },
  {
    shape: "FINANCE_SALE",
    field: "customerFace.biometricConsent.noticeVersion",
    limit: 100,
    missing: "VALIDATION_FAILED"
  },
  { shape: "FINANCE_SALE", field: "customerFace.biometricConsent.capturedBy", limit: 255 }
]

describe.each(fields)("$field of $shape", ({ shape, field, limit, missing }) => {
  const put = (value: unknown) => verdict(shape, { [field]: value })
  const refused = [`VALIDATION_FAILED ${field}`]
  const withoutIt = missing === undefined ? [] : [`${missing} ${field}`]

  it(`takes 1 to ${limit} characters, whatever their size in code units`, () => {
    expect(put("x")).toEqual([])
    expect(put("x".repeat(limit))).toEqual([])
    expect(put("😀".repeat(limit))).toEqual([])
    expect(put("x".repeat(limit + 1))).toEqual(refused)
    expect(put(`${"😀".repeat(limit)}x`)).toEqual(refused)
    expect(put("😀".repeat(limit + 1))).toEqual(refused)
  })

  it("counts after trimming and composing, and never cuts", () => {
    expect(put(`   ${"x".repeat(limit)}${" ".repeat(500)}`)).toEqual([])
    expect(put(`${"x".repeat(limit)}     y`)).toEqual(refused)
    expect(put("e\u0301".repeat(limit))).toEqual([])
    expect(put("\u03b1\u0313\u0300\u0345".repeat(limit))).toEqual([])
    expect(put("e\u0301".repeat(limit + 1))).toEqual(refused)
    expect(put("e\u0301".repeat(20 * limit))).toEqual(refused)
  })

  it("counts as missing when absent or blank", () => {
    expect(put(absent)).toEqual(withoutIt)
    expect(put("")).toEqual(withoutIt)
    expect(put(" \u00a0\u3000 ")).toEqual(withoutIt)
  })

  it("refuses other JSON types, null among them", () => {
    for (const value of [null, 5, true, {}, ["x"]]) expect(put(value)).toEqual(refused)
  })

  it("refuses characters that hide, reorder or break text", () => {
    for (const value of [
      "a\u0000b",
      "a\u0007b",
      "a\u007fb",
      "a\u0085b",
      "a\u202eb",
      "a\u202ab",
      "a\u2066b",
      "a\u2069b",
      "a\ufeffb",
      "\ufeffa",
      "a\ud800b",
      "\udc00",
      "\u200b",
      "\u200b \u2060\u00ad",
      "\ufe0f"
    ])
      expect(put(value), JSON.stringify(value)).toEqual(refused)
  })

  it("takes scripts, joiners and emoji of all kinds", () => {
    for (const value of ["Ł", "王", "👩‍🔧", "‏ن", "O'B-ä.", "'; --", "../../x", "\u2800x"]) {
      expect(put(value), JSON.stringify(value)).toEqual([])
    }
  })
})

describe("text that is accepted", () => {
  it("is kept trimmed and composed, and a blank optional field is left out", () => {
    const request = accepted("CASH_SALE", {
      "customer.firstName": "  Zoe\u0308 Ann  ",
      "vehicle.make": "  ",
      "vehicle.registration": "\u00a0AB12 CDE "
    })
    expect(request.customer.firstName).toBe("Zo\u00eb Ann")
    expect(request.vehicle.registration).toBe("AB12 CDE")
    expect(request.vehicle).not.toHaveProperty("make")
  })

  it("leaves the body it was read from as it was", () => {
    const body = Object.freeze({ customer: Object.freeze({ firstName: " x " }) })
    expect(verdict("CASH_SALE", body)).toEqual([
      "VALIDATION_FAILED customer.lastName",
      "VALIDATION_FAILED customer.email"
    ])
    expect(body.customer.firstName).toBe(" x ")
  })

  it("may have line breaks and tabs in the notes, and in no other field", () => {
    const request = accepted("CASH_SALE", { "delivery.notes": "\n\tfirst\r\n\tsecond\n" })
    expect(request.delivery.notes).toBe("first\r\n\tsecond")
    for (const field of ["customer.firstName", "externalReference", "vehicle.make"]) {
      for (const value of ["a\nb", "a\tb", "a\n", "\ra", "a\u2028b"]) {
        expect(verdict("CASH_SALE", { [field]: value }), JSON.stringify(value)).toEqual([`VALIDATION_FAILED ${field}`])
      }
    }
  })
})

describe("text that is refused for its length in any case", () => {
  // Composing 100,000 marks takes two seconds.
  const marks = `a${"\u0301\u0316".repeat(50_000)}`

  it("is not composed first", () => {
    const form = { limit: 255, lines: "ONE", alphabet: "UNICODE" } as const
    expect(normaliseText(marks, form) === marks).toBe(true)
    expect(normaliseText("a\u0301", form)).toBe("\u00e1")
  })

  it("is not judged in a list of more than ten entries", () => {
    const normalise = normaliserOf(startBodies.FINANCE_SUBMIT_VIA_MIRA)
    const employmentHistory = Array.from({ length: 11 }, () => ({ employer: "cafe\u0301 " }))
    expect(normalise({ finance: { employmentHistory } })).toEqual({ finance: { employmentHistory } })
    expect(normalise({ finance: { employmentHistory: employmentHistory.slice(1) } })).toHaveProperty(
      "finance.employmentHistory[9].employer",
      "caf\u00e9"
    )
  })
})

describe("the message about text", () => {
  it("says the rule and never repeats the text", () => {
    expect(messages("CASH_SALE", { "customer.firstName": "secret".repeat(20) })).toEqual([
      "customer.firstName must be at most 100 characters"
    ])
    expect(messages("CASH_SALE", { "customer.firstName": "se\u202ecret" })).toEqual([
      "customer.firstName must not hold control characters, direction overrides or U+FEFF"
    ])
    for (const nothing of ["\u200b", "\u3164", "\u2800\u2800"]) {
      expect(messages("CASH_SALE", { "customer.firstName": nothing })).toEqual([
        "customer.firstName must hold a visible character"
      ])
    }
    expect(messages("CASH_SALE", { "customer.firstName": 17 })).toEqual(["customer.firstName must be a string"])
    expect(messages("CASH_SALE", { "customer.firstName": absent })).toEqual(["customer.firstName is required"])
    for (const blank of ["", " \u3000"]) {
      expect(messages("CASH_SALE", { "vehicle.registration": blank })).toEqual([
        "vehicle.registration must not be empty"
      ])
    }
  })
})
