/**
 * Which of two faults of one request is told (decisions V15 and V16). Each row breaks two neighbours of the order; the
 * last column is the code of the earlier one.
 */
import { afterAll, beforeAll, describe, it } from "vitest"
import { askSettings, makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { call, freshKey, start, type Reply } from "../../../support/requests.ts"
import { startService, type Service } from "../../../support/service.ts"
import { absent, changed } from "../../../schema/start/judge.ts"
import { expectRefusal, journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

let ground: Ground
let limited: Service
let limitedKey: string
let readOnly: string
let bare: TestCompany
let used: string
let id: string
let mira: string
let finished: string
let declined: string
beforeAll(async () => {
  ground = await prepareGround()
  const { service } = ground
  readOnly = (
    await askSettings(service, `/companies/${ground.dealer.id}/api-keys`, {
      body: { mode: "TEST", scopes: ["journeys:read"] }
    })
  ).data.key
  bare = await makeCompany(service, {
    kind: "BROKER",
    settings: { sandbox: { identityConfigured: false, panelConfigured: false, credits: false } }
  })
  used = freshKey()
  id = (await start(service, ground.dealer.testKey, startBody("FINANCE_ALREADY_SUBMITTED"), used)).data.id
  mira = (await start(service, ground.dealer.testKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))).data.id
  finished = (await start(service, ground.dealer.testKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))).data.id
  await operate(finished, "cancel", { reason: "To have one finished" })
  const declinedBody = changed(startBody("FINANCE_ALREADY_SUBMITTED"), { "finance.decision": "DECLINED" })
  declined = (await start(service, ground.dealer.testKey, declinedBody)).data.id
  limited = await startService({ RATE_LIMIT_PER_MINUTE: "1" })
  limitedKey = (await makeCompany(limited)).testKey
  await call(limited, { key: limitedKey })
})
afterAll(async () => {
  await ground.service.stop()
  await limited.stop()
})

const operate = (
  journey: string,
  operation: string,
  body: unknown,
  { headers = {}, key = ground.dealer.testKey }: { key?: string; headers?: Readonly<Record<string, string>> } = {}
): Promise<Reply> =>
  call(ground.service, { key, path: `${journeys}/${journey}/${operation}`, method: "POST", body, headers })

const post = (
  body: unknown,
  headers: Readonly<Record<string, string>>,
  key = ground.dealer.testKey,
  base = ground.service
) => call(base, { key, body, method: "POST", headers })

const named = () => ({ "idempotency-key": freshKey() })
const body = () => startBody("IDENTITY_DELIVERY")
const expiredKey = async (more: object = {}) => {
  const { data } = await askSettings(ground.service, `/companies/${ground.dealer.id}/api-keys`, {
    body: { mode: "TEST", ...more }
  })
  await ground.service.query("update api_keys set expires_at = now() - interval '1 day' where id = $1", [data.id])
  return data.key as string
}

describe("of two faults of a start the earlier is told", () => {
  it.each<[string, () => Promise<Reply>, string]>([
    ["413 before 401", () => post(" ".repeat(1_100_000), named(), "nobody"), "413 PAYLOAD_TOO_LARGE"],
    ["415 before 401", () => post("x", { "content-type": "text/plain" }, "nobody"), "415 UNSUPPORTED_MEDIA_TYPE"],
    ["401 before a missing Idempotency-Key", () => post(body(), {}, "nobody"), "401 INVALID_API_KEY"],
    [
      "INVALID_API_KEY before API_KEY_EXPIRED",
      async () => {
        const key = await expiredKey()
        await ground.service.query("update api_keys set revoked_at = now() where last4 = $1", [key.slice(-4)])
        return post(body(), named(), key)
      },
      "401 INVALID_API_KEY"
    ],
    [
      "API_KEY_EXPIRED before 403",
      async () => post(body(), named(), await expiredKey({ scopes: ["journeys:read"] })),
      "401 API_KEY_EXPIRED"
    ],
    ["403 before a missing Idempotency-Key", () => post(body(), {}, readOnly), "403 API_KEY_NOT_PERMITTED"],
    ["403 before no JSON", () => post("{", named(), readOnly), "403 API_KEY_NOT_PERMITTED"],
    ["a missing Idempotency-Key before no JSON", () => post("{", {}), "400 IDEMPOTENCY_KEY_REQUIRED"],
    [
      "a missing Idempotency-Key before a bad form",
      () => post("no form", { "content-type": "multipart/form-data; boundary=x" }),
      "400 IDEMPOTENCY_KEY_REQUIRED"
    ],
    ["no JSON before a reused key", () => post("{", { "idempotency-key": used }), "400 VALIDATION_FAILED"],
    [
      "a bad form before a reused key",
      () => post("no form", { "content-type": "multipart/form-data; boundary=x", "idempotency-key": used }),
      "400 VALIDATION_FAILED"
    ],
    [
      "a reused key before the type",
      () => post({ type: "x" }, { "idempotency-key": used }),
      "409 IDEMPOTENCY_KEY_REUSED"
    ],
    ["a reused key before no object", () => post("[]", { "idempotency-key": used }), "409 IDEMPOTENCY_KEY_REUSED"],
    [
      "the type before a specific code",
      () => post({ ...startBody("CASH_SALE"), type: "x", customerFace: 1 }, named()),
      "400 VALIDATION_FAILED"
    ],
    [
      "a specific code before VALIDATION_FAILED",
      () => post(changed(body(), { "vehicle.year": 1, "delivery.saleType": "CASH_SALE" }), named()),
      "400 SALE_TYPE_NOT_USED"
    ],
    [
      "400 before DEALER_ONLY",
      () => post(changed(startBody("CASH_SALE"), { "vehicle.year": 1 }), named(), ground.broker.testKey),
      "400 VALIDATION_FAILED"
    ],
    [
      "400 before CONSENT_REQUIRED",
      () =>
        post(
          changed(startBody("FINANCE_SUBMIT_VIA_MIRA"), { "vehicle.year": 1, "finance.consents.creditCheck": false }),
          named()
        ),
      "400 VALIDATION_FAILED"
    ],
    [
      "an unusable image before BIOMETRIC_CONSENT_REQUIRED",
      () =>
        sendForm(ground.service, ground.dealer.testKey, {
          parts: [
            jsonPart(changed(startBody("FINANCE_SALE"), { "customerFace.biometricConsent.given": false })),
            photoPart(Buffer.from("GIF89a"))
          ]
        }),
      "400 UNSUPPORTED_IMAGE_TYPE"
    ],
    [
      "DEALER_ONLY before EKYC_NOT_CONFIGURED",
      () => post(startBody("CASH_SALE"), named(), bare.testKey),
      "422 DEALER_ONLY"
    ],
    [
      "CONSENT_REQUIRED before EKYC_NOT_CONFIGURED",
      () => post(changed(startBody("FINANCE_SUBMIT_VIA_MIRA"), { "finance.consents": absent }), named(), bare.testKey),
      "422 CONSENT_REQUIRED"
    ],
    [
      "EKYC_NOT_CONFIGURED before FINANCE_PANEL_NOT_CONFIGURED",
      () => post(startBody("FINANCE_SUBMIT_VIA_MIRA"), named(), bare.testKey),
      "422 EKYC_NOT_CONFIGURED"
    ]
  ])("%s", async (_, send, expected) => {
    await refuses(ground, send, expected)
  })
})

describe("a used-up rate limit", () => {
  it("is told after the key, and before scope, Idempotency-Key and body", async () => {
    expectRefusal(await post("{", {}, "nobody", limited), "401 INVALID_API_KEY")
    expectRefusal(await post("{", {}, limitedKey, limited), "429 RATE_LIMITED")
    const simulate = { key: limitedKey, path: `${journeys}/none/simulate`, body: "{" }
    expectRefusal(await call(limited, simulate), "429 RATE_LIMITED")
    expectRefusal(await post("x", { "content-type": "text/plain" }, limitedKey, limited), "415 UNSUPPORTED_MEDIA_TYPE")
  })
})

describe("of two faults of an operation the earlier is told", () => {
  const nobodys = "01890000-0000-7000-8000-000000000000"
  const bad = { headers: { "idempotency-key": "bad" } }

  it.each<[string, () => Promise<Reply>, string]>([
    [
      "415 before 401",
      () => operate(id, "cancel", "x", { key: "nobody", headers: { "content-type": "text/plain" } }),
      "415 UNSUPPORTED_MEDIA_TYPE"
    ],
    ["401 before 404", () => operate(nobodys, "cancel", {}, { key: "nobody" }), "401 INVALID_API_KEY"],
    ["403 before 404", () => operate(nobodys, "cancel", {}, { key: readOnly }), "403 API_KEY_NOT_PERMITTED"],
    ["404 before no JSON", () => operate(nobodys, "cancel", "{"), "404 JOURNEY_NOT_FOUND"],
    ["404 before a bad body", () => operate(nobodys, "cancel", { reason: "short" }), "404 JOURNEY_NOT_FOUND"],
    ["404 before a bad decision", () => operate(nobodys, "finance-decision", {}), "404 JOURNEY_NOT_FOUND"],
    ["404 before a bad event", () => operate(nobodys, "simulate", { event: "x" }), "404 JOURNEY_NOT_FOUND"],
    [
      "404 before a bad Idempotency-Key",
      () => operate(nobodys, "cancel", { reason: "long enough to do" }, bad),
      "404 JOURNEY_NOT_FOUND"
    ],
    ["404 of an ill-formed id before a bad body", () => operate("no-id", "cancel", "{"), "404 JOURNEY_NOT_FOUND"],
    [
      "a bad Idempotency-Key before the journey's state",
      () => operate(finished, "cancel", { reason: "long enough to do" }, bad),
      "400 IDEMPOTENCY_KEY_REQUIRED"
    ],
    [
      "400 before JOURNEY_FINISHED: cancel",
      () => operate(finished, "cancel", { reason: "short" }),
      "400 VALIDATION_FAILED"
    ],
    [
      "400 before JOURNEY_FINISHED: simulate",
      () => operate(finished, "simulate", { event: "ping" }),
      "400 VALIDATION_FAILED"
    ],
    [
      "400 before FINANCE_DECISION_FROM_PANEL",
      () => operate(mira, "finance-decision", { decision: "approved" }),
      "400 VALIDATION_FAILED"
    ],
    [
      "FINANCE_DECISION_FROM_PANEL before JOURNEY_FINISHED",
      () => operate(finished, "finance-decision", { decision: "APPROVED" }),
      "409 FINANCE_DECISION_FROM_PANEL"
    ],
    [
      "FINANCE_ALREADY_DECIDED before JOURNEY_FINISHED",
      () => operate(declined, "finance-decision", { decision: "APPROVED" }),
      "409 FINANCE_ALREADY_DECIDED"
    ],
    [
      "JOURNEY_FINISHED before EVENT_NOT_POSSIBLE",
      () => operate(finished, "simulate", { event: "finance_enquiry.submission_failed" }),
      "409 JOURNEY_FINISHED"
    ]
  ])("%s", async (_, send, expected) => {
    await refuses(ground, send, expected)
  })
})
