/**
 * Deliveries for the tests of a receiver: any event signed as the service signs it, and a life's events as the network may
 * bring them, doubled and out of order. The lives themselves are generated from the service's rules. Needs no service.
 */
import { createHmac } from "node:crypto"

/** What of an event a delivery says. */
export interface DeliverableEvent {
  readonly id: string
  readonly type: string
}

export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes that are signed, as text. */
  readonly body: string
}

export interface SigningWishes {
  /** When it is signed, in epoch milliseconds; now unless given. An old one is a replay. */
  readonly at?: number | undefined
  /** The event's number among those of its journey; left out unless given. */
  readonly sequence?: number | undefined
}

/** A genuine delivery. Of several secrets, as after a roll, each signs: the newest comes first. */
export const signedDelivery = (
  event: DeliverableEvent,
  secret: string | ReadonlyArray<string>,
  { at, sequence }: SigningWishes = {}
): SignedDelivery => {
  const body = JSON.stringify(event)
  // oxlint-disable-next-line no-restricted-properties -- the time of the wall: Node's other clock stands still while a machine sleeps
  const t = Math.floor((at ?? Date.now()) / 1000)
  const signatures = [secret]
    .flat()
    .map((key) => `v1=${createHmac("sha256", key).update(`${t}.${body}`).digest("hex")}`)
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Journeys-Webhooks/1.0",
      "service-event-id": event.id,
      "service-event-type": event.type,
      "service-timestamp": String(t),
      "service-signature": [`t=${t}`, ...signatures].join(","),
      ...(sequence === undefined ? {} : { "service-event-sequence": String(sequence) })
    }
  }
}

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
const chanceOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Every event at least once, some twice, some later than they happened. The same seed gives the same order. */
export const disturbed = <Event>(events: ReadonlyArray<Event>, seed: number): ReadonlyArray<Event> => {
  const chance = chanceOf(seed)
  const doubled = events.flatMap((event) => (chance() < 1 / 3 ? [event, event] : [event]))
  return doubled
    .map((event, at) => ({ event, place: at + (chance() < 1 / 3 ? chance() * doubled.length : 0) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ event }) => event)
}
