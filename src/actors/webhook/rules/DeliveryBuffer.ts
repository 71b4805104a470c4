/**
 * The deliveries that an endpoint's actor holds in memory: those that wait, those in flight, and those whose attempt has
 * ended and is not recorded. The oldest goes first. The first attempt of a journey's event waits until the first attempt of
 * the event before has ended (W14); retries wait for nothing and hold nothing back.
 *
 * The buffer is a value: every function returns a new one. The old value and the new one share the queue, so taking a
 * delivery costs the same however long the queue is. Few deliveries are in flight at once, so a search in them is cheaper
 * than a map.
 */
import { isFirstAttempt, type DueWebhookDelivery } from "./DueWebhookDelivery.ts"
import type { EventId, JourneyId } from "../../../schema/ids.ts"

type Deliveries = ReadonlyArray<DueWebhookDelivery>

/** A delivery with the first attempts of the same journey that wait for it, in order. A retry has none. */
interface Leading {
  readonly delivery: DueWebhookDelivery
  readonly behind: Deliveries
}

export interface DeliveryBuffer {
  /** Deliveries in the order they were read. Those before `head` have left the queue. */
  readonly queue: Deliveries
  readonly head: number
  /** First attempts that have waited and may go now. */
  readonly unblocked: ReadonlyArray<Leading>
  readonly inFlight: ReadonlyArray<Leading>
  /** The events whose attempt has ended and is not recorded. */
  readonly ended: ReadonlyArray<EventId>
  /** How many deliveries are neither in flight nor ended. */
  readonly waiting: number
}

export const emptyBuffer: DeliveryBuffer = { queue: [], head: 0, unblocked: [], inFlight: [], ended: [], waiting: 0 }

/** How many deliveries were taken and are not recorded. */
export const unrecordedIn = ({ ended, inFlight }: DeliveryBuffer): number => ended.length + inFlight.length

/** Whether just this attempt is in flight: the end of an earlier attempt at the same event may be heard a second time. */
export const isInFlight = ({ inFlight }: DeliveryBuffer, { attempts, eventId }: DueWebhookDelivery): boolean =>
  inFlight.some(({ delivery }) => delivery.eventId === eventId && delivery.attempts === attempts)

export const holds = (buffer: DeliveryBuffer, eventId: EventId): boolean => eventsIn(buffer).has(eventId)

const eventsIn = ({ ended, head, inFlight, queue, unblocked }: DeliveryBuffer): Set<EventId> => {
  const leading = [...unblocked, ...inFlight]
  const behind = leading.flatMap((one) => one.behind)
  const waiting = [...queue.slice(head), ...leading.map(({ delivery }) => delivery), ...behind]
  return new Set([...ended, ...waiting.map(({ eventId }) => eventId)])
}

/** Adds what was read. A delivery that the buffer holds already is not held twice. */
export const put = (buffer: DeliveryBuffer, due: Deliveries): DeliveryBuffer => {
  const held = eventsIn(buffer)
  const added = due.filter(({ eventId }) => {
    if (held.has(eventId)) return false
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
  if (first !== undefined) {
    const waiting = buffer.waiting - 1
    return {
      delivery: first.delivery,
      buffer: { ...buffer, unblocked: others, inFlight: [...buffer.inFlight, first], waiting }
    }
  }
  let { head, inFlight } = buffer
  for (;;) {
    const next = buffer.queue[head]
    // An empty queue lets go of the deliveries that have left it.
    if (next === undefined) return { delivery: null, buffer: { ...buffer, inFlight, queue: [], head: 0 } }
    head += 1
    const blocking = isFirstAttempt(next) ? leadingOf(inFlight, next.journeyId) : -1
    const leader = inFlight[blocking]
    if (leader === undefined) {
      const waiting = buffer.waiting - 1
      return {
        delivery: next,
        buffer: { ...buffer, head, inFlight: [...inFlight, { delivery: next, behind: [] }], waiting }
      }
    }
    inFlight = inFlight.with(blocking, { delivery: leader.delivery, behind: [...leader.behind, next] })
  }
}

/** Where the first attempt of this journey is; -1: there is none. */
const leadingOf = (leading: ReadonlyArray<Leading>, journeyId: JourneyId): number =>
  leading.findIndex(({ delivery }) => delivery.journeyId === journeyId && isFirstAttempt(delivery))

/**
 * Takes a delivery past the queue, which its owner asked for. Null when it may not go now: the buffer holds it already, or
 * it is a first attempt and its journey has one that leads.
 */
export const takeDirectly = (buffer: DeliveryBuffer, delivery: DueWebhookDelivery): DeliveryBuffer | null => {
  const leading = [...buffer.unblocked, ...buffer.inFlight]
  const isBlocked = isFirstAttempt(delivery) && leadingOf(leading, delivery.journeyId) >= 0
  if (isBlocked || holds(buffer, delivery.eventId)) return null
  return { ...buffer, inFlight: [...buffer.inFlight, { delivery, behind: [] }] }
}

/** An attempt has ended: the next first attempt of its journey may go. */
export const endAttempt = (buffer: DeliveryBuffer, { eventId }: DueWebhookDelivery): DeliveryBuffer => {
  const at = buffer.inFlight.findIndex(({ delivery }) => delivery.eventId === eventId)
  if (at < 0) return buffer
  const [next, ...behind] = buffer.inFlight[at]?.behind ?? []
  return {
    ...buffer,
    inFlight: buffer.inFlight.toSpliced(at, 1),
    ended: [...buffer.ended, eventId],
    unblocked: next === undefined ? buffer.unblocked : [...buffer.unblocked, { delivery: next, behind }]
  }
}

/** The attempts of these events are recorded: their deliveries may be read and held again. */
export const releaseRecorded = (buffer: DeliveryBuffer, eventIds: ReadonlyArray<EventId>): DeliveryBuffer => {
  const recorded = new Set(eventIds)
  return { ...buffer, ended: buffer.ended.filter((eventId) => !recorded.has(eventId)) }
}

/** Forgets what waits. The order within journeys that have an attempt in flight is kept. */
export const dropWaiting = (buffer: DeliveryBuffer): DeliveryBuffer => {
  if (buffer.waiting === 0) return buffer
  const inFlight = buffer.inFlight.map(({ delivery }) => ({ delivery, behind: [] }))
  return { ...buffer, queue: [], head: 0, unblocked: [], inFlight, waiting: 0 }
}
