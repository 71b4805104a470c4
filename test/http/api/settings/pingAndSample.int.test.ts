/** Pings and samples: what is sent, and what their answer says of it. */
import { describe, expect, it } from "vitest"
import { aboutEndpoint, auditOf, codesOf, webhookGround } from "./webhookGround.ts"

const ground = webhookGround()
const about = aboutEndpoint(ground)
const save = (body: unknown, mode?: "live") => about("", { method: "PUT", body }, mode)
const get = () => about()
const post = (action: string, body?: unknown, mode?: "live") =>
  about(`/${action}`, { method: "POST", ...(body === undefined ? {} : { body }) }, mode)

describe("a ping", () => {
  it("is sent at once and answered with what came of it", async () => {
    const { id } = (await save({ url: ground.receiver.url, events: ["journey.completed"] })).data
    ground.receiver.answer((_request, response) => response.writeHead(201).end("thank you"))
    const pinged = await post("ping")
    const [arrived] = ground.receiver.received
    const event = JSON.parse(arrived?.body.toString() ?? "")
    expect(event).toEqual({
      id: pinged.data.id,
      type: "ping",
      apiVersion: "1.0.0",
      livemode: false,
      createdAt: pinged.data.createdAt,
      data: { endpointId: id }
    })
    expect(arrived?.headers).not.toHaveProperty("service-event-sequence")
    expect([pinged.status, pinged.data]).toEqual([
      200,
      {
        id: event.id,
        type: "ping",
        journeyId: null,
        createdAt: event.createdAt,
        status: "DELIVERED",
        nextAttemptAt: null,
        attempts: [
          {
            number: 1,
            at: expect.any(String),
            durationMillis: expect.any(Number),
            trigger: "TEST",
            httpStatus: 201,
            error: null,
            requestHeaders: expect.any(Object),
            answer: "thank you"
          }
        ]
      }
    ])
    expect((await auditOf(ground))[0]).toMatchObject({ action: "webhook_endpoint.pinged", details: { endpointId: id } })
  })

  it("that fails says so, is tried again on the schedule, and does not count against the endpoint", async () => {
    await save({ url: ground.receiver.url })
    ground.receiver.answer(500)
    const { data } = await post("ping")
    expect(data).toMatchObject({ status: "PENDING", attempts: [{ number: 1, httpStatus: 500, trigger: "TEST" }] })
    const delay = Date.parse(data.nextAttemptAt) - Date.now()
    expect(delay).toBeGreaterThan(50_000)
    expect(delay).toBeLessThanOrEqual(60_000)
    expect((await get()).data.failingSince).toBeNull()
  })

  it("of an endpoint where nobody listens names the failure", async () => {
    await save({ url: "http://127.0.0.1:9/" })
    const { data } = await post("ping")
    expect(data.attempts).toEqual([
      expect.objectContaining({ httpStatus: null, error: "CONNECTION_REFUSED", answer: null })
    ])
  })

  it("reaches an endpoint that is off, which stays off", async () => {
    await save({ url: ground.receiver.url, enabled: false })
    expect((await post("ping")).data).toMatchObject({ status: "DELIVERED", attempts: [{ httpStatus: 200 }] })
    ground.receiver.answer(500)
    expect((await post("ping")).data).toMatchObject({ status: "PARKED", nextAttemptAt: null })
    expect((await get()).data.enabled).toBe(false)
  })
})

describe("a sample", () => {
  it("is an example of its event, sent to the test endpoint whatever that has chosen", async () => {
    await save({ url: ground.receiver.url, events: ["journey.completed"] })
    const sampled = await post("sample", { type: "finance_enquiry.submission_failed" })
    expect(sampled.data).toMatchObject({
      type: "finance_enquiry.submission_failed",
      journeyId: null,
      status: "DELIVERED",
      attempts: [{ trigger: "TEST" }]
    })
    expect(JSON.parse(ground.receiver.received[0]?.body.toString() ?? "")).toMatchObject({
      id: sampled.data.id,
      type: "finance_enquiry.submission_failed",
      livemode: false,
      createdAt: sampled.data.createdAt,
      data: { journeyId: expect.any(String), reason: expect.any(String) }
    })
  })

  it.each([{}, { type: "ping" }, { type: "journey.*" }, { type: ["journey.created"] }])("refuses %j", async (body) => {
    await save({ url: ground.receiver.url })
    expect(codesOf(await post("sample", body))).toEqual([["type", "VALIDATION_FAILED"]])
  })

  it("is not sent to a live endpoint", async () => {
    await save({ url: ground.receiver.url }, "live")
    const refused = await post("sample", { type: "journey.created" }, "live")
    expect([refused.status, codesOf(refused)]).toEqual([404, [["sample", "NOT_FOUND"]]])
    expect(ground.receiver.received).toEqual([])
  })
})
