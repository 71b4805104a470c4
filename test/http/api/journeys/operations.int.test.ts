import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { call, freshKey, type Reply } from "../../../support/requests.ts"
import { eventTypesOf, expectLegalHistory } from "./history.ts"
import { operationsOn, reason } from "./operationsOn.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"
import { shapes } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const { cancel, decide, expectDone, operate, simulate, started } = operationsOn(() => ground)

describe("cancel", () => {
  it.each(shapes)("ends a journey of shape %s, and answers with it", async (shape) => {
    const id = await started(shape)
    await expectDone(await cancel(id), { id, status: "CANCELLED", nextAction: null })
    const types = await expectLegalHistory(ground.service, id)
    const hasHandover = shape === "CASH_SALE" || shape === "FINANCE_SALE"
    expect(types.slice(hasHandover ? -2 : -1)).toEqual([
      ...(hasHandover ? ["delivery.cancelled"] : []),
      "journey.cancelled"
    ])
    expect(types.includes("delivery.cancelled")).toBe(hasHandover)
    await refuses(ground, () => cancel(id), "409 JOURNEY_FINISHED")
  })

  it.each([
    ["10 characters", "0123456789"],
    ["500 characters", "x".repeat(500)],
    ["10 emoji", "🚗".repeat(10)],
    ["500 emoji", "🚗".repeat(500)],
    ["several lines", "first line\nsecond line\n\tthird"],
    ["spaces around", "     0123456789    "]
  ])("takes a reason of %s (BAD-L9)", async (_, text) => {
    const id = await started("IDENTITY_DELIVERY")
    await expectDone(await operate(id, "cancel", { reason: text }), { status: "CANCELLED" })
  })

  it.each<[string, unknown, string]>([
    ["9 characters", { reason: "012345678" }, "reason"],
    ["501 characters", { reason: "x".repeat(501) }, "reason"],
    ["10 spaces", { reason: " ".repeat(10) }, "reason"],
    ["9 characters among spaces", { reason: `   012345678   ` }, "reason"],
    ["a number", { reason: 1_234_567_890 }, "reason"],
    ["null", { reason: null }, "reason"],
    ["nothing", {}, "reason"],
    ["a bell", { reason: "0123456789\u0007" }, "reason"],
    ["something beside", { reason, by: "me" }, "by"],
    ["a list", [reason], "body"]
  ])("refuses a reason of %s (BAD-L9)", async (_, body, field) => {
    const id = await started("IDENTITY_DELIVERY")
    await refuses(ground, () => operate(id, "cancel", body), "400 VALIDATION_FAILED", field)
  })

  it("keeps the reason sealed, and sends it to nobody", async () => {
    const id = await started("CASH_SALE")
    await operate(id, "cancel", { reason: "canary-Marigold changed her mind" })
    const rows = await ground.service.query<{ text: string; sealed_note: Uint8Array | null }>(
      `select row_to_json(l)::text as text, sealed_note from journal l where journey_id = $1 and version = 2
       union all select row_to_json(e)::text, null from events e where journey_id = $1
       union all select row_to_json(j)::text, null from journeys j where id = $1`,
      [id]
    )
    expect(rows[0]?.sealed_note?.length).toBeGreaterThan(20)
    for (const row of rows) expect(row.text).not.toContain("Marigold")
  })
})

describe("finance-decision", () => {
  it("may refer any number of times, each with its event, before it decides (F1)", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    for (let round = 1; round <= 3; round++) {
      await expectDone(await decide(id, "REFERRED"), {
        status: "ACTIVE",
        finance: { status: "REFERRED", decidedAt: null },
        nextAction: "SEND_FINANCE_DECISION"
      })
    }
    await expectDone(await decide(id, "APPROVED"), {
      status: "ACTIVE",
      finance: { status: "APPROVED", decidedAt: expect.stringMatching(/Z$/) },
      nextAction: "CUSTOMER_TO_VERIFY_IDENTITY"
    })
    expect(await expectLegalHistory(ground.service, id)).toEqual([
      "journey.created",
      "finance_enquiry.submitted",
      "identity.requested",

      "finance_enquiry.referred",
      "finance_enquiry.referred",
      "finance_enquiry.referred",
      "finance_enquiry.approved"
    ])
    for (const decision of ["APPROVED", "DECLINED", "REFERRED"]) {
      await refuses(ground, () => decide(id, decision), "409 FINANCE_ALREADY_DECIDED")
    }
  })

  it("DECLINED ends the journey, and a later decision is refused as already decided and not as finished (BAD-L13)", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    await expectDone(await decide(id, "DECLINED"), {
      status: "CANCELLED",
      finance: { status: "DECLINED" },
      nextAction: null
    })
    expect((await eventTypesOf(ground.service, id)).slice(-2)).toEqual([
      "finance_enquiry.declined",
      "journey.cancelled"
    ])
    await refuses(ground, () => decide(id, "APPROVED"), "409 FINANCE_ALREADY_DECIDED")
  })

  it("is refused after a cancel because the journey is finished", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    await cancel(id)
    await refuses(ground, () => decide(id, "APPROVED"), "409 JOURNEY_FINISHED")
  })

  it("is refused on a SUBMIT_VIA_MIRA journey, even a finished one, because the panel decides there", async () => {
    const id = await started("FINANCE_SUBMIT_VIA_MIRA")
    await refuses(ground, () => decide(id, "APPROVED"), "409 FINANCE_DECISION_FROM_PANEL")
    await cancel(id)
    await refuses(ground, () => decide(id, "APPROVED"), "409 FINANCE_DECISION_FROM_PANEL")
  })

  it.each(["IDENTITY_DELIVERY", "CASH_SALE", "FINANCE_SALE"] as const)(
    "is refused as already decided on %s (V17, BAD-L15)",
    async (shape) => {
      const id = await started(shape)
      await refuses(ground, () => decide(id, "DECLINED"), "409 FINANCE_ALREADY_DECIDED")
      await cancel(id)
      await refuses(ground, () => decide(id, "DECLINED"), "409 FINANCE_ALREADY_DECIDED")
    }
  )

  it("creates the handover when identity was verified before", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    await simulate(id, "identity.verified")
    const reply = await decide(id, "APPROVED")
    expect(reply.status).toBe(200)
    const read = () => call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${id}` })
    await expect.poll(async () => (await read()).data.delivery?.status).toBe("AWAITING_LOCATION")
    expect((await expectLegalHistory(ground.service, id)).slice(-2)).toEqual([
      "finance_enquiry.approved",
      "delivery.created"
    ])
  })

  it.each<[unknown, string]>([
    [{ decision: "approved" }, "decision"],
    [{ decision: "APPROVED " }, "decision"],
    [{ decision: null }, "decision"],
    [{}, "decision"],
    [{ decision: "APPROVED", lender: "X" }, "lender"],
    ["null", "body"]
  ])("refuses %j", async (body, field) => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    await refuses(ground, () => operate(id, "finance-decision", body), "400 VALIDATION_FAILED", field)
  })
})

describe("simulate", () => {
  it.each([
    "ping",
    "journey.created",
    "journey.completed",
    "journey.cancelled",
    "identity.requested",
    "delivery.created",
    "identity.unavailable",
    "finance_enquiry.submitted",
    "journey.customer_face_replaced",
    "IDENTITY.VERIFIED",
    "identity.verified ",
    "identity.*",
    "",
    "__proto__",
    "constructor"
  ])("refuses %j, which is not simulatable (V21)", async (event) => {
    const id = await started("CASH_SALE")
    await refuses(ground, () => simulate(id, event), "400 VALIDATION_FAILED", "event")
  })

  it.each<[Shape, string]>([
    ["CASH_SALE", "finance_enquiry.approved"],
    ["FINANCE_SALE", "finance_enquiry.declined"],
    ["FINANCE_SALE", "identity.verified"],
    ["IDENTITY_DELIVERY", "finance_enquiry.referred"],
    ["FINANCE_ALREADY_SUBMITTED", "finance_enquiry.submission_failed"]
  ])("on %s refuses %s, which cannot follow there (BAD-L19)", async (shape, event) => {
    const id = await started(shape)
    await refuses(ground, () => simulate(id, event), "409 EVENT_NOT_POSSIBLE")
  })

  it.each(shapes)("delivery.completed completes an active %s with every step between (S3)", async (shape) => {
    const id = await started(shape)
    await expectDone(await simulate(id, "delivery.completed"), {
      status: "COMPLETED",
      delivery: { status: "COMPLETED" }
    })
    const types = await expectLegalHistory(ground.service, id)
    expect(types.slice(-3)).toEqual(["delivery.video_uploaded", "delivery.completed", "journey.completed"])
    await refuses(ground, () => simulate(id, "delivery.completed"), "409 JOURNEY_FINISHED")
  })

  it("goes on from the state to which the last simulate led", async () => {
    const id = await started("CASH_SALE")
    const walk: ReadonlyArray<[string, string, string | null]> = [
      ["identity.failed", "AWAITING_IDENTITY", "CUSTOMER_TO_VERIFY_IDENTITY"],
      ["identity.under_review", "IDENTITY_UNDER_REVIEW", "DEALER_TO_REVIEW"],
      ["identity.verified", "AWAITING_LOCATION", "CUSTOMER_TO_CONFIRM_ADDRESS"],
      ["delivery.location_confirmed", "AWAITING_VIDEO", "CUSTOMER_TO_RECORD_VIDEO"],
      ["delivery.video_uploaded", "VIDEO_UPLOADED", null],
      ["delivery.under_review", "UNDER_REVIEW", "DEALER_TO_REVIEW"],
      ["delivery.awaiting_video", "AWAITING_VIDEO", "CUSTOMER_TO_RECORD_VIDEO"]
    ]
    for (const [event, status, nextAction] of walk) {
      await expectDone(await simulate(id, event), { status: "ACTIVE", delivery: { status }, nextAction })
    }
    await refuses(ground, () => simulate(id, "identity.failed"), "409 EVENT_NOT_POSSIBLE")
    await expectDone(await simulate(id, "delivery.expired"), { status: "EXPIRED", delivery: { status: "EXPIRED" } })
    expect(await expectLegalHistory(ground.service, id)).toEqual([
      "journey.created",
      "delivery.created",
      "identity.requested",
      "identity.failed",
      "identity.under_review",
      "identity.verified",
      "delivery.location_confirmed",
      "delivery.awaiting_video",
      "delivery.video_uploaded",
      "delivery.under_review",
      "delivery.awaiting_video",
      "delivery.expired",
      "journey.expired"
    ])
  })
})

describe("an operation that is sent again with its Idempotency-Key", () => {
  it.each<[string, (id: string, key?: string) => Promise<Reply>, string]>([
    ["cancel", cancel, "Journey cancelled"],
    ["finance-decision", (id, key) => decide(id, "REFERRED", key), "Decision recorded"],
    ["simulate", (id, key) => simulate(id, "identity.failed", key), "Event simulated"]
  ])("%s is answered as the first time, and says that it was carried out before (I8)", async (_, operate, message) => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    const key = freshKey()
    const first = await operate(id, key)
    const again = await operate(id, key)
    expect(first.header("idempotent-replayed")).toBeNull()
    expect(again.header("idempotent-replayed")).toBe("true")
    expect(again.text).toBe(first.text)
    expect(again.json).toMatchObject({ message })
  })

  it("says nothing of it under another key, without a key, or when it is refused", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    const key = freshKey()
    for (const named of [key, freshKey(), undefined]) {
      const reply = await decide(id, "REFERRED", named)
      expect([reply.status, reply.header("idempotent-replayed")]).toEqual([200, null])
    }
    const refused = await refuses(ground, () => decide(id, "APPROVED", key), "409 IDEMPOTENCY_KEY_REUSED")
    expect(refused.header("idempotent-replayed")).toBeNull()
  })
})
