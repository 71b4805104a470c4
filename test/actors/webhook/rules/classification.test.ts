/** Every row of the classification of network errors. Every class is reached by some error. */
import { expect, it } from "vitest"
import { classOf, failed, isDelivered } from "../../../../src/actors/webhook/rules/classification.ts"
import { AddressNotPublic } from "../../../../src/actors/webhook/rules/connectionErrors.ts"
import { ResolveFailed } from "../../../../src/actors/webhook/rules/connectionErrors.ts"
import { failureClasses, type FailureClass } from "../../../../src/schema/failureClass.ts"

const withCode = (code: string, more: object = {}) => Object.assign(new Error("x"), { code, ...more })
const codes = (error: FailureClass, ...list: ReadonlyArray<string>) =>
  list.map((code): [unknown, FailureClass] => [withCode(code), error])

const rows: ReadonlyArray<[unknown, FailureClass]> = [
  ...codes("DNS_NOT_FOUND", "ENOTFOUND", "ENODATA"),
  [new ResolveFailed({ reason: "NOT_FOUND" }), "DNS_NOT_FOUND"],
  [new ResolveFailed({ reason: "NO_ANSWER" }), "DNS_FAILED"],
  [new ResolveFailed({ reason: "UNAVAILABLE" }), "SERVICE_FAILURE"],
  [new AddressNotPublic({ host: "a.example", address: "10.0.0.1" }), "ADDRESS_NOT_PUBLIC"],
  ...codes("CONNECTION_REFUSED", "ECONNREFUSED"),
  ...codes("CONNECTION_RESET", "ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"),
  [withCode("UND_ERR_SOCKET", { message: "other side closed" }), "CONNECTION_RESET"],
  [withCode("UND_ERR_SOCKET", { message: "bad response" }), "BAD_RESPONSE"],
  [withCode("UND_ERR_SOCKET", { message: "bad upgrade" }), "BAD_RESPONSE"],
  ...codes("UNREACHABLE", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH"),
  [withCode("ENETUNREACH", { address: "2606:4700::1" }), "UNREACHABLE"],
  [withCode("ENETUNREACH", { address: "93.184.216.34" }), "SERVICE_FAILURE"],
  ...codes("TLS_CERTIFICATE_EXPIRED", "CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"),
  ...codes("TLS_CERTIFICATE_UNTRUSTED", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"),
  ...codes("TLS_CERTIFICATE_UNTRUSTED", "UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
  ...codes("TLS_CERTIFICATE_UNTRUSTED", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_CHAIN_TOO_LONG", "CERT_REVOKED"),
  ...codes("TLS_CERTIFICATE_UNTRUSTED", "CERT_SIGNATURE_FAILURE", "CERT_UNTRUSTED", "CERT_REJECTED", "INVALID_CA"),
  ...codes("TLS_CERTIFICATE_UNTRUSTED", "INVALID_PURPOSE", "PATH_LENGTH_EXCEEDED"),
  ...codes("TLS_WRONG_NAME", "ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"),
  ...codes("TLS_FAILED", "EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"),
  ...codes("TLS_FAILED", "ERR_TLS_HANDSHAKE_TIMEOUT"),
  ...codes("TIMEOUT", "ETIMEDOUT"),
  [Object.assign(new Error("Response does not match"), { name: "HTTPParserError", code: undefined }), "BAD_RESPONSE"],
  [withCode("HPE_INVALID_CONSTANT", { name: "HTTPParserError" }), "BAD_RESPONSE"],
  ...codes("BAD_RESPONSE", "UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "UND_ERR_RESPONSE"),
  ...codes("BAD_RESPONSE", "UND_ERR_RES_EXCEEDED_MAX_SIZE"),
  ...codes("SERVICE_FAILURE", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL", "EADDRINUSE", "ENETDOWN"),
  ...codes("SERVICE_FAILURE", "EAI_AGAIN", "UND_ERR_DESTROYED", "UND_ERR_INVALID_ARG", "SOMETHING_NEW"),
  [new Error("without a code"), "SERVICE_FAILURE"],
  [undefined, "SERVICE_FAILURE"],
  [null, "SERVICE_FAILURE"],
  ["ECONNRESET", "SERVICE_FAILURE"],
  [withCode("constructor"), "SERVICE_FAILURE"],
  [{ code: 7 }, "SERVICE_FAILURE"]
]

it.each(rows)("takes %o for %s", (error, name) => expect(classOf(error)).toBe(name))

it("reaches every class of the delivery log", () => {
  const reached = new Set(rows.map(([, name]) => name))
  expect(Object.keys(failureClasses).filter((name) => !reached.has(name as FailureClass))).toEqual([])
})

it("counts only SERVICE_FAILURE as a failure of the service itself", () => {
  const own = Object.keys(failureClasses).filter((name) => failureClasses[name as FailureClass].isOwn)
  expect(own).toEqual(["SERVICE_FAILURE"])
  expect([failed("SERVICE_FAILURE"), failed("TIMEOUT")]).toEqual([
    { _tag: "Failed", error: "SERVICE_FAILURE", isOwn: true },
    { _tag: "Failed", error: "TIMEOUT", isOwn: false }
  ])
})

it("counts any 2xx as delivered, and nothing else", () => {
  const delivered = Array.from({ length: 500 }, (_, at) => at + 100).filter((status) =>
    isDelivered({ _tag: "Answered", status, answer: "" })
  )
  expect(delivered).toEqual(Array.from({ length: 100 }, (_, at) => at + 200))
  expect(isDelivered(failed("TIMEOUT"))).toBe(false)
})
