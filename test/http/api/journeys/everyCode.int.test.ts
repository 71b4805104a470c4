/**
 * Every code of the catalogue, met over HTTP: one request each, and the reason for each that no request can meet here.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { errorCatalogue, type ErrorCode } from "../../../../src/schema/problems.ts"
import { askSettings, makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { jpeg, jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { call, freshKey, raw, RawConnection, start, type Reply } from "../../../support/requests.ts"
import { startService } from "../../../support/service.ts"
import { absent, changed } from "../../../schema/start/judge.ts"
import { expectRefusal, journeys, prepareGround, type Ground } from "./oracle.ts"

let ground: Ground
let bare: TestCompany
beforeAll(async () => {
  ground = await prepareGround()
  bare = await makeCompany(ground.service, { settings: { sandbox: { panelConfigured: false } } })
})
afterAll(() => ground.service.stop())

const key = () => ground.dealer.testKey
const send = (body: unknown, apiKey = key()) => start(ground.service, apiKey, body)
const variant = (shape: Parameters<typeof startBody>[0], changes: Readonly<Record<string, unknown>>) =>
  send(changed(startBody(shape), changes))
const operate = (id: string, operation: string, body: unknown, apiKey = key()) =>
  call(ground.service, { key: apiKey, path: `${journeys}/${id}/${operation}`, body })
const begun = async (shape: Parameters<typeof startBody>[0]): Promise<string> => (await send(startBody(shape))).data.id
const form = (changes: Readonly<Record<string, unknown>>, photo: Uint8Array = jpeg()) =>
  sendForm(ground.service, key(), { parts: [jsonPart(changed(startBody("FINANCE_SALE"), changes)), photoPart(photo)] })
const rawReply = async (bytes: string): Promise<Reply> =>
  (await raw(ground.service, bytes)).replies[0] ?? expect.fail("no answer")

const requests: Partial<Record<ErrorCode, () => Promise<Reply>>> = {
  IDEMPOTENCY_KEY_REQUIRED: () => call(ground.service, { key: key(), body: startBody("CASH_SALE") }),
  APPLICATION_INCOMPLETE: () => variant("FINANCE_SUBMIT_VIA_MIRA", { "customer.title": absent }),
  PANEL_REFERENCE_REQUIRED: () => variant("FINANCE_ALREADY_SUBMITTED", { "finance.panelName": absent }),
  PANEL_FIELDS_NOT_USED: () => variant("FINANCE_SUBMIT_VIA_MIRA", { "finance.panelName": "P" }),
  SALE_TYPE_REQUIRED: () => variant("CASH_SALE", { "delivery.saleType": absent }),
  SALE_TYPE_NOT_USED: () => variant("IDENTITY_DELIVERY", { "delivery.saleType": "CASH_SALE" }),
  CUSTOMER_FACE_REQUIRED: () => send(startBody("FINANCE_SALE")),
  CUSTOMER_FACE_NOT_USED: () => variant("CASH_SALE", { customerFace: {} }),
  FINANCE_FIELDS_NOT_USED: () => variant("IDENTITY_DELIVERY", { "finance.vehiclePrice": 1 }),
  INVALID_APPLICATION_VALUE: () => variant("FINANCE_SUBMIT_VIA_MIRA", { "finance.maritalStatus": "HAPPY" }),
  UNSUPPORTED_IMAGE_TYPE: () => form({}, Buffer.from("GIF89a")),
  INVALID_API_KEY: () => call(ground.service, { key: "nobody" }),
  API_KEY_EXPIRED: async () => {
    const { data } = await askSettings(ground.service, `/companies/${bare.id}/api-keys`, { body: { mode: "TEST" } })
    await ground.service.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [data.id])
    return call(ground.service, { key: data.key })
  },
  API_KEY_NOT_PERMITTED: () => operate("none", "simulate", { event: "identity.verified" }, ground.dealer.liveKey),
  JOURNEY_NOT_FOUND: () => call(ground.service, { key: key(), path: `${journeys}/none` }),
  IDEMPOTENCY_KEY_REUSED: async () => {
    const used = freshKey()
    await start(ground.service, key(), startBody("CASH_SALE"), used)
    return start(ground.service, key(), startBody("IDENTITY_DELIVERY"), used)
  },
  FINANCE_DECISION_FROM_PANEL: async () =>
    operate(await begun("FINANCE_SUBMIT_VIA_MIRA"), "finance-decision", { decision: "APPROVED" }),
  FINANCE_ALREADY_DECIDED: async () => operate(await begun("CASH_SALE"), "finance-decision", { decision: "APPROVED" }),
  CUSTOMER_FACE_LOCKED: async () => {
    const { data } = await form({})
    await operate(data.id, "simulate", { event: "delivery.video_uploaded" })
    const { customerFace } = startBody("FINANCE_SALE")
    return sendForm(ground.service, key(), {
      method: "PUT",
      path: `${journeys}/${data.id}/customer-face`,
      parts: [jsonPart(customerFace, "details"), photoPart()]
    })
  },
  JOURNEY_FINISHED: async () => {
    const id = await begun("CASH_SALE")
    await operate(id, "cancel", { reason: "The first of two" })
    return operate(id, "cancel", { reason: "The second of two" })
  },
  BIOMETRIC_CONSENT_REQUIRED: () => form({ "customerFace.biometricConsent.given": false }),
  CONSENT_REQUIRED: () => variant("FINANCE_SUBMIT_VIA_MIRA", { "finance.consents.creditCheck": false }),
  EKYC_NOT_CONFIGURED: () => send(startBody("CASH_SALE"), bare.liveKey),
  FINANCE_PANEL_NOT_CONFIGURED: () => send(startBody("FINANCE_SUBMIT_VIA_MIRA"), bare.testKey),
  INSUFFICIENT_CREDITS: async () => {
    const poor = await makeCompany(ground.service, { settings: { identityProvider: { kind: "BUILT_IN" } } })
    return send(startBody("CASH_SALE"), poor.liveKey)
  },
  DEALER_ONLY: () => send(startBody("CASH_SALE"), ground.broker.testKey),
  RATE_LIMITED: async () => {
    const limited = await startService({ RATE_LIMIT_PER_MINUTE: "1" })
    try {
      const { testKey } = await makeCompany(limited)
      await call(limited, { key: testKey })
      return await call(limited, { key: testKey })
    } finally {
      await limited.stop()
    }
  },
  VALIDATION_FAILED: () => send({}),
  INVALID_SIGNATURE: () => call(ground.service, { path: "/callbacks/v1/finance/none", body: {} }),
  EVENT_NOT_POSSIBLE: async () => operate(await begun("CASH_SALE"), "simulate", { event: "finance_enquiry.approved" }),
  NOT_FOUND: () => call(ground.service, { path: "/nowhere" }),
  METHOD_NOT_ALLOWED: () => call(ground.service, { method: "DELETE" }),
  REQUEST_TIMEOUT: async () => {
    // Headers that never end are cut sooner than a body.
    const connection = new RawConnection(ground.service)
    await connection.write("GET / HTTP/1.1\r\nHost: x\r\n")
    const { replies } = await connection.conversation({ withinMillis: 20_000 })
    connection.close()
    return replies[0] ?? expect.fail("no answer")
  },
  CONFLICT: async () => {
    const path = `/settings/v1/companies/${bare.id}/api-keys/${bare.liveKeyId}`
    const operator = "test-operator-token-000000000000000000000000"
    await call(ground.service, { key: operator, method: "DELETE", path })
    return call(ground.service, { key: operator, method: "POST", path: `${path}/rotate` })
  },
  PAYLOAD_TOO_LARGE: () => send(" ".repeat(1024 * 1024 + 1)),
  UNSUPPORTED_MEDIA_TYPE: () =>
    call(ground.service, { key: key(), body: "{}", headers: { "content-type": "text/plain" } }),
  HEADERS_TOO_LARGE: () => rawReply(`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  INTERNAL_ERROR: async () => {
    const id = await begun("CASH_SALE")
    await ground.service.query(`update journeys set state = '{"odd": true}' where id = $1`, [id])
    return call(ground.service, { key: key(), path: `${journeys}/${id}` })
  }
}

/** Why no request of these tests can meet a code. */
const unreachable: Partial<Record<ErrorCode, string>> = {
  NO_FACE: "faces are not looked at in this version",
  MULTIPLE_FACES: "faces are not looked at in this version",
  FACE_TOO_SMALL: "faces are not looked at in this version",
  REQUEST_FORGED: "needs a session of the console: see test/http/console/gate.int.test.ts",
  ROLE_NOT_PERMITTED: "needs a session of the console: see test/http/console/gate.int.test.ts",
  SIGN_IN_AGAIN: "needs a session of the console: see test/http/console/signInAgain.int.test.ts",
  TEMPORARILY_UNAVAILABLE: "needs a database that is away: see the tests of faults"
}

/** §7 and R13, copied by hand: the catalogue must not be its own judge. */
const statuses: Readonly<Record<number, ReadonlyArray<ErrorCode>>> = {
  400: [
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
    "VALIDATION_FAILED"
  ],
  401: ["INVALID_API_KEY", "API_KEY_EXPIRED", "INVALID_SIGNATURE"],
  403: ["API_KEY_NOT_PERMITTED", "REQUEST_FORGED", "ROLE_NOT_PERMITTED", "SIGN_IN_AGAIN"],
  404: ["JOURNEY_NOT_FOUND", "NOT_FOUND"],
  405: ["METHOD_NOT_ALLOWED"],
  408: ["REQUEST_TIMEOUT"],
  409: [
    "IDEMPOTENCY_KEY_REUSED",
    "FINANCE_DECISION_FROM_PANEL",
    "FINANCE_ALREADY_DECIDED",
    "CUSTOMER_FACE_LOCKED",
    "JOURNEY_FINISHED",
    "EVENT_NOT_POSSIBLE",
    "CONFLICT"
  ],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  422: [
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
  429: ["RATE_LIMITED"],
  431: ["HEADERS_TOO_LARGE"],
  500: ["INTERNAL_ERROR"],
  503: ["TEMPORARILY_UNAVAILABLE"]
}

const statusOf = (code: string): string =>
  Object.entries(statuses).find(([, codes]) => codes.some((one) => one === code))?.[0] ??
  expect.fail(`no status for ${code}`)

describe("the codes of the catalogue", () => {
  it.each(Object.entries(requests))("%s is answered, with its status", { timeout: 30_000 }, async (code, request) => {
    expectRefusal(await request(), `${statusOf(code)} ${code}`)
  })

  it("are these and those that no request can meet, and no others", () => {
    const known = [...Object.keys(requests), ...Object.keys(unreachable)]
    expect(known.toSorted()).toEqual(Object.keys(errorCatalogue).toSorted())
    expect(Object.values(statuses).flat().toSorted()).toEqual(known.toSorted())
  })
})
