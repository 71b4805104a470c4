/**
 * The `finance` object in its three shapes: a deal that is already on the caller's panel, a full application for the
 * service to submit, and the approved deal of an identity journey. The fields of an application are optional with
 * ALREADY_SUBMITTED (V2). `problemCodes.ts` decides which error code a problem gets.
 */
import { Schema } from "effect"
import { Decision } from "../journey/statuses.ts"
import { AddressHistory, EmploymentHistory, GivenConsents, StatedConsents } from "./application.ts"
import { orZero, wholeNumber } from "../decoding/numbers.ts"
import { Money, PositiveMoney } from "./money.ts"
import { text } from "../decoding/text.ts"

const MaritalStatus = Schema.Literals([
  "SINGLE",
  "COHABITING",
  "MARRIED",
  "SEPARATED",
  "DIVORCED",
  "WIDOWED",
  "CIVIL_PARTNERSHIP",
  "DISSOLVED_CIVIL_PARTNERSHIP",
  "ENGAGED"
])

const DrivingLicenceType = Schema.Literals([
  "FULL_UK",
  "PROVISIONAL_UK",
  "CBT",
  "A2",
  "FULL_A_CLASS",
  "EUROPEAN",
  "INTERNATIONAL",
  "NONE"
])

const panelName = text(20).annotate({ description: "The caller's finance panel" })
const panelReference = text(100).annotate({ description: "The deal's reference on that panel" })
const lender = Schema.optionalKey(text(50))
const vehiclePrice = PositiveMoney.annotate({ description: "Cash price in pounds, above 0, at most two decimals" })
const loanTerm = wholeNumber(12, 120).annotate({ description: "Months" })

/** Fields that are optional wherever an application is accepted. */
const applicationOptions = {
  depositAmount: orZero(Money),
  monthlyBudget: Schema.optionalKey(Money),
  maritalStatus: Schema.optionalKey(MaritalStatus),
  validUkPassport: Schema.optionalKey(Schema.Boolean)
}

const submittedElsewhere = {
  decision: Schema.optionalKey(Decision.annotate({ description: "The lender's decision, if already known" })),
  lender,
  vehiclePrice: Schema.optionalKey(vehiclePrice),
  loanTerm: Schema.optionalKey(loanTerm),
  ...applicationOptions,
  drivingLicenceType: Schema.optionalKey(DrivingLicenceType),
  employmentHistory: Schema.optionalKey(EmploymentHistory),
  addressHistory: Schema.optionalKey(AddressHistory),
  consents: Schema.optionalKey(StatedConsents)
}

export const AlreadySubmittedFinance = Schema.Struct({
  panelSubmission: Schema.Literal("ALREADY_SUBMITTED"),
  panelName,
  panelReference,
  ...submittedElsewhere
}).annotate({ identifier: "AlreadySubmittedFinance" })

export const SubmitViaMiraFinance = Schema.Struct({
  panelSubmission: Schema.Literal("SUBMIT_VIA_MIRA"),
  lender,
  vehiclePrice,
  loanTerm,
  ...applicationOptions,
  drivingLicenceType: DrivingLicenceType,
  employmentHistory: EmploymentHistory,
  addressHistory: AddressHistory,
  consents: GivenConsents
}).annotate({ identifier: "SubmitViaMiraFinance" })

export const ApprovedFinance = Schema.Struct({
  panelName: Schema.optionalKey(panelName),
  panelReference: Schema.optionalKey(panelReference),
  lender
}).annotate({ identifier: "ApprovedFinance", description: "Recorded with the approved finance" })

/** For a finance journey whose panelSubmission is missing or unknown: the rest can still be judged. */
export const UndecidedFinance = Schema.Struct({
  panelSubmission: Schema.Literals(["ALREADY_SUBMITTED", "SUBMIT_VIA_MIRA"]),
  panelName: Schema.optionalKey(panelName),
  panelReference: Schema.optionalKey(panelReference),
  ...submittedElsewhere
})

/**
 * Every name that §4.2 lists under finance. Where such a field is sent but not used, it has an error code of its own.
 */
export const financeFieldNames: ReadonlyArray<string> = Object.keys(UndecidedFinance.fields)
