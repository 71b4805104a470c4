/**
 * Every error code that the API answers with: its status, its meaning and an example sentence. The documentation, the
 * OpenAPI document, the HTTP answers and the tests all read this table, and a code that is not in it does not exist.
 * The order is that of the specification's table (§7), in which the problems of one request are also listed. Codes that
 * §7 leaves open stand after it.
 */

interface CatalogueEntry {
  readonly status: number
  readonly meaning: string
}

export const errorCatalogue = {
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    meaning:
      "The Idempotency-Key header is missing, repeated, or not 8 to 255 characters of letters, digits and . _ : -"
  },
  APPLICATION_INCOMPLETE: {
    status: 400,
    meaning:
      "A SUBMIT_VIA_MIRA application lacks fields, has no CURRENT job, not exactly one CURRENT address, or under 3 years of address history; the message says which"
  },
  PANEL_REFERENCE_REQUIRED: {
    status: 400,
    meaning: "ALREADY_SUBMITTED needs finance.panelName and finance.panelReference"
  },
  PANEL_FIELDS_NOT_USED: {
    status: 400,
    meaning: "SUBMIT_VIA_MIRA does not accept finance.panelName, finance.panelReference or finance.decision"
  },
  SALE_TYPE_REQUIRED: { status: 400, meaning: "A DELIVERY journey needs delivery.saleType" },
  SALE_TYPE_NOT_USED: { status: 400, meaning: "delivery.saleType belongs to DELIVERY journeys only" },
  CUSTOMER_FACE_REQUIRED: {
    status: 400,
    meaning: "A FINANCE_SALE delivery needs the customerFace photo, sent as multipart/form-data"
  },
  CUSTOMER_FACE_NOT_USED: { status: 400, meaning: "Only FINANCE_SALE deliveries use a customer photo" },
  FINANCE_FIELDS_NOT_USED: {
    status: 400,
    meaning: "IDENTITY_DELIVERY accepts only panelName, panelReference and lender in finance"
  },
  INVALID_APPLICATION_VALUE: {
    status: 400,
    meaning:
      "A code of a SUBMIT_VIA_MIRA application (marital status, licence, employment or residential status) is not accepted; the message lists the allowed values"
  },
  UNSUPPORTED_IMAGE_TYPE: { status: 400, meaning: "customerFace is not a JPEG or PNG image" },
  INVALID_API_KEY: { status: 401, meaning: "The API key is missing, wrong, revoked, or not a developer key" },
  API_KEY_EXPIRED: { status: 401, meaning: "The API key is past its expiry" },
  API_KEY_NOT_PERMITTED: { status: 403, meaning: "The API key may not call this endpoint" },
  JOURNEY_NOT_FOUND: {
    status: 404,
    meaning: "No such journey for this key; live keys never see test journeys, nor test keys live ones"
  },
  IDEMPOTENCY_KEY_REUSED: { status: 409, meaning: "The Idempotency-Key was used before with a different request" },
  FINANCE_DECISION_FROM_PANEL: {
    status: 409,
    meaning: "The decision of a SUBMIT_VIA_MIRA journey comes from the panel, not from the caller"
  },
  FINANCE_ALREADY_DECIDED: {
    status: 409,
    meaning: "A finance decision is already recorded, or the journey has no finance to decide"
  },
  CUSTOMER_FACE_LOCKED: {
    status: 409,
    meaning: "The photo cannot change while a video is being checked or after the handover"
  },
  JOURNEY_FINISHED: { status: 409, meaning: "The journey has already ended" },
  BIOMETRIC_CONSENT_REQUIRED: { status: 422, meaning: "customerFace.biometricConsent.given must be true" },
  NO_FACE: { status: 422, meaning: "The photo shows no face" },
  MULTIPLE_FACES: { status: 422, meaning: "The photo shows more than one face" },
  FACE_TOO_SMALL: { status: 422, meaning: "The face in the photo is too small" },
  CONSENT_REQUIRED: {
    status: 422,
    meaning: "Every SUBMIT_VIA_MIRA consent must be true and consents.providerName must be given"
  },
  EKYC_NOT_CONFIGURED: { status: 422, meaning: "Identity verification is not set up for the company" },
  FINANCE_PANEL_NOT_CONFIGURED: { status: 422, meaning: "SUBMIT_VIA_MIRA needs a finance panel, and none is set up" },
  INSUFFICIENT_CREDITS: { status: 422, meaning: "The wallet that pays for the check needs topping up" },
  DEALER_ONLY: { status: 422, meaning: "Only dealer keys may start a CASH_SALE delivery" },
  RATE_LIMITED: { status: 429, meaning: "Too many requests in a minute; Retry-After says when to come back" },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    meaning: "The service cannot answer now and created nothing; retry with the same Idempotency-Key"
  },
  VALIDATION_FAILED: {
    status: 400,
    meaning: "A field is unlisted, missing or malformed; field is its path and message says the rule"
  },
  INVALID_SIGNATURE: {
    status: 401,
    meaning: "The callback is not signed with the provider's secret, not just now, or about nothing we asked"
  },
  REQUEST_FORGED: {
    status: 403,
    meaning: "The request comes from a browser that is signed in, but not from one of our own pages"
  },
  ROLE_NOT_PERMITTED: { status: 403, meaning: "The signed-in member's role does not permit this" },
  SIGN_IN_AGAIN: { status: 403, meaning: "The member signed in too long ago for this change" },
  EVENT_NOT_POSSIBLE: {
    status: 409,
    meaning: "The simulated event cannot be reached from the journey's present state"
  },
  NOT_FOUND: { status: 404, meaning: "No such resource" },
  METHOD_NOT_ALLOWED: { status: 405, meaning: "The resource has no such method; Allow lists those it has" },
  REQUEST_TIMEOUT: { status: 408, meaning: "The request did not arrive in time" },
  CONFLICT: { status: 409, meaning: "The change conflicts with what is stored" },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: "The request body is over its limit" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: "The content type or character set is not supported here" },
  HEADERS_TOO_LARGE: { status: 431, meaning: "The request line or headers are over their limit" },
  INTERNAL_ERROR: { status: 500, meaning: "Something unexpected failed; the Request-Id finds it in the logs" }
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof errorCatalogue

export const errorCodes = Object.keys(errorCatalogue) as ReadonlyArray<ErrorCode>

/**
 * One problem of a request (§2.1). `field` is a path such as `finance.addressHistory[2].postcode`, or a general area.
 */
export interface FieldError {
  readonly field: string
  readonly code: ErrorCode
  readonly message: string
}

/**
 * The problems in the order of the catalogue, with VALIDATION_FAILED last. Problems with equal codes keep their order.
 */
export const inCatalogueOrder = (errors: ReadonlyArray<FieldError>): ReadonlyArray<FieldError> =>
  errors.toSorted((a, b) => errorCodes.indexOf(a.code) - errorCodes.indexOf(b.code))
