/** What arrives at a receiver of traces, over a real service's whole way: start, alarms, deliveries, operations. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { startOtlpReceiver, type OtlpReceiver } from "../../support/otlpReceiver.ts"
import { eventOf, startReceiver, type Receiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { connectedTo, isBatch, namesOf } from "./traceGraph.ts"

let collector: OtlpReceiver
let receiver: Receiver

beforeEach(async () => {
  collector = await startOtlpReceiver()
  receiver = await startReceiver()
})
afterEach(() => Promise.all([collector.stop(), receiver.stop()]))

const traced = (environment: Readonly<Record<string, string>> = {}) =>
  startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SANDBOX_STEP: "20 millis",
    WEBHOOK_ALLOW_INSECURE: "true",
    ...environment
  })

const companyWithEndpoint = async (service: Service): Promise<TestCompany> => {
  const company = await makeCompany(service)
  await writeEndpoint(service.query, { companyId: company.id, url: receiver.url })
  return company
}

/** Runs a test journey to its end and until its last event was delivered; answers with its id. */
const runJourney = async (service: Service, company: TestCompany): Promise<string> => {
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const isOver = () =>
    receiver.received.some(
      (one) => eventOf(one).type === "journey.completed" && eventOf(one).data["journeyId"] === data.id
    )
  await eventually(isOver, Boolean, 20_000)
  return data.id
}

const deliveriesRecorded = (service: Service) =>
  eventually(
    () =>
      service.query(
        // Mail with a link waits, because these services do not know their own address.
        `select 1 from deliveries where delivered_at is null
         union all select 1 from mails where due_at is not null and kind in ('WELCOME', 'HANDOVER_COMPLETE')`
      ),
    (waiting) => waiting.length === 0
  )

describe("traces", () => {
  it("connect a start, its commits, its alarms and every delivery, each with the journey's id", async () => {
    const service = await traced()
    const journeyId = await runJourney(service, await companyWithEndpoint(service))
    await deliveriesRecorded(service)
    await service.stop()

    const begun = collector.spans.find(({ name }) => name === "POST /api/v1/journeys")
    if (begun === undefined) throw new Error("no span of the start has arrived")
    expect(begun.parentSpanId).toBeNull()
    expect(begun.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/api/v1/journeys",
      "http.response.status_code": 202,
      "request.id": expect.any(String),
      "journey.id": journeyId
    })

    const story = connectedTo(collector, begun)
    expect(namesOf(story)).toEqual([
      "EndpointActor.attempt",
      "Journey.decide",
      "JourneyActor.due",
      "JourneyStore.commit",
      "JourneyStore.commit batch",
      "JourneyStore.start",
      "JourneyStore.start batch",
      "Keyring.find",
      "Keyring.find batch",
      "MailStore.kept",
      "MailStore.kept batch",
      "POST /api/v1/journeys",
      "Postman.send",
      "Recipients.find",
      "Recipients.find batch",
      "postgresql"
    ])
    const withoutId = story.filter((span) => !isBatch(span) && span.attributes["journey.id"] !== journeyId)
    // The key is looked up before there is a journey.
    expect(namesOf(withoutId)).toEqual(["Keyring.find"])

    const events = receiver.received.map((one) => eventOf(one).type)
    const attempts = story.filter(({ name }) => name === "EndpointActor.attempt")
    expect(attempts.map(({ attributes }) => String(attributes["event.type"])).toSorted()).toEqual(events.toSorted())
    for (const { attributes, links } of attempts) {
      expect(attributes).toMatchObject({ "delivery.attempt": 1, "delivery.outcome": "DELIVERED" })
      expect(links).toHaveLength(1)
    }
    // Nothing tells the receiver of a trace.
    expect(receiver.received.flatMap(({ headers }) => Object.keys(headers))).not.toContain("traceparent")
    expect(collector.resource()).toMatchObject({
      "service.name": "journeys",
      "service.version": "1.0.0",
      "service.instance.id": expect.stringMatching(/.+/)
    })
  })

  it("link an alarm to the message that set it, and an event's delivery to the message that wrote it", async () => {
    const service = await traced()
    await runJourney(service, await companyWithEndpoint(service))
    await deliveriesRecorded(service)
    await service.stop()

    const begun = collector.spans.find(({ name }) => name === "POST /api/v1/journeys")
    const dues = collector.spans.filter(({ name }) => name === "JourneyActor.due")
    const places = [begun, ...dues].map((span) => `${span?.traceId}-${span?.spanId}`)
    // Each message that was due links to the one before, the first of them to the start.
    expect(dues.map(({ links }) => links.map((link) => `${link.traceId}-${link.spanId}`))).toEqual(
      places.slice(0, -1).map((place) => [place])
    )
    const created = collector.spans.find(({ attributes }) => attributes["event.type"] === "journey.created")
    const completed = collector.spans.find(({ attributes }) => attributes["event.type"] === "journey.completed")
    expect(created?.links[0]?.spanId).toBe(begun?.spanId)
    expect(completed?.links[0]?.spanId).toBe(dues.at(-1)?.spanId)
  })

  it("connect an operation with its actor's message and its commit, and the commit with its batch, both ways", async () => {
    const service = await traced()
    const company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
    const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
    const cancelled = await ask(service, company.testKey, `/api/v1/journeys/${data.id}/cancel`, {
      body: { reason: "The customer has changed her mind." },
      // A trace that a caller claims is none of ours.
      headers: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }
    })
    expect(cancelled.status).toBe(200)
    await service.stop()

    const span = (name: string) => {
      const found = collector.spans.find((one) => one.name === name)
      if (found === undefined) throw new Error(`no span ${name} has arrived`)
      return found
    }
    const asked = span("POST /api/v1/journeys/{journeyId}/cancel")
    expect(asked.traceId).not.toBe("a".repeat(32))
    expect(asked.parentSpanId).toBeNull()
    const handled = span("Journey.Tell")
    const committed = span("JourneyStore.commit")
    expect(handled.parentSpanId).toBe(asked.spanId)
    expect(committed.parentSpanId).toBe(handled.spanId)
    for (const one of [asked, handled, committed]) expect(one.attributes["journey.id"]).toBe(data.id)
    expect(handled.attributes["journey.message"]).toBe("Cancel")

    const batch = span("JourneyStore.commit batch")
    expect(batch.traceId).not.toBe(asked.traceId)
    expect(committed.links).toEqual([{ traceId: batch.traceId, spanId: batch.spanId }])
    expect(batch.links).toEqual([{ traceId: committed.traceId, spanId: committed.spanId }])
    const statement = collector.spans.find(({ parentSpanId }) => parentSpanId === batch.spanId)
    expect(statement?.name).toBe("postgresql")
  })

  it("at a share of one half are sent for a whole journey, from its start to its last delivery, or not at all", async () => {
    const service = await traced({ OTEL_TRACES_SAMPLER_ARG: "0.5" })
    const company = await companyWithEndpoint(service)
    const ids: Array<string> = []
    for (let count = 0; count < 20; count++) {
      ids.push((await start(service, company.testKey, startBody("CASH_SALE"))).data.id)
    }
    const isOver = () =>
      service.query("select from journeys where status = 'COMPLETED'").then((ended) => ended.length === ids.length)
    await eventually(isOver, Boolean, 20_000)
    await deliveriesRecorded(service)
    await service.stop()

    const stories = ids.map((id) => collector.spans.filter(({ attributes }) => attributes["journey.id"] === id))
    const lengths = stories.map(({ length }) => length)
    const whole = Math.max(...lengths)
    expect(namesOf(stories[lengths.indexOf(whole)] ?? [])).toEqual([
      "EndpointActor.attempt",
      "Journey.decide",
      "JourneyActor.due",
      "JourneyStore.commit",
      "JourneyStore.start",
      "MailStore.kept",
      "POST /api/v1/journeys",
      "Postman.send",
      "Recipients.find"
    ])
    const attempts = stories.map((spans) => spans.filter(({ name }) => name === "EndpointActor.attempt").length)
    const events = receiver.received.length / ids.length
    expect(new Set(attempts)).toEqual(new Set([0, events]))
    for (const [at, spans] of stories.entries()) expect([at, spans.length > 0]).toEqual([at, attempts[at] === events])
  })

  it("are not made for looks at due work, probes and scrapes", async () => {
    const service = await traced()
    const company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
    await start(service, company.testKey, startBody("CASH_SALE"))
    await fetch(`${service.baseUrl}/metrics`)
    await service.stop()
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === null)
    expect(namesOf(roots.filter((span) => !isBatch(span)))).toEqual([
      "PATCH /settings/v1/companies/{companyId}",
      "POST /api/v1/journeys",
      "POST /settings/v1/companies",
      "POST /settings/v1/companies/{companyId}/api-keys"
    ])
  })

  it("give the outcome of a failed attempt", async () => {
    const service = await traced()
    const company = await companyWithEndpoint(service)
    receiver.answer(503)
    await start(service, company.testKey, startBody("CASH_SALE"))
    await receiver.arrived(1)
    await eventually(
      () => service.query("select from attempts"),
      (attempts) => attempts.length > 0
    )
    await service.stop()
    const attempt = collector.spans.find(({ name }) => name === "EndpointActor.attempt")
    expect(attempt?.status).toBe(2)
    expect(attempt?.attributes).toMatchObject({ "delivery.outcome": "OTHER_STATUS", "http.response.status_code": 503 })
  })
})
