/**
 * What an exchange amounts to: whether its answer counts as delivered, and which class of the delivery log an error of
 * the network is. An error that nobody expected is taken as the service's own, which costs the endpoint nothing.
 */
import { failureClasses, type FailureClass } from "../../../schema/failureClass.ts"
import { AddressNotPublic } from "../actor/reachable.ts"
import { ResolveFailed } from "../actor/Resolver.ts"
import type { Exchange } from "../actor/Sender.ts"

/** Any 2xx and nothing else; a redirect is not followed, so it is no delivery (§6.3.3). */
export const isDelivered = (exchange: Exchange): boolean =>
  exchange._tag === "Answered" && exchange.status >= 200 && exchange.status < 300

export const failed = (error: FailureClass): Exchange => ({ _tag: "Failed", error, isOwn: failureClasses[error].isOwn })

const classOfResolving = {
  NOT_FOUND: "DNS_NOT_FOUND",
  NO_ANSWER: "DNS_FAILED",
  UNAVAILABLE: "SERVICE_FAILURE"
} as const satisfies Readonly<Record<ResolveFailed["reason"], FailureClass>>

/** Codes of Node, of OpenSSL and of undici. */
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

/** What undici says of an answer that it can make nothing of, with the code of a connection that broke. */
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
  // undici has no code for most of what its parser finds wrong.
  if (name === "HTTPParserError") return "BAD_RESPONSE"
  if (typeof code !== "string") return "SERVICE_FAILURE"
  if (code === "UND_ERR_SOCKET" && unusableAnswers.some((text) => text === message)) return "BAD_RESPONSE"
  // Without a way to any IPv4 address the service is off the network; without one to IPv6 it merely has none.
  if (code === "ENETUNREACH" && typeof address === "string" && !address.includes(":")) return "SERVICE_FAILURE"
  const known = classOfCode.get(code)
  if (known !== undefined) return known
  return code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") ? "TLS_FAILED" : "SERVICE_FAILURE"
}
