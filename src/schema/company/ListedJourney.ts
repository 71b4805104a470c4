/**
 * The list of a company's journeys as its people read it: what they ask for, and what a line of the list says. The list that
 * integrators read is another one (`schema/journey/resource.ts`).
 */
import { Schema } from "effect"
import { waitingOn } from "../journey/steps.ts"
import { Mode } from "../Mode.ts"
import {
  Id,
  IdCursor,
  momentForm,
  PageQuery,
  spanQuery,
  textParameter,
  TimestampParameter
} from "../decoding/parameters.ts"
import { Timestamp } from "../decoding/dates.ts"
import { text } from "../decoding/text.ts"
import { journeyListLimits } from "./limits.ts"
import { JourneyResource } from "../journey/resource.ts"
import { JourneyStatus, JourneyType } from "../journey/statuses.ts"

const isShown = (word: (typeof waitingOn)[number]): word is Exclude<typeof word, "UNKNOWN"> => word !== "UNKNOWN"

/** What an active journey waits on, in the words of `nextAction`. SERVICE: the service itself is at work. */
export const WaitingOn = Schema.Literals(waitingOn.filter(isShown))
export type WaitingOn = typeof WaitingOn.Type

const about = {
  status: "Only journeys with this status",
  type: "Only journeys of this type",
  mode: "Only live journeys, or only test ones; left out, both",
  waitingOn:
    "Only active journeys that wait on this: their `nextAction`, or SERVICE where the service itself is at work",
  waitingSince: `Only active journeys that have waited since before this time: ${momentForm}`,
  since: `Only journeys that were started from then on: ${momentForm}`,
  until: `Only journeys that were started before then: ${momentForm}`,
  after: "Where to go on: `next` of the answer before, with the same filters"
} as const

const filters = {
  status: Schema.optionalKey(JourneyStatus.annotate({ description: about.status })),
  type: Schema.optionalKey(JourneyType.annotate({ description: about.type })),
  mode: Schema.optionalKey(Mode.annotate({ description: about.mode })),
  waitingOn: Schema.optionalKey(WaitingOn.annotate({ description: about.waitingOn })),
  since: spanQuery.since.annotateKey({ description: about.since }),
  until: spanQuery.until.annotateKey({ description: about.until })
}

const { longestReferenceSearch, longestSearch } = journeyListLimits

const judgeReference = (value: string): string | undefined => {
  if (value.includes("@")) return "must hold no personal data: send an email in the body of POST .../journeys/search"
  return value.trim() === "" || value.length > longestReferenceSearch
    ? `must be 1 to ${longestReferenceSearch} characters`
    : undefined
}

/** A URL is written into logs and histories: what is personal is searched for by `JourneySearchBody`. */
export const JourneyListQuery = Schema.Struct({
  ...filters,
  waitingSince: Schema.optionalKey(TimestampParameter.annotate({ description: about.waitingSince })),
  search: Schema.optionalKey(
    textParameter(judgeReference, { minLength: 1, maxLength: longestReferenceSearch }).annotate({
      description:
        "A journey's id, an event's id, a Request-Id, or an external reference or its beginning. By email and by registration: POST .../journeys/search"
    })
  ),
  after: Schema.optionalKey(IdCursor.annotate({ description: about.after })),
  size: PageQuery.fields.size
})
export type JourneyListQuery = typeof JourneyListQuery.Type

/** Which journeys a list has, as it is asked for. The list itself (`runtime/stores/journey/PostgresJourneyList.ts`) reads it. */
export type JourneyFilter = Omit<JourneyListQuery, "search" | "after" | "size">

export const JourneySearchBody = Schema.Struct({
  ...filters,
  waitingSince: Schema.optionalKey(Timestamp.annotate({ title: "Waiting since", description: about.waitingSince })),
  search: text(longestSearch).annotate({
    description:
      "The customer's email, the vehicle's registration (in any case, with or without spaces), a journey's id, an event's id, a Request-Id, or an external reference or its beginning"
  }),
  after: Schema.optionalKey(Id.annotate({ description: about.after })),
  size: PageQuery.fields.size
}).annotate({ identifier: "JourneySearch" })
export type JourneySearchBody = typeof JourneySearchBody.Type

export const ListedJourneyResource = Schema.Struct({
  journey: JourneyResource,
  waitingOn: Schema.NullOr(WaitingOn).annotate({
    description:
      "What the journey waits on: its `nextAction`, or SERVICE where the service itself is at work; null once it has ended"
  }),
  waitingSince: Schema.NullOr(Schema.String).annotate({
    format: "date-time",
    description: "When that began; null once the journey has ended"
  }),
  customerName: Schema.NullOr(Schema.String).annotate({
    description: "The customer's first and last name; null when the customer was erased"
  }),
  registration: Schema.NullOr(Schema.String).annotate({
    description: "The vehicle's registration as the start wrote it; null when the customer was erased"
  }),
  endedAt: Schema.NullOr(Schema.String).annotate({
    format: "date-time",
    description: "When the journey ended; null while it is active"
  })
}).annotate({ identifier: "ListedJourney" })
export type ListedJourneyResource = typeof ListedJourneyResource.Type
