/** The codes that many endpoints refuse with. A code that one endpoint has to itself is in the endpoint's own file. */
import type { ErrorCode } from "../../../schema/problems.ts"

type Codes = ReadonlyArray<ErrorCode>

/** Of every operation that takes a body. */
export const ofAnyBody: Codes = ["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]

/** Of every operation that asks for an API key. */
export const ofAnyKey: Codes = [
  "INVALID_API_KEY",
  "API_KEY_EXPIRED",
  "API_KEY_NOT_PERMITTED",
  "RATE_LIMITED",
  "TEMPORARILY_UNAVAILABLE",
  "INTERNAL_ERROR"
]

/** Of every operation on a running journey. */
export const ofAnyOperation: Codes = [
  ...ofAnyKey,
  ...ofAnyBody,
  "IDEMPOTENCY_KEY_REQUIRED",
  "JOURNEY_NOT_FOUND",
  "IDEMPOTENCY_KEY_REUSED",
  "JOURNEY_FINISHED"
]

/** Of every operation of the settings API, which asks for the operator token or the session of a member. */
export const ofAnyToken: Codes = [
  "INVALID_API_KEY",
  "REQUEST_FORGED",
  "ROLE_NOT_PERMITTED",
  "RATE_LIMITED",
  "TEMPORARILY_UNAVAILABLE",
  "INTERNAL_ERROR"
]

/** Of every operation on something of a company. */
export const ofAnyCompany: Codes = [...ofAnyToken, "NOT_FOUND"]

/** Of any request: what can be wrong before a request has found its operation, or while its bytes still arrive. */
export const refusalsOfAnyRequest: Codes = [
  "VALIDATION_FAILED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE"
]
