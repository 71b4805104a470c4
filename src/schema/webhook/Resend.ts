/**
 * A resend of many events: the body that asks for it, and the task that the settings API shows while it goes on and
 * afterwards. Which deliveries a resend makes due is decided by the store.
 */
import { Duration, Schema } from "effect"
import { beyondForm, invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import type { EventType } from "../journey/events.ts"
import { uuid } from "../uuid.ts"
import { isTimestamp, millisOf, Timestamp } from "../decoding/dates.ts"
import { memberOf } from "../decoding/record.ts"
import { formattedText } from "../decoding/text.ts"
import { brokenSelection, JourneyEventType, journeyEventTypes } from "./EventSelection.ts"
import { webhookLimits } from "./limits.ts"
import { JourneyId } from "../ids.ts"

const { resendableDays } = webhookLimits

const JourneyIdMember = formattedText(36, (value) => (uuid.test(value.toLowerCase()) ? undefined : "must be a UUID"), {
  format: "uuid"
})

/** The oldest events that can still be sent again, in epoch milliseconds. */
export const resendableSince = (now: number): number => now - Duration.toMillis(Duration.days(resendableDays))

const brokenResendRules: BrokenRules = (body, { now }) => {
  const since = memberOf(body, "since")
  const at = typeof since === "string" && isTimestamp(since) ? millisOf(since) : now
  return [
    ...(at > now ? [invalid("since", "must not be in the future")] : []),
    ...(at < resendableSince(now) ? [invalid("since", `must be at most ${resendableDays} days ago`)] : []),
    ...brokenSelection(body, "types", journeyEventTypes)
  ]
}

export const ResendBody = Schema.Struct({
  since: Timestamp.annotate({
    description: `Events made from then on: RFC 3339 with Z or an offset, in the past, at most ${resendableDays} days ago`
  }),
  types: Schema.optionalKey(
    Schema.Array(JourneyEventType).annotate({ description: "Only these; left out, what the endpoint has chosen" })
  ),
  journeyId: Schema.optionalKey(JourneyIdMember.annotate({ description: "Only events of this journey" })),
  delivered: Schema.optionalKey(
    Schema.Boolean.annotate({
      default: false,
      description: "Whether events that were delivered are sent again as well"
    })
  )
}).annotate({ identifier: "Resend", [beyondForm]: brokenResendRules })
export type ResendBody = typeof ResendBody.Type

/** A resend as the log takes it. `types` null: the events that the endpoint has chosen. */
export interface ResendWish {
  readonly since: number
  readonly types: ReadonlyArray<EventType> | null
  readonly journeyId: JourneyId | null
  readonly delivered: boolean
}

export const wishOf = ({ delivered = false, journeyId, since, types }: ResendBody): ResendWish => ({
  since: millisOf(since),
  types: types ?? null,
  journeyId: journeyId === undefined ? null : JourneyId.make(journeyId.toLowerCase()),
  delivered
})

export const ResendTaskResource = Schema.Struct({
  id: Schema.String,
  state: Schema.Literals(["RUNNING", "DONE"]),
  since: Schema.String,
  types: Schema.NullOr(Schema.Array(Schema.String)),
  journeyId: Schema.NullOr(Schema.String),
  /** Whether delivered events are sent again as well. */
  delivered: Schema.Boolean,
  /** How many events have been made due so far; `counts` says how they stand. */
  queued: Schema.Int,
  counts: Schema.Struct({
    PENDING: Schema.Int,
    DELIVERED: Schema.Int,
    GIVEN_UP: Schema.Int,
    PARKED: Schema.Int
  }),
  createdAt: Schema.String,
  finishedAt: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ResendTask" })
export type ResendTaskResource = typeof ResendTaskResource.Type
