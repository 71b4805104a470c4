/** Every rule of the request body, on both sides of its limit, as a caller meets it. */
import { afterAll, beforeAll, describe, it } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { absent } from "../../../schema/start/judge.ts"
import { prepareGround, type Ground } from "./oracle.ts"
import { expectVerdicts, shapes } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround({ credits: 0 })
})
afterAll(() => ground.service.stop())

const already = "FINANCE_ALREADY_SUBMITTED"
const mira = "FINANCE_SUBMIT_VIA_MIRA"
const incomplete = "400 APPLICATION_INCOMPLETE"
const invalid = "400 VALIDATION_FAILED"

interface Rule {
  readonly shape: Shape
  readonly field: string
  readonly takes: ReadonlyArray<unknown>
  readonly refuses: ReadonlyArray<unknown>
  /** The code of a malformed value, VALIDATION_FAILED unless it is another. */
  readonly malformed?: string
  /** What leaving the field out is answered with; nothing when it is optional. */
  readonly missing?: string
  /** Leaving the field out breaks a rule of another field: it is not tried here. */
  readonly needed?: true
}

/** Text of 1 to `limit` code points. */
const text = (shape: Shape, field: string, limit: number, missing?: string): Rule => ({
  shape,
  field,
  takes: ["x", "x".repeat(limit), "😀".repeat(limit), ` ${"x".repeat(limit)}  `],
  refuses: [
    "x".repeat(limit + 1),
    "😀".repeat(limit + 1),
    "a\u0007b",
    "a\u202eb",
    "a\ufeffb",
    "\u200b",
    5,
    null,
    [],
    {}
  ],
  ...(missing === undefined ? {} : { missing })
})

const codes = (
  shape: Shape,
  field: string,
  takes: ReadonlyArray<string>,
  more: { readonly malformed?: string; readonly missing?: string } = {}
): Rule => ({
  shape,
  field,
  takes,
  refuses: takes.flatMap((code) => [code.toLowerCase(), `${code} `]).concat("OTHER_CODE"),
  ...more
})

const whole = (shape: Shape, field: string, least: number, most: number, missing?: string): Rule => ({
  shape,
  field,
  takes: [least, most],
  refuses: [least - 1, most + 1, least + 0.5, String(least), null],
  ...(missing === undefined ? {} : { missing })
})

const money = (shape: Shape, field: string, isZeroTaken: boolean, missing?: string): Rule => ({
  shape,
  field,
  takes: [0.01, 12_000.55, 99_999_999.99, ...(isZeroTaken ? [0] : [])],
  refuses: [-0.01, -1, 0.001, 12_000.005, 1e308, 100_000_000, "12000", null, ...(isZeroTaken ? [] : [0])],
  ...(missing === undefined ? {} : { missing })
})

const job = "finance.employmentHistory[1]"
const home = "finance.addressHistory[0]"
const consent = "customerFace.biometricConsent"
const badCode = "400 INVALID_APPLICATION_VALUE"

const times = {
  takes: ["2026-01-15T10:25:00Z", "2024-02-29T23:59:59.5-11:30", new Date(Date.now() + 200_000).toISOString()],
  refuses: ["2026-01-15", "2026-01-15T10:25:00", "2026-02-29T10:25:00Z", new Date(Date.now() + 3_600_000).toISOString()]
}

const rules: ReadonlyArray<Rule> = [
  ...shapes.flatMap((shape) => [
    text(shape, "externalReference", 100),
    text(shape, "externalCompanyName", 255),
    text(shape, "customer.firstName", 100, invalid),
    text(shape, "customer.lastName", 100, invalid),
    text(shape, "vehicle.registration", 20, invalid),
    codes(shape, "delivery.type", ["IN_STORE", "HOME_DELIVERY"], { missing: invalid })
  ]),
  text("CASH_SALE", "vehicle.make", 50),
  text("CASH_SALE", "vehicle.model", 100),
  text("CASH_SALE", "vehicle.colour", 50),
  text("CASH_SALE", "vehicle.inventoryVehicleId", 100),
  text("FINANCE_SALE", "delivery.notes", 1000),
  whole("IDENTITY_DELIVERY", "vehicle.year", 1900, 2100),
  codes("CASH_SALE", "customer.title", ["MR", "MRS", "MISS", "MS", "DR"]),
  codes(mira, "customer.title", ["MR", "MRS", "MISS", "MS", "DR"], { missing: incomplete }),
  {
    shape: mira,
    field: "customer.mobile",
    takes: ["0123456789", "1".repeat(20), "+44 (0)7700-900123", "----------"],
    refuses: ["012345678", "1".repeat(21), "0123456789x", "01234.56789", 1_234_567_890],
    missing: incomplete
  },
  {
    shape: mira,
    field: "customer.dateOfBirth",
    takes: ["2000-02-29", "1990-04-17"],
    refuses: [
      "1900-02-29",
      "2023-02-30",
      "0000-01-01",
      "1990-1-1",
      "1990-01-01T00:00:00Z",
      "１９９０-01-01",
      "9999-12-31",
      new Date(Date.now() - 17 * 365.25 * 86_400_000).toISOString().slice(0, 10)
    ],
    missing: incomplete
  },
  codes(already, "finance.decision", ["APPROVED", "DECLINED", "REFERRED"]),
  text(already, "finance.panelName", 20, "400 PANEL_REFERENCE_REQUIRED"),
  text(already, "finance.panelReference", 100, "400 PANEL_REFERENCE_REQUIRED"),
  text(already, "finance.lender", 50),
  money(already, "finance.vehiclePrice", false),
  whole(already, "finance.loanTerm", 12, 120),
  money(already, "finance.depositAmount", true),
  text("IDENTITY_DELIVERY", "finance.panelName", 20),
  text("IDENTITY_DELIVERY", "finance.panelReference", 100),
  text("IDENTITY_DELIVERY", "finance.lender", 50),
  text(mira, "finance.lender", 50),
  money(mira, "finance.vehiclePrice", false, incomplete),
  whole(mira, "finance.loanTerm", 12, 120, incomplete),
  money(mira, "finance.depositAmount", true),
  money(mira, "finance.monthlyBudget", true),
  codes(
    mira,
    "finance.maritalStatus",
    [
      "SINGLE",
      "COHABITING",
      "MARRIED",
      "SEPARATED",
      "DIVORCED",
      "WIDOWED",
      "CIVIL_PARTNERSHIP",
      "DISSOLVED_CIVIL_PARTNERSHIP",
      "ENGAGED"
    ],
    { malformed: badCode }
  ),
  codes(
    mira,
    "finance.drivingLicenceType",
    ["FULL_UK", "PROVISIONAL_UK", "CBT", "A2", "FULL_A_CLASS", "EUROPEAN", "INTERNATIONAL", "NONE"],
    { malformed: badCode, missing: incomplete }
  ),
  { shape: mira, field: "finance.validUkPassport", takes: [true, false], refuses: ["yes", "true", 0, 1, null] },
  codes(mira, `${job}.employmentType`, ["CURRENT", "PREVIOUS"], { missing: incomplete }),
  codes(
    mira,
    `${job}.employmentStatus`,
    ["FULL_TIME_EMPLOYMENT", "PART_TIME_EMPLOYMENT", "SELF_EMPLOYED", "RETIRED", "HOMEMAKER", "CARER", "BENEFITS"],
    { malformed: badCode, missing: incomplete }
  ),
  text(mira, `${job}.employer`, 255, incomplete),
  text(mira, `${job}.jobTitle`, 255, incomplete),
  money(mira, `${job}.monthlyIncome`, false, incomplete),
  whole(mira, `${job}.timeAtEmployerYears`, 0, 50),
  whole(mira, `${job}.timeAtEmployerMonths`, 0, 11),
  text(mira, `${home}.street`, 255, incomplete),
  text(mira, `${home}.city`, 100, incomplete),
  text(mira, `${home}.postcode`, 20, incomplete),
  text(mira, `${home}.buildingNumber`, 20),
  text(mira, `${home}.buildingName`, 100),
  text(mira, `${home}.subBuildingName`, 100),
  text(mira, `${home}.organisationName`, 100),
  text(mira, `${home}.county`, 100),
  // Left out it counts as 0, and the example's homes would be too short.
  {
    shape: mira,
    field: `${home}.timeAtAddressYears`,
    takes: [1, 100],
    refuses: [-1, 101, 1.5, "1", null],
    needed: true
  },
  whole(mira, "finance.addressHistory[1].timeAtAddressMonths", 0, 11),
  codes(
    mira,
    `${home}.residentialStatus`,
    [
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
    ],
    { malformed: badCode }
  ),
  text(mira, "finance.consents.providerName", 255, "422 CONSENT_REQUIRED"),
  ...["infoAccuracy", "miraTerms", "providerTerms", "dataSharing", "creditCheck", "identityVerification"].map(
    (name): Rule => ({
      shape: mira,
      field: `finance.consents.${name}`,
      takes: [true],
      refuses: [false, "true", 1, null],
      malformed: "422 CONSENT_REQUIRED",
      missing: "422 CONSENT_REQUIRED"
    })
  ),
  codes("FINANCE_SALE", "customerFace.source", ["IN_PERSON_PHOTO", "ID_DOCUMENT_PHOTO"], { missing: invalid }),
  { shape: "FINANCE_SALE", field: "customerFace.capturedAt", ...times },
  { shape: "FINANCE_SALE", field: `${consent}.capturedAt`, ...times, missing: invalid },
  {
    shape: "FINANCE_SALE",
    field: `${consent}.given`,
    takes: [true],
    refuses: [false, "true", 1, null],
    malformed: "422 BIOMETRIC_CONSENT_REQUIRED",
    missing: "422 BIOMETRIC_CONSENT_REQUIRED"
  },
  codes("FINANCE_SALE", `${consent}.method`, ["SIGNED_IN_PERSON", "ONLINE_FORM"], { missing: invalid }),
  text("FINANCE_SALE", `${consent}.noticeVersion`, 100, invalid),
  text("FINANCE_SALE", `${consent}.capturedBy`, 255)
]

describe("a field of a start", () => {
  it.each(rules)(
    "$field of $shape keeps its rule",
    async ({ field, malformed = invalid, missing, needed, refuses, shape, takes }) => {
      await expectVerdicts(ground, shape, [
        ...takes.map((value) => [{ [field]: value }, "202"] as const),
        ...refuses.map((value) => [{ [field]: value }, `${malformed} ${field}`] as const),
        ...[
          ...(needed === true ? [] : [absent]),
          ...(takes.every((value) => typeof value === "string") ? ["", "   "] : [])
        ].map((value) => [{ [field]: value }, blankVerdict({ field, missing, value })] as const)
      ])
    }
  )
})

/** Codes are no text: an empty one is malformed, not missing. */
const codeFields = new Set(rules.filter(({ refuses }) => refuses.includes("OTHER_CODE")).map(({ field }) => field))

const blankVerdict = ({
  field,
  missing,
  value
}: {
  field: string
  missing: string | undefined
  value: unknown
}): string => {
  if (value !== absent && codeFields.has(field)) {
    return `${rules.find((rule) => rule.field === field)?.malformed ?? invalid} ${field}`
  }
  return missing === undefined ? "202" : `${missing} ${field}`
}
