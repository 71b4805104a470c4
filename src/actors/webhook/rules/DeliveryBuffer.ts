/**
 * The deliveries that an endpoint's actor holds in memory: those that wait, those in flight, and those whose attempt has
 * ended and is not recorded. The oldest goes first. The first attempt of a journey's event waits until the first attempt of
 * the event before has ended (W14); retries wait for nothing and hold nothing back.
 *
 * The buffer is a value: every function returns a new one. The old value and the new one share the queue, so taking a
 * delivery costs the same however long the queue is.
 */
import { HashMap, Option } from "effect"
import { isFirstAttempt, type DueWebhookDelivery } from "./DueWebhookDelivery.ts"

type Deliveries = ReadonlyArray<DueWebhookDelivery>

export interface DeliveryBuffer {
  /** Deliveries in the order they were read. Those before `head` have left the queue. */
  readonly queue: Deliveries
  readonly head: number
  /** The journeys that have a first attempt in flight, each with the first attempts that wait for it. */
  readonly blocked: HashMap.HashMap<string, Deliveries>
  /** First attempts that waited in `blocked` and may go now. */
  readonly unblocked: Deliveries
  /** The deliveries that were taken and are not recorded, by event. */
  readonly taken: HashMap.HashMap<string, "InFlight" | "Ended">
  /** How many deliveries are not taken. */
  readonly waiting: number
}

export const emptyBuffer: DeliveryBuffer = {
  queue: [],
  head: 0,
  blocked: HashMap.empty(),
  unblocked: [],
  taken: HashMap.empty(),
  waiting: 0
}

/** How many deliveries were taken and are not recorded. */
export const unrecordedIn = ({ taken }: DeliveryBuffer): number => HashMap.size(taken)

export const isInFlight = ({ taken }: DeliveryBuffer, eventId: string): boolean =>
  Option.contains(HashMap.get(taken, eventId), "InFlight")

const allWaiting = ({ blocked, head, queue, unblocked }: DeliveryBuffer): Deliveries => [
  ...unblocked,
  ...queue.slice(head),
  ...[...HashMap.values(blocked)].flat()
]

/** Adds what was read. A delivery that the buffer holds already, waiting or taken, is not held twice. */
export const put = (buffer: DeliveryBuffer, due: Deliveries): DeliveryBuffer => {
  const held = new Set(allWaiting(buffer).map(({ eventId }) => eventId))
  const added = due.filter(({ eventId }) => {
    if (held.has(eventId) || HashMap.has(buffer.taken, eventId)) return false
    held.add(eventId)
    return true
  })
  return {
    ...buffer,
    queue: [...buffer.queue.slice(buffer.head), ...added],
    head: 0,
    waiting: buffer.waiting + added.length
  }
}

export interface Taking {
  /** Null: no delivery may go now. */
  readonly delivery: DueWebhookDelivery | null
  readonly buffer: DeliveryBuffer
}

/** Takes the next delivery that may go. */
export const take = (buffer: DeliveryBuffer): Taking => {
  const [first, ...others] = buffer.unblocked
  if (first !== undefined) return { delivery: first, buffer: inFlight({ ...buffer, unblocked: others }, first) }
  let { blocked, head } = buffer
  for (;;) {
    const next = buffer.queue[head]
    // An empty queue lets go of the deliveries that have left it.
    if (next === undefined) return { delivery: null, buffer: { ...buffer, blocked, queue: [], head: 0 } }
    head += 1
    if (!isFirstAttempt(next)) return { delivery: next, buffer: inFlight({ ...buffer, blocked, head }, next) }
    const before = HashMap.get(blocked, next.journeyId)
    if (Option.isNone(before)) {
      blocked = HashMap.set(blocked, next.journeyId, [])
      return { delivery: next, buffer: inFlight({ ...buffer, blocked, head }, next) }
    }
    blocked = HashMap.set(blocked, next.journeyId, [...before.value, next])
  }
}

const inFlight = (buffer: DeliveryBuffer, { eventId }: DueWebhookDelivery): DeliveryBuffer => ({
  ...buffer,
  taken: HashMap.set(buffer.taken, eventId, "InFlight"),
  waiting: buffer.waiting - 1
})

/**
 * Takes a delivery past the queue, which its owner asked for. Null when it may not go now: the buffer holds it already, or
 * it is a first attempt and its journey has one in flight.
 */
export const takeDirectly = (buffer: DeliveryBuffer, delivery: DueWebhookDelivery): DeliveryBuffer | null => {
  const { eventId, journeyId } = delivery
  const isFirst = isFirstAttempt(delivery)
  if (holds(buffer, eventId) || (isFirst && HashMap.has(buffer.blocked, journeyId))) return null
  return {
    ...buffer,
    blocked: isFirst ? HashMap.set(buffer.blocked, journeyId, []) : buffer.blocked,
    taken: HashMap.set(buffer.taken, eventId, "InFlight")
  }
}

export const holds = (buffer: DeliveryBuffer, eventId: string): boolean =>
  HashMap.has(buffer.taken, eventId) || allWaiting(buffer).some((delivery) => delivery.eventId === eventId)

/** An attempt has ended: the next first attempt of its journey may go. */
export const ended = (buffer: DeliveryBuffer, delivery: DueWebhookDelivery): DeliveryBuffer => {
  const taken = HashMap.set(buffer.taken, delivery.eventId, "Ended" as const)
  if (!isFirstAttempt(delivery)) return { ...buffer, taken }
  const [next, ...others] = Option.getOrElse(HashMap.get(buffer.blocked, delivery.journeyId), (): Deliveries => [])
  return next === undefined
    ? { ...buffer, taken, blocked: HashMap.remove(buffer.blocked, delivery.journeyId) }
    : {
        ...buffer,
        taken,
        blocked: HashMap.set(buffer.blocked, delivery.journeyId, others),
        unblocked: [...buffer.unblocked, next]
      }
}

/** The attempt of this event is recorded: its delivery may be read and held again. */
export const recorded = (buffer: DeliveryBuffer, eventId: string): DeliveryBuffer =>
  isInFlight(buffer, eventId) ? buffer : { ...buffer, taken: HashMap.remove(buffer.taken, eventId) }

/** Forgets what is not taken. The order within journeys that have an attempt in flight is kept. */
export const dropWaiting = (buffer: DeliveryBuffer): DeliveryBuffer => {
  if (buffer.waiting === 0) return buffer
  const idle = new Set(buffer.unblocked.map(({ journeyId }) => journeyId))
  const blocked = HashMap.map(
    HashMap.filter(buffer.blocked, (_, journeyId) => !idle.has(journeyId)),
    (): Deliveries => []
  )
  return { ...buffer, blocked, queue: [], head: 0, unblocked: [], waiting: 0 }
}
