/** Sending again, one event or every missed one, to a real receiver. */
import type { ServerResponse } from "node:http"
import { describe, expect, it } from "vitest"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { eventually } from "../../../support/eventually.ts"
import { eventOf } from "../../../support/receivers.ts"
import {
  aboutEndpoint,
  allDelivered,
  auditOf,
  codesOf,
  minutesAgo,
  setDelivery,
  startedEvents,
  webhookGround,
  writeParked,
  type EventRow
} from "./webhookGround.ts"

const { resendableDays } = webhookLimits

const ground = webhookGround()
const about = aboutEndpoint(ground)
const save = async (body: object = {}): Promise<{ readonly id: string }> =>
  (await about("", { method: "PUT", body: { url: ground.receiver.url, ...body } })).data
const one = (id: string) => about(`/deliveries/${id}`)
const resend = (id: string) => about(`/deliveries/${id}/resend`, { method: "POST" })
const resendSince = (body: unknown) => about("/resend", { body })

describe("resending one event", () => {
  it.each(["DELIVERED", "GIVEN_UP", "PARKED", "PENDING"])(
    "that is %s sends the same bytes again at once",
    async (status) => {
      await save()
      const events = await startedEvents(ground)
      await allDelivered(ground, events.length)
      const [event] = events
      const id = event?.id ?? ""
      await setDelivery(ground, id, status)
      const before = ground.receiver.received.length
      const resent = await resend(id)
      expect([resent.status, resent.data]).toMatchObject([
        200,
        { id, status: "PENDING", nextAttemptAt: expect.any(String), attempts: [{ number: 1 }] }
      ])
      const again = (await ground.receiver.arrived(before + 1))[before]
      expect(again?.body).toEqual(ground.receiver.received.find((one) => eventOf(one).id === id)?.body)
      const after = await eventually(
        () => one(id),
        ({ data }) => data.status === "DELIVERED"
      )
      expect(after.data.attempts.map(({ trigger }: { readonly trigger: string }) => trigger)).toEqual([
        "SCHEDULE",
        "RESEND"
      ])
      const { content } = { content: await auditOf(ground) }
      expect(content[0]).toMatchObject({ action: "delivery.resent", details: { deliveryId: id } })
    }
  )

  it.each([
    ["by itself", (id: string) => resend(id)],
    ["with all that was missed", () => resendSince({ since: minutesAgo(60) })]
  ])("begins its schedule anew, %s", async (_, again) => {
    await save()
    const events = await startedEvents(ground)
    await allDelivered(ground, events.length)
    const id = events[0]?.id ?? ""
    await setDelivery(ground, id, "GIVEN_UP")
    ground.receiver.answer(500)
    await again(id)
    const { data } = await eventually(
      () => one(id),
      (answer) => answer.data.attempts.length === 2
    )
    expect(data.status).toBe("PENDING")
    expect(Date.parse(data.nextAttemptAt) - Date.now()).toBeLessThanOrEqual(60_000)
  })

  it("sends one that was made before there was an endpoint, or that it had not chosen", async () => {
    const before = (await startedEvents(ground))[0]?.id ?? ""
    await save({ events: ["delivery.completed"] })
    const unchosen = (await startedEvents(ground))[0]?.id ?? ""
    for (const id of [before, unchosen]) {
      expect((await one(id)).status).toBe(404)
      expect((await resend(id)).status).toBe(200)
    }
    await ground.receiver.arrived(2)
    expect(ground.receiver.received.map((each) => eventOf(each).id)).toEqual([before, unchosen])
  })

  it(`is refused when the event is older than ${resendableDays} days or of the other mode`, async () => {
    await save()
    const events = await startedEvents(ground)
    await allDelivered(ground, events.length)
    const [old, live] = events
    await ground.service.query("update events set created_at = now() - $2::int4 * interval '1 day' where id = $1", [
      old?.id,
      resendableDays + 1
    ])
    await ground.service.query("update events set livemode = true where id = $1", [live?.id])
    for (const event of [old, live]) expect(codesOf(await resend(event?.id ?? ""))).toEqual([["delivery", "NOT_FOUND"]])
    expect(ground.receiver.received).toHaveLength(events.length)
  })

  it("is refused while the endpoint is off or removed, and nothing is sent", async () => {
    await save()
    const events = await startedEvents(ground)
    await allDelivered(ground, events.length)
    const id = events[0]?.id ?? ""
    const turnOff = [() => save({ enabled: false }), () => about("", { method: "DELETE" })]
    for (const off of turnOff) {
      await off()
      for (const refused of [await resend(id), await resendSince({ since: minutesAgo(1) })]) {
        expect([refused.status, codesOf(refused)]).toEqual([409, [["webhookEndpoint", "CONFLICT"]]])
        expect(refused.message).toContain("save it first")
      }
      expect((await one(id)).data.status).toBe("DELIVERED")
    }
    expect(ground.receiver.received).toHaveLength(events.length)
  })
})

const finished = (id: string) =>
  eventually(
    () => about(`/resends/${id}`),
    ({ data }) => data.state === "DONE" && data.counts.PENDING === 0
  )

describe("resending a range", () => {
  it("sends what was missed since, once, and shows how it goes", async () => {
    await save({ enabled: false })
    const missed = [...(await startedEvents(ground)), ...(await startedEvents(ground))]
    ground.receiver.answer(500)
    await about("/ping", { method: "POST" })
    await about("/sample", { body: { type: "identity.verified" } })
    ground.receiver.answer(200)
    await save()
    const delivered = await startedEvents(ground)
    await allDelivered(ground, delivered.length)
    const before = ground.receiver.received.length
    const since = minutesAgo(60)
    const task = await resendSince({ since })
    expect([task.status, task.data]).toEqual([
      202,
      {
        id: expect.any(String),
        state: "RUNNING",
        since,
        types: null,
        journeyId: null,
        delivered: false,
        queued: 0,
        counts: { PENDING: 0, DELIVERED: 0, GIVEN_UP: 0, PARKED: 0 },
        createdAt: expect.any(String),
        finishedAt: null
      }
    ])
    const done = await finished(task.data.id)
    expect(done.data).toMatchObject({
      state: "DONE",
      queued: missed.length,
      counts: { PENDING: 0, DELIVERED: missed.length, GIVEN_UP: 0, PARKED: 0 },
      finishedAt: expect.any(String)
    })
    const sent = ground.receiver.received.slice(before).map((each) => eventOf(each).id)
    expect(sent.toSorted()).toEqual(missed.map(({ id }) => id).toSorted())
    const { content } = { content: await auditOf(ground) }
    expect(content[0]).toMatchObject({ action: "resend.started", details: { resendId: task.data.id } })

    const again = await finished((await resendSince({ since })).data.id)
    expect(again.data.queued).toBe(0)
    const listed = (await about("/resends")).data
    expect([listed.totalElements, listed.content.map(({ id }: EventRow) => id)]).toEqual([
      2,
      [again.data.id, task.data.id]
    ])
    const beyond = (await about("/resends?page=7")).data
    expect([beyond.totalElements, beyond.content]).toEqual([2, []])
  })

  it("sends only the types and the journey that are named, delivered ones too if asked", async () => {
    await save()
    const events = await startedEvents(ground)
    const others = await startedEvents(ground)
    await allDelivered(ground, events.length + others.length)
    const { journeyId } = (await one(events[0]?.id ?? "")).data
    const before = ground.receiver.received.length
    const body = { since: minutesAgo(60), types: [events[0]?.type], journeyId, delivered: true }
    const task = await resendSince(body)
    expect(task.data).toMatchObject({ types: body.types, journeyId, delivered: true })
    expect((await finished(task.data.id)).data.queued).toBe(1)
    expect(ground.receiver.received.slice(before).map((each) => eventOf(each).id)).toEqual([events[0]?.id])
  })

  it("sends only what the endpoint has chosen where no types are named", async () => {
    await startedEvents(ground)
    await save({ events: ["journey.*"] })
    const events = await startedEvents(ground)
    const chosen = events.filter(({ type }) => type.startsWith("journey.")).length
    expect([chosen > 0, chosen < events.length]).toEqual([true, true])
    await allDelivered(ground, chosen)
    const task = await resendSince({ since: minutesAgo(60) })
    // Of the journey from before the endpoint was made, whose events are the same.
    expect((await finished(task.data.id)).data.queued).toBe(chosen)
  })

  it("goes on piece by piece, and lets no second one begin before it has ended", async () => {
    const endpoint = await save({ enabled: false })
    const count = 1100
    await writeParked(ground, endpoint.id, "journey.created", count)
    const held: Array<ServerResponse> = []
    ground.receiver.answer((_request, response) => held.push(response))
    await save()
    const since = minutesAgo(2 * 24 * 60)
    const { data: task } = await resendSince({ since, delivered: true })
    await eventually(
      () => held.length,
      (length) => length > 0
    )
    const second = await resendSince({ since })
    expect([second.status, codesOf(second)]).toEqual([409, [["resend", "CONFLICT"]]])
    const running = (await about(`/resends/${task.id}`)).data
    expect(running).toMatchObject({ state: "RUNNING", finishedAt: null })
    expect(running.queued).toBeLessThan(count)
    // What happens after the resend was asked for goes by itself, and once.
    await startedEvents(ground)
    ground.receiver.answer(200)
    for (const response of held) response.writeHead(200).end()
    expect((await finished(task.id)).data).toMatchObject({ queued: count, counts: { DELIVERED: count } })
    expect((await resendSince({ since })).status).toBe(202)
  })

  it.each([
    [{}, ["since"]],
    [{ since: "yesterday" }, ["since"]],
    [{ since: "2999-01-01T00:00:00Z" }, ["since"]],
    [{ since: "2020-01-01T00:00:00Z" }, ["since"]],
    [{ since: 1_900_000_000 }, ["since"]],
    [{ types: [] }, ["types"]],
    [{ types: ["ping"] }, ["types[0]"]],
    [{ types: ["identity.*"] }, ["types[0]"]],
    [{ types: ["journey.created", "journey.created"] }, ["types"]],
    [{ journeyId: "x" }, ["journeyId"]],
    [{ delivered: "yes", until: "now" }, ["until", "delivered"]]
  ])("refuses %j at %j", async (body, fields) => {
    await save()
    const answer = await resendSince({ ...(fields[0] === "since" ? {} : { since: minutesAgo(60) }), ...body })
    expect([answer.status, codesOf(answer)]).toEqual([400, fields.map((field) => [field, "VALIDATION_FAILED"])])
  })

  it("knows no resend of another endpoint", async () => {
    await save()
    const { data } = await resendSince({ since: minutesAgo(60) })
    const live = await about("", { method: "PUT", body: { url: ground.receiver.url } }, "live")
    expect(live.status).toBe(200)
    expect(codesOf(await about(`/resends/${data.id}`, {}, "live"))).toEqual([["resend", "NOT_FOUND"]])
    expect((await about(`/resends/${data.id}`)).status).toBe(200)
  })
})
