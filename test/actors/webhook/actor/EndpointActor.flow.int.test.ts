/**
 * How fast an endpoint's actor sends, and in which order: as many attempts at once as the endpoint has earned, the first
 * attempts of one journey one after the other, and retries independently. A real receiver counts the requests.
 */
import { Effect, Exit, Scope } from "effect"
import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { EndpointActor } from "../../../../src/actors/webhook/actor/EndpointActor.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { deliveryOf, startGround, writeCompany, writeEvent, type Ground } from "../../../support/endpointActors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { eventOf, startReceiver, type Receiver } from "../../../support/receivers.ts"
import { freshDatabase } from "../../../support/service.ts"
import { EventId } from "../../../../src/schema/ids.ts"

const { firstInFlight, mostInFlight } = webhookLimits

/** A request that the receiver has not answered yet. */
interface Open {
  readonly eventId: string
  readonly response: ServerResponse
}

let ground: Ground
let receiver: Receiver
let endpointId: string
let scope: Scope.Closeable
let actor: EndpointActor
let open: Array<Open>

beforeAll(async () => {
  ground = await startGround(await freshDatabase())
})
afterAll(() => ground.stop())
beforeEach(async () => {
  open = []
  receiver = await startReceiver((received, response) => void open.push({ eventId: eventOf(received).id, response }))
  endpointId = await writeEndpoint(ground.query, { companyId: await writeCompany(ground.query), url: receiver.url })
  scope = Scope.makeUnsafe()
  actor = await Effect.runPromise(Scope.provide(ground.actor(endpointId), scope))
})
afterEach(async () => {
  receiver.answer(500)
  open.forEach(({ response }) => response.destroy())
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await receiver.stop()
})

const look = () => Effect.runPromise(actor.look(false))
const write = (journeyId: string, sequence: number) =>
  writeEvent(ground.query, { endpointId, at: Date.now(), journeyId, sequence })
const writeMany = async (count: number) => {
  for (let at = 0; at < count; at++) await write(randomUUID(), 1)
}
const answerAll = (status: number) => {
  const answered = open.splice(0)
  for (const { response } of answered) response.writeHead(status).end()
  return answered.length
}
/** As many requests are open, and no more come: everything the actor may send it sends in one turn. */
const opened = async (count: number) => {
  await eventually(
    () => open.length,
    (now) => now >= count
  )
  await look()
  await Effect.runPromise(Effect.ignore(actor.attempt(EventId.make(randomUUID()))))
  await Effect.runPromise(Effect.ignore(actor.attempt(EventId.make(randomUUID()))))
  expect(open.length).toBe(count)
}

describe("attempts in flight", () => {
  test("are two at first, one more with each success, and never more than the limit", async () => {
    await writeMany(200)
    await look()
    await opened(firstInFlight)
    let window = firstInFlight
    while (window < mostInFlight) {
      window = Math.min(mostInFlight, window + answerAll(200))
      await opened(window)
    }
    answerAll(200)
    await opened(mostInFlight)
    expect(await receiver.connections()).toBeLessThanOrEqual(mostInFlight)
  })

  test("are halved by each failure, down to one, and grow again after that", async () => {
    await writeMany(100)
    await look()
    await opened(2)
    for (const window of [4, 8]) {
      answerAll(200)
      await opened(window)
    }
    const [first] = open.splice(0, 1)
    first?.response.writeHead(503).end()
    await eventually(
      () => deliveryOf(ground.query, first?.eventId ?? ""),
      (found) => found?.attempts === 1
    )
    expect(open.length).toBe(7)
    answerAll(503)
    await opened(1)
    answerAll(200)
    await opened(2)
  })
})

describe("events of one journey", () => {
  test("have their first attempts one after the other, in order, while those of other journeys go on", async () => {
    const [journey, other] = [randomUUID(), randomUUID()]
    const events: Array<string> = []
    for (let sequence = 1; sequence <= 6; sequence++) events.push(await write(journey, sequence))
    const others: Array<string> = []
    for (let sequence = 1; sequence <= 6; sequence++) others.push(await write(other, sequence))
    await look()
    for (let at = 0; at < 6; at++) {
      await opened(2)
      expect(new Set(open.map(({ eventId }) => eventId))).toEqual(new Set([events[at], others[at]]))
      answerAll(200)
    }
    await eventually(
      () => deliveryOf(ground.query, others[5] ?? ""),
      (found) => found?.status === "DELIVERED"
    )
  })

  test("are not held back by a retry of an earlier one, nor by its failure", async () => {
    const journey = randomUUID()
    const first = await write(journey, 1)
    const second = await write(journey, 2)
    await look()
    await opened(1)
    answerAll(500)
    await opened(1)
    expect(open[0]?.eventId).toBe(second)
    answerAll(200)
    await eventually(
      () => deliveryOf(ground.query, second),
      (found) => found?.status === "DELIVERED"
    )
    await ground.query("update deliveries set due_at = now() where event_id = $1", [first])
    const third = await write(journey, 3)
    await eventually(
      async () => {
        await look()
        return open.map(({ eventId }) => eventId)
      },
      (ids) => ids.length === 2
    )
    expect(new Set(open.map(({ eventId }) => eventId))).toEqual(new Set([first, third]))
  })

  test("wait for the first attempt of the event before, however long it takes and however often the actor looks", async () => {
    const journey = randomUUID()
    const first = await write(journey, 1)
    await look()
    await opened(1)
    const second = await write(journey, 2)
    const until = performance.now() + 2500
    // Longer than what was read is kept.
    await eventually(look, () => performance.now() > until)
    expect(open.map(({ eventId }) => eventId)).toEqual([first])
    answerAll(200)
    await opened(1)
    expect(open[0]?.eventId).toBe(second)
  })
})

test("a new URL is used only after the attempts to the URL before have ended", async () => {
  const next = await startReceiver()
  await writeMany(2)
  await look()
  await opened(2)
  await writeMany(3)
  await ground.query("update webhook_endpoints set url = $2, revision = revision + 1 where id = $1", [
    endpointId,
    next.url
  ])
  await Effect.runPromise(actor.changed)
  await look()
  expect(next.received.length).toBe(0)
  answerAll(200)
  await next.arrived(3)
  await eventually(
    () =>
      ground.query<{ readonly id: string }>(
        "select event_id as id from deliveries where endpoint_id = $1 and status = 'DELIVERED'",
        [endpointId]
      ),
    (rows) => rows.length === 5
  )
  expect(receiver.received.length).toBe(2)
  await next.stop()
})
