/**
 * What a step leaves besides the journey. Events get their numbers without gaps, strictly rising times, and the bytes that
 * are stored and sent (W2, W3, W10). Mails leave the journey's state; the postman sends them.
 */
import type { EventType } from "../../../schema/journey/events.ts"
import { apiVersion } from "../../../schema/apiVersion.ts"
import { timestamp } from "../../../schema/moment.ts"
import type { Journey, PendingEffect, PendingMail } from "./state/Journey.ts"
import { eventData } from "./projection.ts"
import type { Step } from "./state/step.ts"

export interface RecordedEvent {
  readonly id: string
  readonly sequence: number
  readonly type: EventType
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The JSON text; every attempt sends just these bytes. */
  readonly body: string
}

export interface Recorded {
  readonly journey: Journey
  readonly events: ReadonlyArray<RecordedEvent>
  readonly mails: ReadonlyArray<PendingMail>
}

const isMail = (one: PendingEffect): one is PendingMail => one.kind === "MAIL"

/**
 * Gives the events of a step their numbers, times and bodies. Every body shows the statuses after the whole step. `newId` is
 * called once for each event.
 */
export const record = (taken: Step, now: number, newId: () => string): Recorded => {
  const data = eventData(taken.journey)
  let { eventCount, lastEventAt } = taken.journey
  const events = taken.events.map(({ assurance, reason, type }): RecordedEvent => {
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
        createdAt: timestamp(lastEventAt),
        data: { ...data, ...(reason && { reason }), ...(assurance && { assurance }) }
      })
    }
  })
  const { owed } = taken.journey
  return {
    journey: { ...taken.journey, owed: owed.filter((one) => !isMail(one)), eventCount, lastEventAt },
    events,
    mails: owed.filter(isMail)
  }
}
