/**
 * The parts of a finance application about the applicant's work, homes and consents: the lists and objects inside
 * `finance`. Each entry is judged by itself here. Rules about a whole list (one CURRENT address, three years) are in
 * `rules.ts`.
 */
import { Schema } from "effect"
import { startFieldLimits } from "./limits.ts"
import { PositiveMoney } from "./money.ts"
import { orZero, wholeNumber } from "../decoding/numbers.ts"
import { text } from "../decoding/text.ts"

const currentOrPrevious = Schema.Literals(["CURRENT", "PREVIOUS"])

const Employment = Schema.Struct({
  employmentType: currentOrPrevious,
  employmentStatus: Schema.Literals([
    "FULL_TIME_EMPLOYMENT",
    "PART_TIME_EMPLOYMENT",
    "SELF_EMPLOYED",
    "RETIRED",
    "HOMEMAKER",
    "CARER",
    "BENEFITS"
  ]),
  employer: text(255).annotate({
    description: "For RETIRED, HOMEMAKER, CARER and BENEFITS give the status in words"
  }),
  jobTitle: text(255).annotate({
    description: "For RETIRED, HOMEMAKER, CARER and BENEFITS give the status in words"
  }),
  monthlyIncome: PositiveMoney,
  timeAtEmployerYears: orZero(wholeNumber(0, 50)),
  timeAtEmployerMonths: orZero(wholeNumber(0, 11))
}).annotate({ identifier: "Employment" })

/** The characters that each field of an address may have. */
export const addressLengths = {
  street: 255,
  city: 100,
  postcode: 20,
  buildingNumber: 20,
  buildingName: 100,
  subBuildingName: 100,
  organisationName: 100,
  county: 100
} as const

/** A postal address: the common part of a home in an application and the place of a handover. */
export const postalAddress = {
  street: text(addressLengths.street),
  city: text(addressLengths.city),
  postcode: text(addressLengths.postcode),
  buildingNumber: Schema.optionalKey(text(addressLengths.buildingNumber)),
  buildingName: Schema.optionalKey(text(addressLengths.buildingName)),
  subBuildingName: Schema.optionalKey(text(addressLengths.subBuildingName)),
  organisationName: Schema.optionalKey(text(addressLengths.organisationName)),
  county: Schema.optionalKey(text(addressLengths.county))
}

const Address = Schema.Struct({
  addressType: currentOrPrevious,
  ...postalAddress,
  timeAtAddressYears: orZero(wholeNumber(0, 100)),
  timeAtAddressMonths: orZero(wholeNumber(0, 11)),
  residentialStatus: Schema.optionalKey(
    Schema.Literals([
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
    ])
  )
}).annotate({ identifier: "Address" })

const { mostHistoryEntries, shortestAddressHistoryMonths } = startFieldLimits

export const tooManyEntries = `must have at most ${mostHistoryEntries} entries`

const isNotTooLong = Schema.isMaxLength(mostHistoryEntries, { message: tooManyEntries })

export const EmploymentHistory = Schema.Array(Employment)
  .check(isNotTooLong)
  .annotate({ description: `Up to ${mostHistoryEntries} entries; with SUBMIT_VIA_MIRA at least one CURRENT` })

export const AddressHistory = Schema.Array(Address)
  .check(isNotTooLong)
  .annotate({
    description: `Up to ${mostHistoryEntries} entries; with SUBMIT_VIA_MIRA exactly one CURRENT, covering at least ${shortestAddressHistoryMonths / 12} years in total`
  })

const consents = <S extends Schema.Literal<true> | Schema.Boolean>(answer: S) => {
  const that = (description: string): S["Rebuild"] => answer.annotate({ description })
  return Schema.Struct({
    infoAccuracy: that("The customer confirmed that the details are accurate"),
    miraTerms: that("The customer accepted the service's terms"),
    providerTerms: that("The customer accepted the finance provider's terms and privacy policy"),
    dataSharing: that("The customer agreed to share the details with the provider and its lenders"),
    creditCheck: that("The customer agreed to a soft credit search"),
    identityVerification: that("The customer agreed to identity verification including biometric checks"),
    providerName: text(255).annotate({ description: "The finance provider agreed to" })
  })
}

/**
 * The consents of an application that goes to the panel. Every one must be true; otherwise the answer is
 * CONSENT_REQUIRED.
 */
export const GivenConsents = consents(Schema.Literal(true)).annotate({ identifier: "GivenConsents" })

/** The consents recorded with an application that was submitted elsewhere. The service does not act on them. */
export const StatedConsents = consents(Schema.Boolean).annotate({ identifier: "StatedConsents" })
