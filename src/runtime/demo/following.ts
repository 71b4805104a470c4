/**
 * What a company does with webhooks, shown line by line: an event arrives, and the journey that it names is read for
 * the next action. At the end the delivery log must agree: every recorded event is DELIVERED and has arrived here.
 */
import { Console, Effect, Queue } from "effect"
import type { WebhookDeliveryResource } from "../../schema/webhook/WebhookDelivery.ts"
import type { JourneyResource } from "../../schema/journey/resource.ts"
import type { Shape } from "../../schema/journey/statuses.ts"
import type { DemoClient } from "./DemoClient.ts"
import { DemoFailed } from "./DemoFailed.ts"
import type { Arrival, Receiver } from "./Receiver.ts"
import * as story from "./story.ts"
import { demoLimits } from "./limits.ts"

const isActive = ({ status }: JourneyResource): boolean => status === "ACTIVE"

/**
 * Prints an event of one of the journeys. A repeated event is not printed again; anything else that arrives ends the
 * demo.
 */
const show = Effect.fnUntraced(function* (journeys: ReadonlyMap<string, Shape>, arrival: Arrival) {
  if (arrival._tag === "Refused") {
    return yield* new DemoFailed({ message: `The receiver refused a delivery: ${arrival.reason}` })
  }
  const { event } = arrival
  if (event.type === "ping" || event.type === "(a later type)") {
    return yield* new DemoFailed({ message: `The receiver was sent a ${event.type} nobody asked for` })
  }
  const shape = journeys.get(event.data.journeyId)
  if (shape === undefined) {
    return yield* new DemoFailed({ message: `The receiver was sent an event of journey ${event.data.journeyId}` })
  }
  if (arrival._tag === "Repeated") return event
  yield* Console.log(story.event(shape, event, event.data, String(arrival.headers["service-event-sequence"])))
  return event
})

/** Prints every event as it arrives until all journeys have ended, and gives the journeys as they ended. */
export const followJourneys = Effect.fnUntraced(function* (
  client: Pick<DemoClient, "deliveries" | "get">,
  receiver: Receiver,
  started: ReadonlyArray<readonly [Shape, JourneyResource]>
) {
  const shapes = new Map(started.map(([shape, { id }]) => [id, shape]))
  const latest = new Map(started.map(([, journey]) => [journey.id, journey]))
  const received = new Set<string>()

  const showAll = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>) {
    const moved = new Set<string>()
    for (const arrival of arrivals) {
      const { data, id } = yield* show(shapes, arrival)
      received.add(id)
      moved.add(data.journeyId)
    }
    for (const [id, before] of latest) {
      if (!moved.has(id)) continue
      const journey = yield* client.get(id)
      latest.set(id, journey)
      const shape = shapes.get(id)
      if (shape === undefined || journey.nextAction === null || journey.nextAction === before.nextAction) continue
      yield* Console.log(story.awaited(shape, journey.nextAction))
    }
  })

  while ([...latest.values()].some(isActive)) yield* showAll(yield* Queue.takeAll(receiver.arrivals))
  const look = Effect.gen(function* () {
    const log = yield* client.deliveries
    yield* showAll(yield* Queue.clear(receiver.arrivals))
    return disagreements(
      log.filter(({ journeyId }) => journeyId !== null),
      received
    )
  })
  let wrong = yield* look
  for (let looks = 1; wrong.length > 0 && looks < demoLimits.mostLooks; looks++) {
    yield* Effect.sleep(demoLimits.lookEvery)
    wrong = yield* look
  }
  if (wrong.length > 0) return yield* new DemoFailed({ message: wrong.join("\n") })
  return { journeys: [...latest.values()], events: received.size }
})

/** The differences between the delivery log and what arrived. */
const disagreements = (
  log: ReadonlyArray<WebhookDeliveryResource>,
  received: ReadonlySet<string>
): ReadonlyArray<string> => {
  const recorded = new Set(log.map(({ id }) => id))
  return [
    ...log.filter(({ status }) => status !== "DELIVERED").map(({ id, status, type }) => `${type} ${id} is ${status}`),
    ...log.filter(({ id }) => !received.has(id)).map(({ id, type }) => `${type} ${id} did not arrive`),
    ...[...received].filter((id) => !recorded.has(id)).map((id) => `${id} arrived but was not recorded`)
  ]
}
