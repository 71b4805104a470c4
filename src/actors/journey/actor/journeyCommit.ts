/**
 * What one decided message writes, and the journey that is loaded after the write: plain data, without effects. The
 * decision is `rules/decide.ts`; the write is `JourneyStore.ts`.
 */
import { chargesOf, releasesHolds } from "../rules/billing.ts"
import { endsJourney, vehicleSold } from "../rules/state/ending.ts"
import { record } from "../rules/recordedEvent.ts"
import type { Step } from "../rules/state/step.ts"
import { storedAlarm } from "../rules/timers.ts"
import type { JourneyRequest } from "./JourneyEntity.ts"
import type { Commit, LoadedJourney } from "./JourneyStore.ts"

/** A message as the actor handles it, whether somebody sent it or it is due by itself. */
export type HandledMessage = Pick<
  JourneyRequest,
  "messageId" | "sender" | "message" | "sealedNote" | "sealedPhoto" | "requestId" | "auditLine"
>

/** When, under which ids and in which span the message was decided. */
export interface Decided {
  readonly now: number
  readonly newId: () => string
  readonly traceparent: string | null
}

export const commitOf = (
  before: LoadedJourney,
  step: Step,
  handled: HandledMessage,
  { newId, now, traceparent }: Decided
): Commit => {
  const { events, journey, mails } = record(step, now, newId)
  return {
    expectedVersion: before.version,
    journey,
    endsJourney: endsJourney(before.journey, journey),
    wakeAt: storedAlarm(journey),
    messageId: handled.messageId,
    sender: handled.sender,
    message: handled.message,
    requestId: handled.requestId ?? null,
    auditLine: handled.auditLine ?? null,
    sealedNote: bytesOf(handled.sealedNote),
    sealedPhoto: bytesOf(handled.sealedPhoto),
    events,
    mails,
    charges: chargesOf(before.journey, journey),
    releasesHolds: releasesHolds(before.journey, journey),
    soldVehicle: vehicleSold(step),
    at: now,
    traceparent
  }
}

/** The journey as it is once the commit is written. */
export const loadedAfter = (before: LoadedJourney, commit: Commit): LoadedJourney => ({
  journey: commit.journey,
  version: before.version + 1,
  handled: new Map(before.handled).set(commit.messageId, commit.message),
  traceparent: commit.traceparent
})

const bytesOf = (base64: string | null): Uint8Array | null => (base64 === null ? null : Buffer.from(base64, "base64"))
