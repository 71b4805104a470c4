/**
 * A journey that was set aside because it could not be woken, as the operator sees it: ids, times and why. Nothing of what
 * the journey is about is read, because often that cannot be read at all.
 */
import { Schema } from "effect"
import { JourneyType } from "../journey/statuses.ts"
import { Mode } from "../Mode.ts"

/**
 * UNREADABLE: this version cannot read the stored journey. REFUSED: the journey's own rules refused what was due. FAILED:
 * handling what was due failed for another reason, which the log tells.
 */
export const SetAsideReason = Schema.Literals(["UNREADABLE", "REFUSED", "FAILED"])
export type SetAsideReason = typeof SetAsideReason.Type

export const SetAsideJourneyResource = Schema.Struct({
  journeyId: Schema.String,
  companyId: Schema.String,
  companyName: Schema.String,
  mode: Mode,
  type: Schema.NullOr(JourneyType),
  since: Schema.String.annotate({ description: "When it was set aside" }),
  reason: Schema.NullOr(SetAsideReason).annotate({
    description:
      "UNREADABLE: this version cannot read the stored journey. REFUSED: its own rules refused what was due. FAILED: see the log. Null: set aside by an earlier version"
  }),
  dueSince: Schema.NullOr(Schema.String).annotate({ description: "Since when it should have been woken" })
}).annotate({ identifier: "SetAsideJourney" })
export type SetAsideJourneyResource = typeof SetAsideJourneyResource.Type
