/**
 * The clocks of the sandbox as the API shows them: a clock, the bodies that make one and move it on, and what happened while it
 * was moved. A clock holds no free text and nothing personal. How a journey runs by it is decided in `actors` (S11).
 */
import { Duration, Schema } from "effect"
import { beyondForm, invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import { withExample } from "../model.ts"
import { isTimestamp, millisOf, Timestamp } from "../decoding/dates.ts"
import { memberOf } from "../decoding/record.ts"
import { formattedText } from "../decoding/text.ts"
import { WebhookDeliveryStatus } from "../WebhookDeliveryStatus.ts"
import { exampleId } from "../exampleId.ts"
import { clockLimits } from "./limits.ts"

const { largestAdvance, latestStart } = clockLimits
const days = (duration: Duration.Duration): number => Duration.toDays(duration)

const brokenStart: BrokenRules = (body, { now }) => {
  const startsAt = memberOf(body, "startsAt")
  if (typeof startsAt !== "string" || !isTimestamp(startsAt)) return []
  const at = millisOf(startsAt)
  return at < now - Duration.toMillis(clockLimits.startSlack) || at > now + Duration.toMillis(latestStart)
    ? [invalid("startsAt", `must lie between now and ${days(latestStart)} days ahead`)]
    : []
}

export const TestClockBody = Schema.Struct({
  startsAt: Schema.optionalKey(
    Timestamp.annotate({
      description: `Where the clock stands at first: RFC 3339 with Z or an offset, from now to ${days(latestStart)} days ahead. Left out, the present time`
    })
  )
}).annotate({ identifier: "TestClockStart", [beyondForm]: brokenStart })
export type TestClockBody = typeof TestClockBody.Type

/** A length of time in days, hours, minutes and seconds. Months and years have no fixed length. */
const isoDuration = /^P(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/

const millisOfDuration = (text: string): number | null => {
  const [all, ...parts] = isoDuration.exec(text) ?? []
  if (all === undefined) return null
  const [inDays = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const millis = (((inDays * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  return millis === 0 ? null : millis
}

const IsoDuration = formattedText(
  30,
  (text) => {
    const millis = millisOfDuration(text)
    if (millis === null)
      return "must be an ISO 8601 duration of days, hours, minutes and seconds, of a second or more, such as P30D or PT8H"
    return millis > Duration.toMillis(largestAdvance) ? `must be at most ${days(largestAdvance)} days` : undefined
  },
  { format: "duration" }
)

const membersOfAnAdvance = 1

/** The schema and the document say it alike: an advance has one member. */
const oneOfBoth = Schema.makeFilter<{ readonly by?: string; readonly to?: string }>(
  ({ by, to }) =>
    (by === undefined) === (to === undefined)
      ? { path: ["by"], issue: "or `to` must be given, and not both" }
      : undefined,
  { toJsonSchema: () => [{ minProperties: membersOfAnAdvance, maxProperties: membersOfAnAdvance }, true] }
)

export const ClockAdvanceBody = Schema.Struct({
  by: Schema.optionalKey(
    IsoDuration.annotate({
      description: `How far: an ISO 8601 duration such as P30D or PT8H30M, at most ${days(largestAdvance)} days`
    })
  ),
  to: Schema.optionalKey(
    Timestamp.annotate({
      description: `Where to: not before the clock's time, and at most ${days(largestAdvance)} days after it`
    })
  )
})
  .check(oneOfBoth)
  .annotate({ identifier: "ClockAdvance" })
export type ClockAdvanceBody = typeof ClockAdvanceBody.Type

/** The time that an advance leads to, in epoch milliseconds. Null: it is behind the clock, or too far ahead. */
export const targetOf = ({ by, to }: ClockAdvanceBody, now: number): number | null => {
  const target = to === undefined ? now + (millisOfDuration(by ?? "") ?? 0) : millisOf(to)
  return target < now || target > now + Duration.toMillis(largestAdvance) ? null : target
}

export const TestClockResource = Schema.Struct({
  id: withExample(Schema.String, exampleId("clock", 1)),
  now: withExample(Schema.String, "2026-02-14T10:30:00.000Z").annotate({
    description: "The time by which its journeys run. It stands still until it is advanced"
  }),
  status: withExample(Schema.Literals(["READY", "ADVANCING"]), "READY"),
  target: withExample(Schema.NullOr(Schema.String), null).annotate({
    description:
      "Where an advance that is not finished leads to: advance the clock to this time again. Null: none is open"
  }),
  journeys: withExample(Schema.Int, 1).annotate({ description: "Journeys that were started on it" }),
  createdAt: withExample(Schema.String, "2026-01-15T10:30:00.000Z"),
  endsAt: withExample(Schema.String, "2026-01-22T10:30:00.000Z").annotate({
    description: "When it ends by itself, in real time"
  })
}).annotate({ identifier: "TestClock" })
export type TestClockResource = typeof TestClockResource.Type

const at = Schema.String.annotate({ description: "By the clock" })

export const ClockStep = Schema.Union([
  Schema.Struct({
    at,
    kind: Schema.Literal("JOURNEY"),
    journeyId: Schema.String,
    messages: Schema.Array(Schema.String).annotate({
      description: "What the journey took, such as CustomerWindowPassed"
    }),
    events: Schema.Array(Schema.String).annotate({ description: "The types of the events that it told" })
  }).annotate({ identifier: "ClockStepOfJourney" }),
  Schema.Struct({
    at,
    kind: Schema.Literal("DELIVERY"),
    journeyId: Schema.String,
    eventId: Schema.String,
    type: Schema.String,
    attempts: Schema.Int.annotate({ description: "Attempts in the delivery log, this one included" }),
    status: WebhookDeliveryStatus
  }).annotate({ identifier: "ClockStepOfDelivery" })
])
export type ClockStep = typeof ClockStep.Type

export const ClockAdvanced = Schema.Struct({
  clock: TestClockResource,
  complete: Schema.Boolean.annotate({
    description:
      "Whether the clock stands where it was to be advanced to. False: call again with `to` as in `clock.target`"
  }),
  steps: Schema.Array(ClockStep).annotate({ description: "What happened, in order" })
}).annotate({ identifier: "ClockAdvanced" })
export type ClockAdvanced = typeof ClockAdvanced.Type
