/**
 * One example answer for each error code: the field that the error is about, and the sentence of the catalogue. The
 * document shows the example wherever an operation can answer with the code.
 */
import { errorCatalogue, errorCodes, type ErrorCode } from "../../schema/problems.ts"

/** The field that each code names in its example. Where the code can name several fields, it is a likely one. */
const fieldOf: Readonly<Record<ErrorCode, string>> = {
  IDEMPOTENCY_KEY_REQUIRED: "Idempotency-Key",
  APPLICATION_INCOMPLETE: "finance.addressHistory",
  PANEL_REFERENCE_REQUIRED: "finance.panelReference",
  PANEL_FIELDS_NOT_USED: "finance.panelName",
  SALE_TYPE_REQUIRED: "delivery.saleType",
  SALE_TYPE_NOT_USED: "delivery.saleType",
  CUSTOMER_FACE_REQUIRED: "customerFace",
  CUSTOMER_FACE_NOT_USED: "customerFace",
  FINANCE_FIELDS_NOT_USED: "finance.vehiclePrice",
  INVALID_APPLICATION_VALUE: "finance.drivingLicenceType",
  UNSUPPORTED_IMAGE_TYPE: "customerFace",
  INVALID_API_KEY: "authorization",
  API_KEY_EXPIRED: "authorization",
  API_KEY_NOT_PERMITTED: "authorization",
  JOURNEY_NOT_FOUND: "journey",
  IDEMPOTENCY_KEY_REUSED: "Idempotency-Key",
  FINANCE_DECISION_FROM_PANEL: "journey",
  FINANCE_ALREADY_DECIDED: "journey",
  CUSTOMER_FACE_LOCKED: "journey",
  JOURNEY_FINISHED: "journey",
  BIOMETRIC_CONSENT_REQUIRED: "customerFace.biometricConsent.given",
  NO_FACE: "customerFace",
  MULTIPLE_FACES: "customerFace",
  FACE_TOO_SMALL: "customerFace",
  CONSENT_REQUIRED: "finance.consents.creditCheck",
  EKYC_NOT_CONFIGURED: "identity",
  FINANCE_PANEL_NOT_CONFIGURED: "finance",
  INSUFFICIENT_CREDITS: "wallets.IDENTITY",
  DEALER_ONLY: "delivery.saleType",
  RATE_LIMITED: "key",
  TEMPORARILY_UNAVAILABLE: "service",
  VALIDATION_FAILED: "customer.email",
  INVALID_SIGNATURE: "signature",
  REQUEST_FORGED: "token",
  ROLE_NOT_PERMITTED: "role",
  SIGN_IN_AGAIN: "session",
  EVENT_NOT_POSSIBLE: "journey",
  NOT_FOUND: "path",
  METHOD_NOT_ALLOWED: "method",
  REQUEST_TIMEOUT: "request",
  CONFLICT: "body",
  PAYLOAD_TOO_LARGE: "body",
  UNSUPPORTED_MEDIA_TYPE: "body",
  HEADERS_TOO_LARGE: "request",
  INTERNAL_ERROR: "service"
}

const exampleOf = (code: ErrorCode) => {
  const { meaning, status } = errorCatalogue[code]
  return {
    summary: `${status} ${code}`,
    value: { success: false, data: null, message: meaning, errors: [{ field: fieldOf[code], code, message: meaning }] }
  }
}

/** The examples of the codes that some operation answers with, by code and in the order of the catalogue. */
export const failureExamples = (answered: ReadonlyArray<ErrorCode>) =>
  Object.fromEntries(errorCodes.filter((code) => answered.includes(code)).map((code) => [code, exampleOf(code)]))

/** The meanings of the codes of one answer, as a list. */
export const meaningsOf = (codes: ReadonlyArray<ErrorCode>): string =>
  codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].meaning}`).join("\n")
