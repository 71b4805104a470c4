import { describe, expect, it } from "vitest"
import { verifySignature } from "../../../../src/actors/webhook/verifier.js"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import {
  aboutEndpoint,
  allDelivered,
  codesOf,
  endpointPathOf,
  setDelivery,
  startedEvents,
  webhookGround,
  writeParked,
  type EventRow
} from "./webhookGround.ts"

const ground = webhookGround()
const about = aboutEndpoint(ground)
const save = async (body: object = {}): Promise<{ readonly id: string }> =>
  (await about("", { method: "PUT", body: { url: ground.receiver.url, ...body } })).data
const list = (query = "") => about(`/deliveries${query}`)
const one = (id: string) => about(`/deliveries/${id}`)
const idsOf = async (query: string) => (await list(query)).data.content.map(({ id }: EventRow) => id)
const numbersOf = ({ attempts }: { readonly attempts: ReadonlyArray<{ readonly number: number }> }) =>
  attempts.map(({ number }) => number)

describe("the delivery log", () => {
  it("shows every delivery once, newest first, piece by piece", async () => {
    await save()
    const events = [
      ...(await startedEvents(ground)),
      ...(await startedEvents(ground)),
      ...(await startedEvents(ground))
    ]
    await allDelivered(ground, events.length)
    const seen: Array<string> = []
    let pieces = 0
    for (let cursor: string | null = ""; cursor !== null; pieces++) {
      const { data } = await list(`?size=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
      seen.push(...data.content.map(({ id }: EventRow) => id))
      cursor = data.next
    }
    expect(seen).toEqual(events.map(({ id }) => id).toReversed())
    expect(pieces).toBe(Math.ceil(events.length / 2))
  })

  it("shows what happened at each attempt", async () => {
    await save()
    ground.receiver.answer((_request, response) => response.writeHead(503).end("x".repeat(10_000)))
    const [event] = await startedEvents(ground)
    const answer = await eventually(
      () => one(event?.id ?? ""),
      ({ data }) => data.attempts.length > 0
    )
    expect(answer.data).toEqual({
      id: event?.id,
      type: event?.type,
      journeyId: expect.any(String),
      createdAt: expect.any(String),
      status: "PENDING",
      nextAttemptAt: expect.any(String),
      body: expect.any(String),
      attempts: [
        {
          number: 1,
          at: expect.any(String),
          durationMillis: expect.any(Number),
          trigger: "SCHEDULE",
          requestHeaders: expect.any(Object),
          httpStatus: 503,
          error: null,
          answer: "x".repeat(4096)
        }
      ]
    })
    const { content } = (await list()).data
    const { body, ...listed } = answer.data
    expect(content.find(({ id }: EventRow) => id === event?.id)).toEqual(listed)
    expect(body).toBe(
      ground.receiver.received.find(({ headers }) => headers["service-event-id"] === event?.id)?.body.toString()
    )
  })

  it("shows the headers of each attempt as they were sent, so that the signature can be verified later", async () => {
    const { secret } = (await save()) as { readonly secret?: string }
    const [event] = await startedEvents(ground)
    await allDelivered(ground, 1)
    await about("/roll-secret", { body: { overlapHours: 0 } })
    const { attempts, body } = (await one(event?.id ?? "")).data
    const { requestHeaders } = attempts[0]
    const sent =
      ground.receiver.received.find(({ headers }) => headers["service-event-id"] === event?.id)?.headers ?? {}
    for (const [name, value] of Object.entries(requestHeaders))
      expect([name, sent[name.toLowerCase()]]).toEqual([name, value])
    expect(Object.keys(requestHeaders).toSorted()).toEqual([
      "Content-Type",
      "Service-Event-Id",
      "Service-Event-Sequence",
      "Service-Event-Type",
      "Service-Signature",
      "Service-Timestamp",
      "User-Agent"
    ])
    const signature = requestHeaders["Service-Signature"]
    expect(verifySignature({ body, secret: secret ?? "", signature })).toBeUndefined()
    await ground.service.query("update attempts set signature = null where event_id = $1", [event?.id])
    const older = (await one(event?.id ?? "")).data.attempts[0].requestHeaders
    expect(older).toEqual({ ...requestHeaders, "Service-Signature": undefined })
  })

  it("shows the latest attempts of a delivery that had many", async () => {
    await save()
    const [event] = await startedEvents(ground)
    await allDelivered(ground, 1)
    await ground.service.query(
      `insert into attempts (event_id, number, at, duration_millis, trigger, http_status)
       select $1, n, now(), 5, 'RESEND', 500 from generate_series(2, 25) n`,
      [event?.id]
    )
    expect(numbersOf((await one(event?.id ?? "")).data)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
    const listed = (await list()).data.content.find(({ id }: EventRow) => id === event?.id)
    expect(numbersOf(listed)).toEqual(Array.from({ length: 20 }, (_, at) => at + 6))
  })

  it("can be filtered by status, type and journey, and by all of them", async () => {
    await save()
    const events = await startedEvents(ground)
    const others = await startedEvents(ground)
    await allDelivered(ground, events.length + others.length)
    const [first, second] = events
    await setDelivery(ground, first?.id ?? "", "GIVEN_UP")
    await setDelivery(ground, second?.id ?? "", "PENDING")
    const { journeyId } = (await one(first?.id ?? "")).data
    expect(await idsOf("?status=GIVEN_UP")).toEqual([first?.id])
    expect(await idsOf("?status=PENDING")).toEqual([second?.id])
    expect(await idsOf("?status=PARKED")).toEqual([])
    expect(await idsOf(`?journeyId=${journeyId.toUpperCase()}`)).toEqual(events.map(({ id }) => id).toReversed())
    expect(await idsOf(`?type=${first?.type}`)).toEqual([others[0]?.id, first?.id])
    expect(await idsOf(`?type=${first?.type}&journeyId=${journeyId}&status=GIVEN_UP`)).toEqual([first?.id])
    expect(await idsOf(`?type=${first?.type}&journeyId=${journeyId}&status=DELIVERED`)).toEqual([])
  })

  it("finds what is rare in a long log, going on where a look has ended", async () => {
    const endpoint = await save({ enabled: false })
    await writeParked(ground, endpoint.id, "identity.failed", 1)
    await writeParked(ground, endpoint.id, "identity.verified", 5500)
    // The rare one is the oldest.
    await ground.service.query(
      `with e as (
         update events set id = '00000000-0000-7000-8000-000000000001' where type = 'identity.failed' returning company_id
       )
       update deliveries d set event_id = '00000000-0000-7000-8000-000000000001'
       from events f where f.id = d.event_id and f.type = 'identity.failed'`
    )
    const found = await list("?type=identity.failed")
    expect([found.data.content, found.data.next]).toEqual([[], expect.any(String)])
    const rest = await list(`?type=identity.failed&cursor=${found.data.next}`)
    expect([rest.data.content.map(({ type }: EventRow) => type), rest.data.next]).toEqual([["identity.failed"], null])
  })

  it.each([
    ["?status=pending", "status"],
    ["?type=identity.*", "type"],
    ["?journeyId=1", "journeyId"],
    ["?cursor=x", "cursor"],
    ["?size=0", "size"],
    ["?size=101", "size"],
    ["?page=1", "page"],
    ["?status=PENDING&status=PARKED", "status"]
  ])("refuses the question %s at %s", async (query, field) => {
    await save()
    const answer = await list(query)
    expect([answer.status, codesOf(answer)]).toEqual([400, [[field, "VALIDATION_FAILED"]]])
  })

  it("says of a delivery that nobody has that it is not found, also while the endpoint is off, and of one that is there that the endpoint is off", async () => {
    await save()
    const [event] = await startedEvents(ground)
    await allDelivered(ground, 1)
    const at = endpointPathOf(ground.company.id, "test")
    await askSettings(ground.service, at, { method: "PUT", body: { url: ground.receiver.url, enabled: false } })
    const resent = async (id: string) =>
      codesOf(await askSettings(ground.service, `${at}/deliveries/${id}/resend`, { method: "POST" }))
    expect(await resent("00000000-0000-7000-8000-000000000000")).toEqual([["delivery", "NOT_FOUND"]])
    expect(await resent(event?.id ?? "none")).toEqual([["webhookEndpoint", "CONFLICT"]])
  })

  it("is a company's own, and of its mode", async () => {
    await save()
    const [event] = await startedEvents(ground)
    await allDelivered(ground, 1)
    const other = await makeCompany(ground.service)
    const at = endpointPathOf(other.id, "test")
    expect(codesOf(await askSettings(ground.service, `${at}/deliveries`))).toEqual([["webhookEndpoint", "NOT_FOUND"]])
    await askSettings(ground.service, at, { method: "PUT", body: { url: ground.receiver.url } })
    for (const [path, method] of [
      [`${at}/deliveries/${event?.id}`, "GET"],
      [`${at}/deliveries/${event?.id}/resend`, "POST"],
      [`${endpointPathOf(ground.company.id, "test")}/deliveries/nothing`, "GET"]
    ] as const) {
      const answer = await askSettings(ground.service, path, { method })
      expect([answer.status, codesOf(answer)]).toEqual([404, [["delivery", "NOT_FOUND"]]])
    }
    expect((await askSettings(ground.service, `${at}/deliveries`)).data).toEqual({ content: [], next: null })
  })
})
