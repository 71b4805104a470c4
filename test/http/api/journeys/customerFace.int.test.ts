import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import { jpeg, jsonPart, multipartBytes, photoPart, png, sendForm, type SentPart } from "../../../support/multipart.ts"
import { call, freshKey, type Reply } from "../../../support/requests.ts"
import { absent, changed } from "../../../schema/start/judge.ts"
import { eventTypesOf, expectLegalHistory } from "./history.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"
import { sendShape } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const pathOf = (id: string) => `${journeys}/${id}/customer-face`
const details = (changes: Readonly<Record<string, unknown>> = {}) =>
  changed(startBody("FINANCE_SALE").customerFace, changes)
const put = (id: string, parts: ReadonlyArray<SentPart>, idempotencyKey = freshKey(), key = ground.dealer.testKey) =>
  sendForm(ground.service, key, { method: "PUT", path: pathOf(id), parts, idempotencyKey })
const replace = (id: string, photo: Uint8Array = jpeg(), changes = {}, idempotencyKey = freshKey()): Promise<Reply> =>
  put(id, [jsonPart(details(changes), "details"), photoPart(photo)], idempotencyKey)

const started = async (changes = {}): Promise<string> => (await sendShape(ground, "FINANCE_SALE", changes)).data.id
const operate = (id: string, operation: string, body: unknown) =>
  call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${id}/${operation}`, body })
const simulate = (id: string, event: string) => operate(id, "simulate", { event })

describe("a new customer photo", () => {
  it.each(["IN_STORE", "HOME_DELIVERY"])("replaces the old one while the customer is awaited: %s", async (type) => {
    const id = await started({ "delivery.type": type })
    const before = await call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${id}` })
    for (const photo of [jpeg(100), png(100)]) {
      const reply = await replace(id, photo)
      expect(`${reply.status} ${reply.code}`).toBe("200 null")
      expect(reply.data).toEqual(before.data)
    }
    expect((await expectLegalHistory(ground.service, id)).slice(-2)).toEqual([
      "journey.customer_face_replaced",
      "journey.customer_face_replaced"
    ])
  })

  it("may come before its details, with everything optional left out, and without an Idempotency-Key", async () => {
    const id = await started()
    const parts = [
      photoPart(),
      jsonPart(details({ capturedAt: absent, "biometricConsent.capturedBy": absent }), "details")
    ]
    const reply = await call(ground.service, {
      key: ground.dealer.testKey,
      method: "PUT",
      path: pathOf(id),
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: multipartBytes(parts, "b")
    })
    expect(reply.status).toBe(200)
  })

  it("leaves its consent sealed in the journal, and the photo nowhere", async () => {
    const id = await started()
    const canary = "canary-5151"
    await replace(id, Buffer.concat([jpeg(), Buffer.from(canary)]), { "biometricConsent.capturedBy": canary })
    const [line] = await ground.service.query<{ text: string; sealed_note: Uint8Array | null }>(
      "select row_to_json(l)::text as text, sealed_note from journal l where journey_id = $1 and version = 2",
      [id]
    )
    expect(line?.sealed_note?.length).toBeGreaterThan(100)
    // The row's bytes stand in its text as hexadecimal digits.
    expect(line?.text).not.toContain(canary)
    expect(line?.text).not.toContain(Buffer.from(canary).toString("hex"))
  })

  it("counts once when it is sent again, and another photo with the same key is refused", async () => {
    const id = await started()
    const key = freshKey()
    const first = await replace(id, jpeg(), {}, key)
    expect([first.status, first.header("idempotent-replayed")]).toEqual([200, null])
    const again = await replace(id, jpeg(), {}, key)
    expect([again.status, again.header("idempotent-replayed")]).toEqual([200, "true"])
    await refuses(ground, () => replace(id, jpeg(65), {}, key), "409 IDEMPOTENCY_KEY_REUSED")
    await refuses(
      ground,
      () => replace(id, jpeg(), { "biometricConsent.noticeVersion": "2" }, key),
      "409 IDEMPOTENCY_KEY_REUSED"
    )
    await simulate(id, "delivery.video_uploaded")
    expect((await replace(id, jpeg(), {}, key)).status, "a repeat of what was done").toBe(200)
    const types = await eventTypesOf(ground.service, id)
    expect(types.filter((type) => type === "journey.customer_face_replaced")).toHaveLength(1)
  })
})

describe("a new customer photo is refused", () => {
  it.each(["FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA", "IDENTITY_DELIVERY", "CASH_SALE"] as const)(
    "on %s, whatever is sent and however the journey ended (V18)",
    async (shape) => {
      const { id } = (await sendShape(ground, shape)).data
      const sends = [() => replace(id), () => put(id, []), () => replace(id, Buffer.from("GIF89a"))]
      for (const send of sends) await refuses(ground, send, "400 CUSTOMER_FACE_NOT_USED", "customerFace")
      await operate(id, "cancel", { reason: "To have it finished" })
      for (const send of sends) await refuses(ground, send, "400 CUSTOMER_FACE_NOT_USED", "customerFace")
    }
  )

  it.each(["delivery.video_uploaded", "delivery.under_review", "delivery.completed"])(
    "while a video is being checked, and after the handover: %s (V19, V20)",
    async (event) => {
      const id = await started()
      await simulate(id, event)
      await refuses(ground, () => replace(id), "409 CUSTOMER_FACE_LOCKED")
    }
  )

  it.each<[string, (id: string) => Promise<Reply>]>([
    ["cancelled", (id) => operate(id, "cancel", { reason: "The buyer walked away" })],
    ["expired", (id) => simulate(id, "delivery.expired")]
  ])("on a journey that is %s", async (_, end) => {
    const id = await started()
    await end(id)
    await refuses(ground, () => replace(id), "409 JOURNEY_FINISHED")
  })

  it.each<[string, Readonly<Record<string, unknown>>, string, string]>([
    ["no source", { source: absent }, "400 VALIDATION_FAILED", "source"],
    ["an unknown source", { source: "CAMERA" }, "400 VALIDATION_FAILED", "source"],
    ["an unlisted field", { by: "me" }, "400 VALIDATION_FAILED", "by"],
    ["a time without offset", { capturedAt: "2026-01-15T10:25:00" }, "400 VALIDATION_FAILED", "capturedAt"],
    ["a time ahead", { capturedAt: "2999-01-15T10:25:00Z" }, "400 VALIDATION_FAILED", "capturedAt"],
    [
      "a consent ahead",
      { "biometricConsent.capturedAt": "2999-01-15T10:25:00Z" },
      "400 VALIDATION_FAILED",
      "biometricConsent.capturedAt"
    ],
    [
      "a consent without method",
      { "biometricConsent.method": absent },
      "400 VALIDATION_FAILED",
      "biometricConsent.method"
    ],
    [
      "a consent without notice",
      { "biometricConsent.noticeVersion": " " },
      "400 VALIDATION_FAILED",
      "biometricConsent.noticeVersion"
    ],
    ["a consent that is a list", { biometricConsent: [] }, "400 VALIDATION_FAILED", "biometricConsent"],
    ["no consent", { biometricConsent: absent }, "422 BIOMETRIC_CONSENT_REQUIRED", "biometricConsent"],
    [
      "consent not given",
      { "biometricConsent.given": false },
      "422 BIOMETRIC_CONSENT_REQUIRED",
      "biometricConsent.given"
    ],
    [
      "consent as text",
      { "biometricConsent.given": "true" },
      "422 BIOMETRIC_CONSENT_REQUIRED",
      "biometricConsent.given"
    ]
  ])("with details that have %s", async (_, changes, expected, field) => {
    const id = await started()
    await refuses(ground, () => replace(id, jpeg(), changes), expected, field)
  })

  it.each<[string, () => ReadonlyArray<SentPart>, string, string]>([
    ["no part", () => [], "400 VALIDATION_FAILED", "details"],
    ["no details", () => [photoPart()], "400 VALIDATION_FAILED", "details"],
    ["no photo", () => [jsonPart(details(), "details")], "400 CUSTOMER_FACE_REQUIRED", "customerFace"],
    ["a journey part", () => [jsonPart(details(), "journey"), photoPart()], "400 VALIDATION_FAILED", "body"],
    ["details that are no JSON", () => [jsonPart("{", "details"), photoPart()], "400 VALIDATION_FAILED", "body"],
    ["details that are a list", () => [jsonPart("[]", "details"), photoPart()], "400 VALIDATION_FAILED", "details"],
    [
      "a GIF",
      () => [jsonPart(details(), "details"), photoPart(Buffer.from("GIF89a"))],
      "400 UNSUPPORTED_IMAGE_TYPE",
      "customerFace"
    ],
    [
      "too large a photo",
      () => [jsonPart(details(), "details"), photoPart(jpeg(5 * 1024 * 1024 + 1))],
      "400 VALIDATION_FAILED",
      "customerFace"
    ]
  ])("with %s", async (_, parts, expected, field) => {
    const id = await started()
    await refuses(ground, () => put(id, parts()), expected, field)
  })

  it("as JSON, without a key, by another company, and by a method that is not PUT", async () => {
    const id = await started()
    const asJson = { key: ground.dealer.testKey, method: "PUT", path: pathOf(id), body: details() }
    await refuses(ground, () => call(ground.service, asJson), "415 UNSUPPORTED_MEDIA_TYPE", "body")
    const parts = [jsonPart(details(), "details"), photoPart()]
    await refuses(ground, () => put(id, parts, freshKey(), "nobody"), "401 INVALID_API_KEY")
    for (const key of [ground.broker.testKey, ground.dealer.liveKey]) {
      await refuses(ground, () => put(id, parts, freshKey(), key), "404 JOURNEY_NOT_FOUND")
      await refuses(ground, () => put(id, [], "bad", key), "404 JOURNEY_NOT_FOUND")
    }
    const posted = await refuses(
      ground,
      () => sendForm(ground.service, ground.dealer.testKey, { path: pathOf(id), parts }),
      "405 METHOD_NOT_ALLOWED"
    )
    expect(posted.header("allow")).toBe("PUT")
  })
})

describe("of two faults of a new photo the earlier is told", () => {
  it("form, then lock, then end, then consent", async () => {
    const locked = await started()
    await simulate(locked, "delivery.video_uploaded")
    const ended = await started()
    await operate(ended, "cancel", { reason: "To have it finished" })
    const noConsent = { "biometricConsent.given": false }
    for (const [id, code] of [
      [locked, "409 CUSTOMER_FACE_LOCKED"],
      [ended, "409 JOURNEY_FINISHED"]
    ] as const) {
      await refuses(ground, () => put(id, [], "bad key"), "400 IDEMPOTENCY_KEY_REQUIRED")
      await refuses(ground, () => replace(id, jpeg(), { ...noConsent, source: 5 }), "400 VALIDATION_FAILED", "source")
      await refuses(ground, () => replace(id, Buffer.from("GIF89a"), noConsent), "400 UNSUPPORTED_IMAGE_TYPE")
      await refuses(ground, () => replace(id, jpeg(), noConsent), code)
    }
  })

  it("specific codes before VALIDATION_FAILED, all at once", async () => {
    const id = await started()
    const reply = await refuses(
      ground,
      () => replace(id, Buffer.from("GIF89a"), { source: 5 }),
      "400 UNSUPPORTED_IMAGE_TYPE"
    )
    expect(reply.errors.map(({ code, field }) => `${code} ${field}`)).toEqual([
      "UNSUPPORTED_IMAGE_TYPE customerFace",
      "VALIDATION_FAILED source"
    ])
  })
})

describe("a new photo that races the video", () => {
  it("comes before it or is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await started()
      const [replaced, uploaded] = await Promise.all([replace(id), simulate(id, "delivery.video_uploaded")])
      expect(uploaded?.status).toBe(200)
      const types = await expectLegalHistory(ground.service, id)
      const at = types.indexOf("journey.customer_face_replaced")
      if (replaced?.status === 200) expect(at).toBeLessThan(types.indexOf("delivery.video_uploaded"))
      else expect([replaced?.code, at]).toEqual(["CUSTOMER_FACE_LOCKED", -1])
    }
  })
})
