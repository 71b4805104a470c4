/** The events of a journey, sent by the whole service to a real receiver. */
import { Stripe } from "stripe"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { endpointSecret, writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { eventOf, startReceiver, type Receiver } from "../../../support/receivers.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany
let receiver: Receiver

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
})
afterAll(() => service.stop())
beforeEach(async () => {
  company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const storedEvents = (journeyId: string) =>
  service.query<{ readonly id: string; readonly body: string; readonly sequence: number }>(
    "select id, body, sequence from events where journey_id = $1 order by sequence",
    [journeyId]
  )

describe("a journey's events", () => {
  test("arrive byte for byte as they were recorded, in order, signed so that the official stripe package accepts them", async () => {
    await writeEndpoint(service.query, { companyId: company.id, url: receiver.url })
    const { data } = await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
    const stored = await storedEvents(data.id)
    const arrived = await receiver.arrived(stored.length)
    expect(arrived.map(({ body }) => body.toString())).toEqual(stored.map(({ body }) => body))
    for (const [at, { body, headers }] of arrived.entries()) {
      const event = stored[at]
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Journeys-Webhooks/1.0",
        "service-event-id": event?.id,
        "service-event-type": eventOf({ body, headers, at: 0 }).type,
        "service-event-sequence": String(event?.sequence)
      })
      const signature = String(headers["service-signature"])
      expect(signature).toMatch(new RegExp(`^t=${String(headers["service-timestamp"])},v1=[0-9a-f]{64}$`))
      expect(Stripe.webhooks.constructEvent(body, signature, endpointSecret)).toMatchObject({ id: event?.id })
    }
    const rows = await eventually(
      () =>
        service.query<{ readonly status: string; readonly attempts: number }>(
          "select d.status, d.attempts from deliveries d join events e on e.id = d.event_id where e.journey_id = $1",
          [data.id]
        ),
      (found) => found.every(({ status }) => status === "DELIVERED")
    )
    expect(rows).toEqual(stored.map(() => ({ status: "DELIVERED", attempts: 1 })))
  })
})
