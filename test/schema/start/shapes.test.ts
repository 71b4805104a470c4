import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { exampleId } from "../../../src/schema/exampleId.ts"
import { decodeStart } from "../../../src/schema/start/decodeStart.ts"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { absent, accepted, changed, factsFor, messages, photo, shapes, verdict, verdictOn } from "./judge.ts"

const mira = "FINANCE_SUBMIT_VIA_MIRA"
const already = "FINANCE_ALREADY_SUBMITTED"

describe.each(shapes)("the example of %s", (shape) => {
  it("is accepted, tagged with its shape", () => {
    expect(verdict(shape)).toEqual([])
    expect(accepted(shape)).toMatchObject({ shape, ...(startExamples[shape] as object) })
  })

  it.each(["customer", "vehicle", "delivery"])("needs %s, as an object", (section) => {
    for (const value of [absent, null, "x", 1, []]) {
      const [first, ...rest] = verdict(shape, { [section]: value })
      expect([first, ...rest]).toContain(`VALIDATION_FAILED ${section}`)
      expect(rest.filter((line) => line.includes(`${section}.`))).toEqual([])
    }
  })

  it("may carry every optional customer field (V2)", () => {
    const customer = { mobile: "0123456789", title: "DR", dateOfBirth: "1980-02-29" }
    for (const [name, value] of Object.entries(customer)) {
      expect(verdict(shape, { [`customer.${name}`]: value })).toEqual([])
      const withoutIt = shape === mira ? [`APPLICATION_INCOMPLETE customer.${name}`] : []
      expect(verdict(shape, { [`customer.${name}`]: absent })).toEqual(withoutIt)
    }
  })

  it("may carry externalReference and externalCompanyName", () => {
    expect(verdict(shape, { externalReference: "r", externalCompanyName: "c" })).toEqual([])
    expect(verdict(shape, { externalReference: absent, externalCompanyName: absent })).toEqual([])
  })

  it("refuses fields that only the service sets", () => {
    for (const name of [
      "id",
      "status",
      "livemode",
      "companyId",
      "createdAt",
      "customerReference",
      "shape",
      "nextAction"
    ]) {
      expect(verdict(shape, { [name]: null })).toEqual([`VALIDATION_FAILED ${name}`])
    }
  })
})

describe("a body that is not an object", () => {
  it("is refused as a whole", () => {
    for (const body of [null, undefined, 1, "{}", true, [], [startExamples.CASH_SALE]]) {
      expect(verdictOn(body, factsFor("CASH_SALE"))).toEqual(["VALIDATION_FAILED body"])
    }
  })
})

describe("finance", () => {
  it("is needed on FINANCE_IDENTITY_DELIVERY, with a known panelSubmission", () => {
    for (const shape of [mira, already] as const) {
      expect(verdict(shape, { finance: absent })).toEqual(["VALIDATION_FAILED finance"])
      expect(verdict(shape, { finance: null })).toEqual(["VALIDATION_FAILED finance"])
      for (const value of [absent, "already_submitted", "SUBMIT_VIA_MIRA ", "", null, 1]) {
        expect(verdict(shape, { "finance.panelSubmission": value })).toEqual([
          "VALIDATION_FAILED finance.panelSubmission"
        ])
      }
    }
  })

  it("is judged as far as possible when panelSubmission is missing or unknown", () => {
    expect(
      verdict(mira, {
        "finance.panelSubmission": "MIRA",
        "finance.loanTerm": 11,
        "finance.color": "red",
        "finance.addressHistory[0].city": absent,
        "customer.email": "x",
        "delivery.saleType": "CASH_SALE"
      })
    ).toEqual([
      "SALE_TYPE_NOT_USED delivery.saleType",
      "VALIDATION_FAILED customer.email",
      "VALIDATION_FAILED finance.color",
      "VALIDATION_FAILED finance.panelSubmission",
      "VALIDATION_FAILED finance.loanTerm",
      "VALIDATION_FAILED finance.addressHistory[0].city"
    ])
  })

  it("must have the panel's name and reference with ALREADY_SUBMITTED", () => {
    expect(verdict(already, { "finance.panelName": absent, "finance.panelReference": "  " })).toEqual([
      "PANEL_REFERENCE_REQUIRED finance.panelName",
      "PANEL_REFERENCE_REQUIRED finance.panelReference"
    ])
  })

  it("must have no panel fields with SUBMIT_VIA_MIRA, not even empty ones", () => {
    expect(verdict(mira, { "finance.panelName": "P", "finance.panelReference": "", "finance.decision": null })).toEqual(
      [
        "PANEL_FIELDS_NOT_USED finance.panelName",
        "PANEL_FIELDS_NOT_USED finance.panelReference",
        "PANEL_FIELDS_NOT_USED finance.decision"
      ]
    )
  })

  it("may name only the approved deal on IDENTITY_DELIVERY", () => {
    expect(verdict("IDENTITY_DELIVERY", { finance: absent })).toEqual([])
    expect(verdict("IDENTITY_DELIVERY", { finance: {} })).toEqual([])
    expect(verdict("IDENTITY_DELIVERY", { finance: [] })).toEqual(["VALIDATION_FAILED finance"])
    const names = [
      "panelSubmission",
      "decision",
      "vehiclePrice",
      "loanTerm",
      "depositAmount",
      "monthlyBudget",
      "maritalStatus",
      "drivingLicenceType",
      "validUkPassport",
      "employmentHistory",
      "addressHistory",
      "consents"
    ]
    for (const name of names) {
      expect(verdict("IDENTITY_DELIVERY", { [`finance.${name}`]: null })).toEqual([
        `FINANCE_FIELDS_NOT_USED finance.${name}`
      ])
    }
    expect(verdict("IDENTITY_DELIVERY", { "finance.vehicleprice": 1, "finance.consents": {} })).toEqual([
      "FINANCE_FIELDS_NOT_USED finance.consents",
      "VALIDATION_FAILED finance.vehicleprice"
    ])
  })

  it("is refused on DELIVERY", () => {
    for (const shape of ["CASH_SALE", "FINANCE_SALE"] as const) {
      for (const value of [{}, { lender: "L" }, null]) {
        expect(verdict(shape, { finance: value })).toEqual(["VALIDATION_FAILED finance"])
      }
    }
  })

  it("may hold the fields of an application with ALREADY_SUBMITTED, which are then judged by their form (V2)", () => {
    const { finance } = startExamples[mira]
    const { panelSubmission: _, ...application } = finance
    const body = changed(startExamples[already], {
      finance: { ...startExamples[already].finance, ...application }
    })
    expect(verdictOn(body, factsFor(already))).toEqual([])
    const judged = (changes: Record<string, unknown>) => verdictOn(changed(body, changes), factsFor(already))
    expect(judged({ "finance.consents.creditCheck": false })).toEqual([])
    expect(judged({ "finance.addressHistory": [], "finance.employmentHistory": [] })).toEqual([])
    expect(judged({ "finance.addressHistory[1].timeAtAddressYears": 0 })).toEqual([])
    expect(judged({ "finance.consents.creditCheck": "true", "finance.consents.providerName": absent })).toEqual([
      "VALIDATION_FAILED finance.consents.creditCheck",
      "VALIDATION_FAILED finance.consents.providerName"
    ])
    expect(judged({ "finance.employmentHistory[0]": {} })).toHaveLength(5)
    expect(judged({ "finance.addressHistory": Array.from({ length: 11 }, () => ({})) })).toContain(
      "VALIDATION_FAILED finance.addressHistory"
    )
  })
})

describe("delivery.saleType", () => {
  it("must be there on DELIVERY", () => {
    expect(verdict("CASH_SALE", { "delivery.saleType": absent })).toEqual(["SALE_TYPE_REQUIRED delivery.saleType"])
    for (const value of ["cash_sale", "CASH_SALE ", "", null, 1]) {
      expect(verdict("CASH_SALE", { "delivery.saleType": value })).toEqual(["VALIDATION_FAILED delivery.saleType"])
    }
  })

  it("leaves only the photo unjudged when it is missing", () => {
    expect(
      verdict("FINANCE_SALE", { "delivery.saleType": absent, "customerFace.source": "CAMERA", "vehicle.year": 1899 })
    ).toEqual([
      "SALE_TYPE_REQUIRED delivery.saleType",
      "VALIDATION_FAILED vehicle.year",
      "VALIDATION_FAILED customerFace.source"
    ])
  })

  it("is refused on other journeys", () => {
    for (const shape of ["IDENTITY_DELIVERY", mira, already] as const) {
      for (const value of ["FINANCE_SALE", "", null]) {
        expect(verdict(shape, { "delivery.saleType": value })).toEqual(["SALE_TYPE_NOT_USED delivery.saleType"])
      }
    }
  })
})

describe("a vehicle's dealer", () => {
  const field = { company: "vehicle.dealerCompanyId", directory: "vehicle.dealerDirectoryId" }
  const dealer = exampleId("company", 2)

  it.each(shapes.filter((shape) => shape !== "CASH_SALE"))(
    "may be named with a broker's key in one way on %s",
    (shape) => {
      const broker = (changes: Record<string, unknown>) => verdict(shape, changes, { companyKind: "BROKER" })
      expect(broker({})).toEqual([])
      expect(broker({ [field.company]: dealer })).toEqual([])
      expect(broker({ [field.company]: ` ${dealer.toUpperCase()} ` })).toEqual([])
      expect(broker({ [field.directory]: "'; drop table" })).toEqual([])
      expect(broker({ [field.company]: dealer, [field.directory]: "d-2" })).toEqual([
        `VALIDATION_FAILED ${field.directory}`
      ])
      expect(broker({ [field.company]: dealer, [field.directory]: " " })).toEqual([])
      for (const malformed of ["d-1", `${dealer}0`, dealer.replaceAll("-", ""), "'; drop table"]) {
        expect(broker({ [field.company]: malformed })).toEqual([`VALIDATION_FAILED ${field.company}`])
      }
      expect(broker({ [field.directory]: "x".repeat(101) })).toEqual([`VALIDATION_FAILED ${field.directory}`])
    }
  )

  it("reads alike when it is malformed and when the service does not know it", () => {
    const message = `${field.company} must be the id of a dealer of this service`
    const unknown = decodeStart(changed(startExamples.IDENTITY_DELIVERY, { [field.company]: dealer }), {
      ...factsFor("IDENTITY_DELIVERY"),
      companyKind: "BROKER",
      isDealerKnown: false
    })
    const expected = [{ field: field.company, code: "VALIDATION_FAILED", message }]
    expect(Result.merge(unknown)).toEqual(expected)
    expect(messages("IDENTITY_DELIVERY", { [field.company]: "d-1" }, { companyKind: "BROKER" })).toEqual([message])
  })

  it("must not be named with a dealer's key", () => {
    expect(verdict("CASH_SALE", { [field.company]: dealer })).toEqual([`VALIDATION_FAILED ${field.company}`])
    expect(verdict("CASH_SALE", { [field.company]: "d-1" })).toEqual([`VALIDATION_FAILED ${field.company}`])
    expect(verdict("CASH_SALE", { [field.company]: "d-1", [field.directory]: "d-2" })).toEqual([
      `VALIDATION_FAILED ${field.company}`,
      `VALIDATION_FAILED ${field.directory}`
    ])
    for (const named of [dealer, "x", 5, null]) {
      expect(messages("CASH_SALE", { [field.company]: named })).toEqual([
        `${field.company} belongs to broker keys only; dealer keys leave it out`
      ])
    }
    expect(verdict("CASH_SALE", { [field.company]: 5 })).toEqual([`VALIDATION_FAILED ${field.company}`])
    expect(verdict("CASH_SALE", { [field.company]: "  " })).toEqual([])
  })
})

describe("a cash sale", () => {
  it("is refused to a broker, after everything that is wrong with the body", () => {
    const broker = { companyKind: "BROKER" } as const
    expect(verdict("CASH_SALE", {}, broker)).toEqual(["DEALER_ONLY delivery.saleType"])
    expect(verdict("CASH_SALE", { "vehicle.year": 1 }, broker)).toEqual(["VALIDATION_FAILED vehicle.year"])
    expect(verdict("CASH_SALE", {}, { ...broker, transport: "MULTIPART", photo })).toEqual([
      "CUSTOMER_FACE_NOT_USED customerFace"
    ])
  })
})
