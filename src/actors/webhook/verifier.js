// @ts-check
/**
 * What receivers import as `journeys/webhooks`: it proves that a delivery came from this service, unchanged and just now
 * (§6.3). This is plain JavaScript and imports nothing of the project: it runs in the receiver's process, where Node strips
 * no types inside node_modules. It does not remember event ids; the receiver finds duplicates itself.
 * @import * as Declared from "./verifier.d.ts"
 */
import { createHmac, timingSafeEqual } from "node:crypto"

/** A signature that is older, or further in the future, is refused (§6.3.2). The number stands only here. */
export const defaultToleranceSeconds = 300

const headerName = "service-signature"

/** A time of at most 12 digits, then values by scheme. Schemes other than v1 are ignored, because new ones may come. */
const headerForm = /^t=(\d{1,12})((?:,v\d+=[0-9a-f]+)+)$/
const v1Length = "v1=".length + 64

export class WebhookVerificationError extends Error {
  /**
   * @param {Declared.WebhookVerificationReason} reason
   * @param {string} message
   */
  constructor(reason, message) {
    super(message)
    /** @type {"WebhookVerificationError"} */
    this.name = "WebhookVerificationError"
    this.reason = reason
  }
}

/**
 * A fault of the request is a WebhookVerificationError. A TypeError is a fault of the receiver's own program: its secret,
 * its tolerance or its time.
 * @type {typeof Declared.verifySignature}
 */
export const verifySignature = ({
  body,
  headers,
  signature = headers && signatureIn(headers),
  secret,
  toleranceSeconds = defaultToleranceSeconds,
  // oxlint-disable-next-line no-restricted-properties -- the receiver's own clock; a test passes another
  now = Date.now()
}) => {
  const secrets = secretsOf(secret)
  const nowSeconds = Math.floor(Number(now) / 1000)
  if (Number.isNaN(nowSeconds)) throw new TypeError("now is a Date or epoch milliseconds")
  if (!(toleranceSeconds >= 0)) throw new TypeError("toleranceSeconds is a number from 0")

  const bytes = rawBody(body)
  const { t, values } = readHeader(signature)

  // Every value is compared with that of every secret, so that the time taken does not show which one matched.
  let matches = false
  for (const key of secrets) {
    const expected = Buffer.from(`v1=${createHmac("sha256", key).update(`${t}.`).update(bytes).digest("hex")}`)
    for (const value of values) matches = timingSafeEqual(Buffer.from(value), expected) || matches
  }
  if (!matches) throw noMatch(secrets)

  const age = nowSeconds - Number(t)
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError(
      "STALE_TIMESTAMP",
      `Signed ${age} s ago: a replay, or this machine's clock is fast`
    )
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError("FUTURE_TIMESTAMP", `Signed ${-age} s from now: this machine's clock is slow`)
  }
}

/** @type {typeof Declared.verifyWebhook} */
export const verifyWebhook = (delivery) => {
  verifySignature(delivery)
  const event = parsed(delivery.body)
  if (typeof event?.id !== "string" || typeof event.type !== "string") {
    throw new WebhookVerificationError("MALFORMED_BODY", "The signature is genuine, but the body is not an event")
  }
  return event
}

/** @type {typeof Declared.journeyIdOf} */
export const journeyIdOf = ({ data }) =>
  typeof data === "object" && data !== null && "journeyId" in data && typeof data.journeyId === "string"
    ? data.journeyId
    : null

/**
 * @param {NonNullable<Declared.WebhookDelivery["headers"]>} headers
 * @returns {string | null | undefined}
 */
const signatureIn = (headers) => {
  if (typeof headers.get === "function") return headers.get(headerName)
  const found = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === headerName)
    .flatMap(([, value]) => value ?? [])
  // Two signature headers are no choice. Joined, they have a form that is refused.
  return found.length === 0 ? undefined : found.join(", ")
}

/** @param {unknown} signature */
const readHeader = (signature) => {
  if (signature === undefined || signature === null || signature === "") {
    throw new WebhookVerificationError("MISSING_SIGNATURE", "The request has no Service-Signature header")
  }
  const [, t, rest] = (typeof signature === "string" && headerForm.exec(signature)) || []
  const values = rest?.split(",").filter((value) => value.startsWith("v1=")) ?? []
  if (t === undefined || values.length === 0 || values.some((value) => value.length !== v1Length)) {
    throw new WebhookVerificationError(
      "MALFORMED_SIGNATURE",
      "Service-Signature is not t=<unix seconds>,v1=<64 lower-case hex characters>"
    )
  }
  return { t, values }
}

/** @param {Declared.WebhookDelivery["body"]} body */
const rawBody = (body) => {
  if (typeof body === "string" || ArrayBuffer.isView(body)) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new WebhookVerificationError(
    "BODY_NOT_RAW",
    "Pass the raw body: the bytes exactly as received, or their text. A parsed object cannot be verified, also not after " +
      'JSON.stringify; take the body before a parser does, in Express with express.raw({ type: "application/json" })'
  )
}

/**
 * @param {Declared.WebhookDelivery["body"]} body
 * @returns {any}
 */
const parsed = (body) => {
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** @param {unknown} secret */
const secretsOf = (secret) => {
  /** @type {ReadonlyArray<unknown>} */
  const secrets = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0) throw new TypeError("At least one secret is needed")
  return secrets.map((each) => {
    if (typeof each !== "string" || each === "") throw new TypeError("A secret is the text as it was shown: whsec_...")
    if (/\s/.test(each))
      throw new TypeError("The secret contains white space: often a line break, from the file it is in")
    return each
  })
}

/** @param {ReadonlyArray<string>} secrets */
const noMatch = (secrets) =>
  new WebhookVerificationError(
    "NO_MATCH",
    "No v1 of Service-Signature matches. Is the body exactly what arrived, and the secret this endpoint's?" +
      (secrets.some((secret) => secret.startsWith("whsec_")) ? "" : " The secret is the whole text, whsec_ included.")
  )
