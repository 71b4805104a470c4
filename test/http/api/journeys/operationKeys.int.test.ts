import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshKey, type Reply } from "../../../support/requests.ts"
import { eventsOf, eventTypesOf } from "./history.ts"
import { operationsOn } from "./operationsOn.ts"
import { expectRefusal, prepareGround, refuses, type Ground } from "./oracle.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const { cancel, decide, expectDone, operate, simulate, started } = operationsOn(() => ground)

describe("the optional Idempotency-Key of an operation (I8)", () => {
  it.each<[string, (id: string, key: string) => Promise<Reply>, (id: string, key: string) => Promise<Reply>]>([
    ["cancel", cancel, (id, key) => operate(id, "cancel", { reason: "Quite another reason" }, key)],
    ["finance-decision", (id, key) => decide(id, "REFERRED", key), (id, key) => decide(id, "APPROVED", key)],
    ["simulate", (id, key) => simulate(id, "identity.failed", key), (id, key) => simulate(id, "identity.verified", key)]
  ])("makes a repeated %s count once, and refuses another body", async (_, send, sendOther) => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    const key = freshKey()
    const first = await send(id, key)
    expect(first.status).toBe(200)
    const events = await eventTypesOf(ground.service, id)
    for (let round = 0; round < 3; round++) await expectDone(await send(id, key), { id })
    expect(await eventTypesOf(ground.service, id)).toEqual(events)
    await refuses(ground, () => sendOther(id, key), "409 IDEMPOTENCY_KEY_REUSED", "Idempotency-Key")
  })

  it("is one for 20 at once", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    const key = freshKey()
    const replies = await Promise.all(Array.from({ length: 20 }, () => decide(id, "REFERRED", key)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect((await eventTypesOf(ground.service, id)).filter((type) => type === "finance_enquiry.referred")).toHaveLength(
      1
    )
  })

  it("doubles nothing of a simulation of many messages, each of whose events shows the statuses of its own moment", async () => {
    const id = await started("FINANCE_SUBMIT_VIA_MIRA", { delivery: { type: "IN_STORE" } })
    const key = freshKey()
    await expectDone(await simulate(id, "delivery.expired", key), { status: "EXPIRED" })
    await expectDone(await simulate(id, "delivery.expired", key), { status: "EXPIRED" })
    expectRefusal(await simulate(id, "delivery.cancelled", key), "409 IDEMPOTENCY_KEY_REUSED")
    const shown = (await eventsOf(ground.service, id)).map(({ body, type }) => {
      const { data } = JSON.parse(body) as { readonly data: Record<string, string | undefined> }
      return [type, data["journeyStatus"], data["financeStatus"], data["identityStatus"], data["deliveryStatus"]]
    })
    expect(shown).toEqual([
      ["journey.created", "ACTIVE", "SUBMITTED", undefined, undefined],
      ["finance_enquiry.submitted", "ACTIVE", "SUBMITTED", undefined, undefined],
      ["identity.requested", "ACTIVE", "SUBMITTED", "REQUESTED", undefined],
      ["finance_enquiry.approved", "ACTIVE", "APPROVED", "REQUESTED", undefined],
      ["identity.verified", "ACTIVE", "APPROVED", "VERIFIED", undefined],
      ["delivery.created", "ACTIVE", "APPROVED", "VERIFIED", "AWAITING_VIDEO"],
      ["delivery.awaiting_video", "ACTIVE", "APPROVED", "VERIFIED", "AWAITING_VIDEO"],
      ["delivery.expired", "EXPIRED", "APPROVED", "VERIFIED", "EXPIRED"],
      ["journey.expired", "EXPIRED", "APPROVED", "VERIFIED", "EXPIRED"]
    ])
  })

  it("still answers when the journey has ended", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    const key = freshKey()
    await decide(id, "REFERRED", key)
    await cancel(id)
    await expectDone(await decide(id, "REFERRED", key), { status: "CANCELLED" })
  })

  it("keeps nothing of what was refused", async () => {
    const id = await started("CASH_SALE")
    const key = freshKey()
    await refuses(ground, () => simulate(id, "finance_enquiry.approved", key), "409 EVENT_NOT_POSSIBLE")
    await expectDone(await simulate(id, "identity.failed", key), { id })
  })

  it("belongs to one journey, and is not compared with the keys of starts", async () => {
    const [one, other] = [await started("IDENTITY_DELIVERY"), await started("IDENTITY_DELIVERY")]
    const key = freshKey()
    await expectDone(await cancel(one, key), { id: one, status: "CANCELLED" })
    await expectDone(await cancel(other, key), { id: other, status: "CANCELLED" })
  })

  it.each(["short", "k".repeat(256), "a b c d e f", 'quoted"key'])("is refused when it is %j", async (key) => {
    const id = await started("IDENTITY_DELIVERY")
    await refuses(ground, () => cancel(id, key), "400 IDEMPOTENCY_KEY_REQUIRED", "Idempotency-Key")
  })

  it("may be left out: each request is its own", async () => {
    const id = await started("FINANCE_ALREADY_SUBMITTED")
    await decide(id, "REFERRED")
    await decide(id, "REFERRED")
    const types = await eventTypesOf(ground.service, id)
    expect(types.filter((type) => type === "finance_enquiry.referred")).toHaveLength(2)
    expectRefusal(await decide("not-an-id", "REFERRED"), "404 JOURNEY_NOT_FOUND")
  })
})
