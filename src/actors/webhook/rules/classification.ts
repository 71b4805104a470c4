/**
 * What an exchange counts as: whether an answer means delivered, and which class of the delivery log a network error
 * belongs to. An unexpected error counts as a failure of the service itself, so the endpoint does not suffer from it.
 */
import { failureClasses, type FailureClass } from "../../../schema/failureClass.ts"
import { AddressNotPublic, ResolveFailed } from "./connectionErrors.ts"
import type { Exchange } from "./Exchange.ts"

/** Only a 2xx means delivered. A redirect is not followed and counts as a failure (§6.3.3). */
export const isDelivered = (exchange: Exchange): boolean =>
  exchange._tag === "Answered" && exchange.status >= 200 && exchange.status < 300

export const failed = (error: FailureClass): Exchange => ({ _tag: "Failed", error, isOwn: failureClasses[error].isOwn })

const classOfResolving = {
  NOT_FOUND: "DNS_NOT_FOUND",
  NO_ANSWER: "DNS_FAILED",
  UNAVAILABLE: "SERVICE_FAILURE"
} as const satisfies Readonly<Record<ResolveFailed["reason"], FailureClass>>

/** Error codes of Node, of OpenSSL and of undici. */
const codes: Readonly<Partial<Record<FailureClass, ReadonlyArray<string>>>> = {
  DNS_NOT_FOUND: ["ENOTFOUND", "ENODATA"],
  CONNECTION_REFUSED: ["ECONNREFUSED"],
  CONNECTION_RESET: ["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"],
  UNREACHABLE: ["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH"],
  TLS_CERTIFICATE_EXPIRED: ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"],
  TLS_CERTIFICATE_UNTRUSTED: [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "CERT_CHAIN_TOO_LONG",
    "CERT_REVOKED",
    "CERT_SIGNATURE_FAILURE",
    "CERT_UNTRUSTED",
    "CERT_REJECTED",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED"
  ],
  TLS_WRONG_NAME: ["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"],
  TLS_FAILED: ["EPROTO"],
  TIMEOUT: ["ETIMEDOUT"],
  BAD_RESPONSE: [
    "UND_ERR_HEADERS_OVERFLOW",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "UND_ERR_RESPONSE",
    "UND_ERR_RES_EXCEEDED_MAX_SIZE"
  ],
  SERVICE_FAILURE: ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL", "EADDRINUSE", "ENETDOWN", "EAI_AGAIN"]
}

const classOfCode = new Map<string, FailureClass>(
  Object.entries(codes).flatMap(([name, list]) => list.map((code) => [code, name as FailureClass] as const))
)

/** undici reports these answers, which it cannot parse, under the code of a broken connection. */
const unusableAnswers = ["bad response", "bad upgrade"]

interface NetworkError {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly address?: unknown
}

export const classOf = (error: unknown): FailureClass => {
  if (error instanceof AddressNotPublic) return "ADDRESS_NOT_PUBLIC"
  if (error instanceof ResolveFailed) return classOfResolving[error.reason]
  const { address, code, message, name }: NetworkError = typeof error === "object" && error !== null ? error : {}
  // Most errors of undici's parser have no code.
  if (name === "HTTPParserError") return "BAD_RESPONSE"
  if (typeof code !== "string") return "SERVICE_FAILURE"
  if (code === "UND_ERR_SOCKET" && unusableAnswers.some((text) => text === message)) return "BAD_RESPONSE"
  // When IPv4 has no route, the service itself is off the network. When IPv6 has none, the host may simply lack IPv6.
  if (code === "ENETUNREACH" && typeof address === "string" && !address.includes(":")) return "SERVICE_FAILURE"
  const known = classOfCode.get(code)
  if (known !== undefined) return known
  return code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") ? "TLS_FAILED" : "SERVICE_FAILURE"
}
