/**
 * Which codes each operation can answer with when it says no. Status, meaning and order of a code are the catalogue's;
 * here is only which operation knows it. The tests hold this table against what the service answers.
 */
import type { ErrorCode } from "../../schema/problems.ts"

type Codes = ReadonlyArray<ErrorCode>

/** Of every operation that needs an API key. */
const ofAnyKey: Codes = [
  "INVALID_API_KEY",
  "API_KEY_EXPIRED",
  "API_KEY_NOT_PERMITTED",
  "RATE_LIMITED",
  "TEMPORARILY_UNAVAILABLE",
  "INTERNAL_ERROR"
]

const ofAnyBody: Codes = ["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]

const ofAnyOperationOnAJourney: Codes = [
  ...ofAnyKey,
  ...ofAnyBody,
  "IDEMPOTENCY_KEY_REQUIRED",
  "JOURNEY_NOT_FOUND",
  "IDEMPOTENCY_KEY_REUSED",
  "JOURNEY_FINISHED"
]

/** Of every operation of the settings API, which needs the operator token. */
const ofAnyToken: Codes = ["INVALID_API_KEY", "RATE_LIMITED", "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"]

const ofAnyCompany: Codes = [...ofAnyToken, "NOT_FOUND"]

/** Of every callback of an outside provider. */
const ofAnyCallback: Codes = [
  ...ofAnyBody,
  "INVALID_SIGNATURE",
  "RATE_LIMITED",
  "TEMPORARILY_UNAVAILABLE",
  "INTERNAL_ERROR"
]

/** By operation id. */
export const refusals = {
  startJourney: [
    ...ofAnyKey,
    ...ofAnyBody,
    "IDEMPOTENCY_KEY_REQUIRED",
    "APPLICATION_INCOMPLETE",
    "PANEL_REFERENCE_REQUIRED",
    "PANEL_FIELDS_NOT_USED",
    "SALE_TYPE_REQUIRED",
    "SALE_TYPE_NOT_USED",
    "CUSTOMER_FACE_REQUIRED",
    "CUSTOMER_FACE_NOT_USED",
    "FINANCE_FIELDS_NOT_USED",
    "INVALID_APPLICATION_VALUE",
    "UNSUPPORTED_IMAGE_TYPE",
    "IDEMPOTENCY_KEY_REUSED",
    "BIOMETRIC_CONSENT_REQUIRED",
    "NO_FACE",
    "MULTIPLE_FACES",
    "FACE_TOO_SMALL",
    "CONSENT_REQUIRED",
    "EKYC_NOT_CONFIGURED",
    "FINANCE_PANEL_NOT_CONFIGURED",
    "INSUFFICIENT_CREDITS",
    "DEALER_ONLY"
  ],
  listJourneys: [...ofAnyKey, "VALIDATION_FAILED"],
  getJourney: [...ofAnyKey, "JOURNEY_NOT_FOUND"],
  cancelJourney: ofAnyOperationOnAJourney,
  replaceCustomerFace: [
    ...ofAnyOperationOnAJourney,
    "CUSTOMER_FACE_REQUIRED",
    "CUSTOMER_FACE_NOT_USED",
    "UNSUPPORTED_IMAGE_TYPE",
    "CUSTOMER_FACE_LOCKED",
    "BIOMETRIC_CONSENT_REQUIRED",
    "NO_FACE",
    "MULTIPLE_FACES",
    "FACE_TOO_SMALL"
  ],
  sendFinanceDecision: [...ofAnyOperationOnAJourney, "FINANCE_DECISION_FROM_PANEL", "FINANCE_ALREADY_DECIDED"],
  simulateEvent: [...ofAnyOperationOnAJourney, "EVENT_NOT_POSSIBLE"],
  listScenarios: ofAnyKey,
  listEvents: [...ofAnyKey, "VALIDATION_FAILED"],
  getEvent: [...ofAnyKey, "NOT_FOUND"],
  saveWebhookEndpoint: [...ofAnyCompany, ...ofAnyBody, "CONFLICT"],
  getWebhookEndpoint: ofAnyCompany,
  removeWebhookEndpoint: [...ofAnyCompany, "CONFLICT"],
  rollWebhookSecret: [...ofAnyCompany, ...ofAnyBody, "CONFLICT"],
  pingWebhookEndpoint: ofAnyCompany,
  sendSampleEvent: [...ofAnyCompany, ...ofAnyBody],
  listDeliveries: [...ofAnyCompany, "VALIDATION_FAILED"],
  getDelivery: ofAnyCompany,
  resendDelivery: [...ofAnyCompany, "CONFLICT"],
  startResend: [...ofAnyCompany, ...ofAnyBody, "CONFLICT"],
  listResends: [...ofAnyCompany, "VALIDATION_FAILED"],
  getResend: ofAnyCompany,
  receiveFinanceDecision: ofAnyCallback,
  receiveIdentityResult: ofAnyCallback
} as const satisfies Record<string, Codes>

/** What can be wrong before a request has found its operation, or while its bytes still arrive: any request may hear it. */
export const refusalsOfAnyRequest: Codes = [
  "VALIDATION_FAILED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE"
]
