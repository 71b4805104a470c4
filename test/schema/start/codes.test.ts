import { describe, expect, it } from "vitest"
import type { Shape } from "../../../src/schema/journey/statuses.ts"
import { absent, messages, shapes, verdict } from "./judge.ts"

const mira = "FINANCE_SUBMIT_VIA_MIRA"
const already = "FINANCE_ALREADY_SUBMITTED"

const maritalStatuses = [
  "SINGLE",
  "COHABITING",
  "MARRIED",
  "SEPARATED",
  "DIVORCED",
  "WIDOWED",
  "CIVIL_PARTNERSHIP",
  "DISSOLVED_CIVIL_PARTNERSHIP",
  "ENGAGED"
]
const licences = ["FULL_UK", "PROVISIONAL_UK", "CBT", "A2", "FULL_A_CLASS", "EUROPEAN", "INTERNATIONAL", "NONE"]
const jobs = [
  "FULL_TIME_EMPLOYMENT",
  "PART_TIME_EMPLOYMENT",
  "SELF_EMPLOYED",
  "RETIRED",
  "HOMEMAKER",
  "CARER",
  "BENEFITS"
]
const homes = [
  "HOMEOWNER",
  "JOINT_OWNER",
  "TENANT_PRIVATE",
  "TENANT_PRIVATE_UNFURNISHED",
  "TENANT_HOUSING_ASSOCIATION",
  "TENANT_COUNCIL",
  "LIVING_WITH_FAMILY",
  "MILITARY_ACCOMMODATION",
  "WORK_ACCOMMODATION",
  "STUDENT_ACCOMMODATION",
  "OTHER"
]

/** Every code field of §4.2 whose values do not choose the shape. `absent` is the code of leaving it out. */
describe.each<{ shape: Shape; field: string; values: ReadonlyArray<string>; bad: string; missing?: string }>([
  { shape: mira, field: "finance.maritalStatus", values: maritalStatuses, bad: "INVALID_APPLICATION_VALUE" },
  {
    shape: mira,
    field: "finance.drivingLicenceType",
    values: licences,
    bad: "INVALID_APPLICATION_VALUE",
    missing: "APPLICATION_INCOMPLETE"
  },
  {
    shape: mira,
    field: "finance.employmentHistory[1].employmentStatus",
    values: jobs,
    bad: "INVALID_APPLICATION_VALUE",
    missing: "APPLICATION_INCOMPLETE"
  },
  {
    shape: mira,
    field: "finance.addressHistory[0].residentialStatus",
    values: homes,
    bad: "INVALID_APPLICATION_VALUE"
  },
  {
    shape: mira,
    field: "finance.employmentHistory[1].employmentType",
    values: ["CURRENT", "PREVIOUS"],
    bad: "VALIDATION_FAILED",
    missing: "APPLICATION_INCOMPLETE"
  },
  {
    shape: mira,
    field: "finance.addressHistory[1].addressType",
    values: ["PREVIOUS"],
    bad: "VALIDATION_FAILED",
    missing: "APPLICATION_INCOMPLETE"
  },
  { shape: already, field: "finance.maritalStatus", values: maritalStatuses, bad: "VALIDATION_FAILED" },
  { shape: already, field: "finance.drivingLicenceType", values: licences, bad: "VALIDATION_FAILED" },
  { shape: already, field: "finance.decision", values: ["APPROVED", "DECLINED", "REFERRED"], bad: "VALIDATION_FAILED" },
  {
    shape: "IDENTITY_DELIVERY",
    field: "delivery.type",
    values: ["IN_STORE", "HOME_DELIVERY"],
    bad: "VALIDATION_FAILED",
    missing: "VALIDATION_FAILED"
  },
  {
    shape: "FINANCE_SALE",
    field: "customerFace.source",
    values: ["IN_PERSON_PHOTO", "ID_DOCUMENT_PHOTO"],
    bad: "VALIDATION_FAILED",
    missing: "VALIDATION_FAILED"
  },
  {
    shape: "FINANCE_SALE",
    field: "customerFace.biometricConsent.method",
    values: ["SIGNED_IN_PERSON", "ONLINE_FORM"],
    bad: "VALIDATION_FAILED",
    missing: "VALIDATION_FAILED"
  }
])("$field of $shape", ({ shape, field, values, bad, missing }) => {
  it.each(values)("takes %s, spelled exactly so", (value) => {
    expect(verdict(shape, { [field]: value })).toEqual([])
    for (const other of [value.toLowerCase(), `${value} `, ` ${value}`, `${value}\u0000`, ""]) {
      expect(verdict(shape, { [field]: other }), JSON.stringify(other)).toEqual([`${bad} ${field}`])
    }
  })

  it("refuses other JSON types as malformed", () => {
    for (const value of [null, 1, true, {}, [values[0]]]) {
      expect(verdict(shape, { [field]: value }), JSON.stringify(value)).toEqual([`VALIDATION_FAILED ${field}`])
    }
  })

  it(missing === undefined ? "may be left out" : "must be there", () => {
    expect(verdict(shape, { [field]: absent })).toEqual(missing === undefined ? [] : [`${missing} ${field}`])
  })

  it("lists what is allowed when it refuses", () => {
    const [message] = messages(shape, { [field]: "something else" })
    for (const value of values) expect(message).toContain(value)
    expect(message).not.toContain("something else")
  })
})

describe("validUkPassport", () => {
  it("must be true or false, and no word or number", () => {
    for (const shape of [mira, already] as const) {
      expect(verdict(shape, { "finance.validUkPassport": false })).toEqual([])
      for (const value of ["yes", "true", 0, 1, null]) {
        expect(verdict(shape, { "finance.validUkPassport": value })).toEqual([
          "VALIDATION_FAILED finance.validUkPassport"
        ])
      }
    }
  })
})

describe("type", () => {
  it("is judged first and alone", () => {
    for (const type of [absent, "delivery", "DELIVERY ", "", null, 1, ["DELIVERY"], "constructor", "__proto__"]) {
      for (const shape of shapes) {
        expect(verdict(shape, { type, customer: absent, id: 1 })).toEqual(["VALIDATION_FAILED type"])
      }
    }
  })
})
