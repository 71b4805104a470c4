/**
 * Decides which error code a problem of the body gets: VALIDATION_FAILED, unless the table of its shape names another
 * code. A field in the tables may end in `.*`, which means everything below it. A position in a list is written `[]`.
 */
import type { ErrorCode, FieldError } from "../problems.ts"
import { financeFieldNames } from "./finance.ts"
import type { BodyProblem, ProblemKind } from "../decoding/bodyProblems.ts"
import type { Reading } from "./startBodies.ts"

export const fieldErrorOf = (reading: Reading, problem: BodyProblem): FieldError => {
  const code = codeOf(reading, problem)
  const because = reasons[code]
  return {
    field: problem.field,
    code,
    message: `${problem.field} ${problem.rule}${because === undefined ? "" : `; ${because}`}`
  }
}

const codeOf = (reading: Reading, { field, kind }: BodyProblem): ErrorCode => {
  const table = tables[reading][kind]
  let pattern = field.replaceAll(/\[\d+\]/g, "[]")
  const exact = table.get(pattern)
  if (exact !== undefined) return exact
  for (let dot = pattern.lastIndexOf("."); dot !== -1; dot = pattern.lastIndexOf(".")) {
    pattern = pattern.slice(0, dot)
    const below = table.get(`${pattern}.*`)
    if (below !== undefined) return below
  }
  return "VALIDATION_FAILED"
}

/** The addition to a message when the rule alone does not explain why this request broke it. */
const reasons: { readonly [Code in ErrorCode]?: string } = {
  APPLICATION_INCOMPLETE: "an application sent with SUBMIT_VIA_MIRA must be complete",
  PANEL_REFERENCE_REQUIRED: "ALREADY_SUBMITTED needs finance.panelName and finance.panelReference",
  PANEL_FIELDS_NOT_USED: "SUBMIT_VIA_MIRA does not accept panelName, panelReference or decision",
  FINANCE_FIELDS_NOT_USED: "IDENTITY_DELIVERY accepts only panelName, panelReference and lender",
  SALE_TYPE_REQUIRED: "a DELIVERY journey is a CASH_SALE or a FINANCE_SALE",
  SALE_TYPE_NOT_USED: "only DELIVERY journeys have one",
  CUSTOMER_FACE_NOT_USED: "only FINANCE_SALE deliveries use a customer photo"
}

type Rows = Readonly<Record<string, ErrorCode>>
type Table = Readonly<Record<ProblemKind, ReadonlyMap<string, ErrorCode>>>

/**
 * The codes of one reading, by kind of problem. The fields of `answers` must be true: false, "true" and 1 all count as
 * not given.
 */
const table = (rows: { missing?: Rows; unlisted?: Rows; codes?: Rows; answers?: Rows }): Table => ({
  MISSING: new Map(Object.entries({ ...rows.missing, ...rows.answers })),
  UNLISTED: new Map(Object.entries(rows.unlisted ?? {})),
  MALFORMED: new Map(Object.entries({ ...rows.codes, ...rows.answers })),
  MISTYPED: new Map(Object.entries(rows.answers ?? {}))
})

const noSaleType: Rows = { "delivery.saleType": "SALE_TYPE_NOT_USED" }
const noFace: Rows = { customerFace: "CUSTOMER_FACE_NOT_USED" }

const consentAnswers: Rows = {
  "finance.consents.infoAccuracy": "CONSENT_REQUIRED",
  "finance.consents.miraTerms": "CONSENT_REQUIRED",
  "finance.consents.providerTerms": "CONSENT_REQUIRED",
  "finance.consents.dataSharing": "CONSENT_REQUIRED",
  "finance.consents.creditCheck": "CONSENT_REQUIRED",
  "finance.consents.identityVerification": "CONSENT_REQUIRED"
}

const biometricConsent = {
  missing: { "customerFace.biometricConsent": "BIOMETRIC_CONSENT_REQUIRED" },
  answers: { "customerFace.biometricConsent.given": "BIOMETRIC_CONSENT_REQUIRED" }
} as const

const tables: Readonly<Record<Reading, Table>> = {
  FINANCE_ALREADY_SUBMITTED: table({
    missing: { "finance.panelName": "PANEL_REFERENCE_REQUIRED", "finance.panelReference": "PANEL_REFERENCE_REQUIRED" },
    unlisted: { ...noSaleType, ...noFace }
  }),
  FINANCE_SUBMIT_VIA_MIRA: table({
    missing: {
      "customer.title": "APPLICATION_INCOMPLETE",
      "customer.mobile": "APPLICATION_INCOMPLETE",
      "customer.dateOfBirth": "APPLICATION_INCOMPLETE",
      "finance.*": "APPLICATION_INCOMPLETE",
      "finance.consents": "CONSENT_REQUIRED",
      "finance.consents.providerName": "CONSENT_REQUIRED"
    },
    unlisted: {
      ...noSaleType,
      ...noFace,
      "finance.panelName": "PANEL_FIELDS_NOT_USED",
      "finance.panelReference": "PANEL_FIELDS_NOT_USED",
      "finance.decision": "PANEL_FIELDS_NOT_USED"
    },
    codes: {
      "finance.maritalStatus": "INVALID_APPLICATION_VALUE",
      "finance.drivingLicenceType": "INVALID_APPLICATION_VALUE",
      "finance.employmentHistory[].employmentStatus": "INVALID_APPLICATION_VALUE",
      "finance.addressHistory[].residentialStatus": "INVALID_APPLICATION_VALUE"
    },
    answers: consentAnswers
  }),
  IDENTITY_DELIVERY: table({
    unlisted: {
      ...noSaleType,
      ...noFace,
      ...Object.fromEntries(financeFieldNames.map((name) => [`finance.${name}`, "FINANCE_FIELDS_NOT_USED"]))
    }
  }),
  CASH_SALE: table({ unlisted: noFace }),
  FINANCE_SALE: table(biometricConsent),
  FINANCE_UNDECIDED: table({ unlisted: { ...noSaleType, ...noFace } }),
  DELIVERY_UNDECIDED: table({
    missing: { "delivery.saleType": "SALE_TYPE_REQUIRED", ...biometricConsent.missing },
    answers: biometricConsent.answers
  })
}
