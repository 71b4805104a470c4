/**
 * Which events get a delivery when a journey is committed: the rule in the statement is compared with the rule in the
 * program (`EventSelection.ts`), for every event and every selector, at starts and at handled messages.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { decideStart } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { JourneyStore } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { record, type RecordedEvent } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { eventTypes } from "../../../../src/schema/journey/events.ts"
import { eventSelectors, isSelected } from "../../../../src/schema/webhook/EventSelection.ts"
import { writeCompany } from "../../../support/endpointActors.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, startedAt } from "../../journey/rules/startedJourneys.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"

let actors: Actors
let store: JourneyStore["Service"]

beforeAll(async () => {
  actors = await startActors(await freshDatabase(), (given) => (store = given))
})
afterAll(() => actors.stop())

const everyType = eventTypes.filter((type) => type !== "ping")
const allEvents = (from: number): ReadonlyArray<RecordedEvent> =>
  everyType.map((type, at) => ({ id: nextId(), sequence: from + at, type, createdAt: startedAt + at, body: "{}" }))

/** A live journey of a company whose start, and whose first message, tell every event there is. */
const commitEverything = async (companyId: string): Promise<ReadonlyArray<RecordedEvent>> => {
  const facts = {
    ...factsOf("FINANCE_SALE"),
    id: JourneyId.make(nextId()),
    companyId: CompanyId.make(companyId),
    customerReference: nextId()
  }
  const { journey } = record(decideStart(facts, startedAt), startedAt, nextId)
  const [first, second] = [allEvents(1), allEvents(1 + everyType.length)]
  const common = {
    journey,
    wakeAt: null,
    sender: "test",
    at: startedAt,
    traceparent: null,
    requestId: null,
    mails: [],
    charges: [],
    endsJourney: false,
    releasesHolds: false,
    soldVehicle: null
  }
  await Effect.runPromise(
    store.start({
      ...common,
      idempotencyKey: `key-${facts.id}`,
      fingerprint: new Uint8Array(32),
      customer: {
        customerId: facts.customerReference,
        isNew: true,
        emailIndex: Buffer.from(facts.customerReference),
        wrappedKey: new Uint8Array(61)
      },
      registrationIndex: new Uint8Array(32),
      dealerCompanyId: null,
      sealedRecord: new Uint8Array(30),
      sealedPhoto: null,
      holds: [],
      events: first
    })
  )
  const message = { _tag: "VideoUploaded" } as const
  const outcome = await Effect.runPromise(
    store.commit({
      ...common,
      expectedVersion: 1,
      messageId: randomUUID(),
      message,
      auditLine: null,
      sealedNote: null,
      sealedPhoto: null,
      events: second
    })
  )
  expect(outcome).toBe("Committed")
  return [...first, ...second]
}

const deliveriesTo = (endpointId: string) =>
  actors.query<{ readonly event_id: string; readonly status: string; readonly due_at: Date | null }>(
    "select event_id, status, due_at from deliveries where endpoint_id = $1",
    [endpointId]
  )
const endpointOf = async (events: ReadonlyArray<string>, livemode = true) => {
  const companyId = await writeCompany(actors.query)
  const url = "https://hooks.example.com/"
  return { companyId, id: await writeEndpoint(actors.query, { companyId, url, livemode, events }) }
}

describe("the events of a commit get a delivery exactly where the endpoint wants them", () => {
  const pairs = [
    ["identity.*", "journey.created"],
    ["delivery.completed", "ping"]
  ]
  test.each([...eventSelectors.map((one) => [one]), ...pairs])("by %s %s", async (...events) => {
    const selection = events.filter((one) => one !== undefined)
    const { companyId, id } = await endpointOf(selection)
    const written = await commitEverything(companyId)
    const wanted = written.filter(({ type }) => isSelected(selection, type))
    const found = await deliveriesTo(id)
    expect(found.map((row) => row.event_id).toSorted()).toEqual(wanted.map((event) => event.id).toSorted())
    expect(found.every((row) => row.status === "PENDING" && row.due_at?.getTime() === startedAt)).toBe(true)
  })

  test("events for an endpoint that is off are parked", async () => {
    const { companyId, id } = await endpointOf(["*"])
    await actors.query(
      "update webhook_endpoints set enabled = false, off_reason = 'BY_HAND', off_since = now() where id = $1",
      [id]
    )
    const written = await commitEverything(companyId)
    const found = await deliveriesTo(id)
    expect(found.length).toBe(written.length)
    expect(found.every((row) => row.status === "PARKED" && row.due_at === null)).toBe(true)
  })

  test("events get no delivery at an endpoint that was removed, or of another mode or company", async () => {
    const [test, removed, other] = [await endpointOf(["*"], false), await endpointOf(["*"]), await endpointOf(["*"])]
    await actors.query(
      "update webhook_endpoints set enabled = false, off_reason = 'BY_HAND', removed_at = now() where id = $1",
      [removed.id]
    )
    await commitEverything(test.companyId)
    await commitEverything(removed.companyId)
    for (const { id } of [test, removed, other]) expect(await deliveriesTo(id)).toEqual([])
  })
})
