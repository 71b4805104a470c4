/**
 * Events as they are stored and sent: numbered without gaps, timed strictly rising, their bytes frozen (W2, W3, W10).
 */
import type { EventType } from "../../schema/eventCatalogue.ts"
import { apiVersion } from "../../schema/apiVersion.ts"
import type { Journey } from "./Journey.ts"
import { eventData } from "./projection.ts"
import type { Step } from "./step.ts"

export interface RecordedEvent {
  readonly id: string
  readonly sequence: number
  readonly type: EventType
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The JSON text, sent byte for byte at every attempt. */
  readonly body: string
}

export interface Recorded {
  readonly journey: Journey
  readonly events: ReadonlyArray<RecordedEvent>
}

/**
 * Gives the events of a step their numbers, times and bodies. Every body shows the statuses after the whole step.
 * `newId` is asked once an event.
 */
export const record = (taken: Step, now: number, newId: () => string): Recorded => {
  const data = eventData(taken.journey)
  let { eventCount, lastEventAt } = taken.journey
  const events = taken.events.map(({ type, reason }): RecordedEvent => {
    const id = newId()
    eventCount += 1
    lastEventAt = Math.max(now, lastEventAt + 1)
    return {
      id,
      sequence: eventCount,
      type,
      createdAt: lastEventAt,
      body: JSON.stringify({
        id,
        type,
        apiVersion,
        livemode: taken.journey.livemode,
        createdAt: new Date(lastEventAt).toISOString(),
        data: reason === undefined ? data : { ...data, reason }
      })
    }
  })
  return { journey: { ...taken.journey, eventCount, lastEventAt }, events }
}
