/**
 * How the mail of a company to others stands: what left in the last day, what came back of it, how much may leave, and whether
 * it was stopped (decision M9). What counts, and when mail stops, is decided by the stores with `actors/mail/limits.ts`.
 */
import { Schema } from "effect"
import { wholeNumber } from "../decoding/numbers.ts"
import { mailQueryLimits } from "./limits.ts"

export const StoppedBy = Schema.Literals(["RATE", "OPERATOR"])
export type StoppedBy = typeof StoppedBy.Type

const { mostPerDay } = mailQueryLimits

export const MailStandingResource = Schema.Struct({
  stoppedAt: Schema.NullOr(Schema.String).annotate({
    description: "Since when no mail to customers and no invitation leaves; null: mail leaves"
  }),
  stoppedBy: Schema.NullOr(StoppedBy).annotate({
    description: "RATE: too much of it came back; OPERATOR: the operator stopped it by hand"
  }),
  perDay: Schema.NullOr(Schema.Int).annotate({
    description: "The mails to others that may leave in 24 hours; null: any number"
  }),
  sent: Schema.Int.annotate({ description: "Mails to others that left in the last 24 hours" }),
  refused: Schema.Int.annotate({ description: "Those of the last 24 hours that the mail server refused for good" }),
  reported: Schema.Int.annotate({ description: "Bounces and complaints that were recorded in the last 24 hours" })
}).annotate({ identifier: "MailStanding" })
export type MailStandingResource = typeof MailStandingResource.Type

export const exampleStanding: MailStandingResource = {
  stoppedAt: null,
  stoppedBy: null,
  perDay: 200,
  sent: 41,
  refused: 1,
  reported: 0
}

export const MailStandingPatch = Schema.Struct({
  stopped: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "false starts the mail again, and counting anew; true stops it by hand" })
  ),
  perDay: Schema.optionalKey(
    Schema.NullOr(wholeNumber(1, mostPerDay)).annotate({
      description: "Mails to others in 24 hours; null: as the company's age has it",
      expected: "null or a whole number"
    })
  )
}).annotate({ identifier: "MailStandingChange" })
export type MailStandingPatch = typeof MailStandingPatch.Type

export const ReturnedAs = Schema.Literals(["BOUNCE", "COMPLAINT"])
export type ReturnedAs = typeof ReturnedAs.Type

export const MailReturn = Schema.Struct({ as: ReturnedAs }).annotate({ identifier: "MailReturn" })
