/** The codes that many endpoints refuse with. A code that one endpoint has to itself is in the endpoint's own file. */
import type { ErrorCode } from "../../schema/problems.ts"

type Codes = ReadonlyArray<ErrorCode>

/** Of every operation that takes a body. */
export const ofAnyBody: Codes = ["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]

/** Of every operation of the settings API, which asks for the operator token. */
export const ofAnyToken: Codes = ["INVALID_API_KEY", "RATE_LIMITED", "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"]

/** Of every operation on something of a company. */
export const ofAnyCompany: Codes = [...ofAnyToken, "NOT_FOUND"]
