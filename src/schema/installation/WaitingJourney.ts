/** An active journey of any company and what it waits on, as the operator sees it: ids, words and times, nothing of a person. */
import { Schema } from "effect"
import { JourneyType } from "../journey/statuses.ts"
import { waitingOn } from "../journey/steps.ts"
import { Mode } from "../Mode.ts"
import { PageQuery } from "../decoding/parameters.ts"
import { AfterPlace } from "../decoding/place.ts"
import { wholeNumber } from "../decoding/numbers.ts"
import { installationLimits } from "./limits.ts"

const WaitingOn = Schema.Literals(waitingOn)

export const WaitingJourneyResource = Schema.Struct({
  journeyId: Schema.String,
  companyId: Schema.String,
  companyName: Schema.String,
  mode: Mode,
  type: Schema.NullOr(JourneyType),
  waitingOn: WaitingOn.annotate({ description: "The next action, or SERVICE: the service itself is at work" }),
  since: Schema.String.annotate({ description: "Since when it has waited on this" })
}).annotate({ identifier: "WaitingJourney" })
export type WaitingJourneyResource = typeof WaitingJourneyResource.Type

export const WaitingQuery = Schema.Struct({
  waitingOn: Schema.optionalKey(WaitingOn.annotate({ description: "Only journeys that wait on this" })),
  olderThan: Schema.optionalKey(
    wholeNumber(0, installationLimits.longestWaitHours).annotate({
      description: "Only journeys that have waited for longer than this many hours"
    })
  ),
  after: Schema.optionalKey(AfterPlace),
  size: PageQuery.fields.size
})
