/**
 * A mail as the settings API shows it from the built-in mailbox, and how the list of mails is filtered. Who may look, and
 * where the mail is kept, is decided elsewhere.
 */
import { Schema } from "effect"
import { JourneyIdParameter, PageQuery, textParameter } from "../decoding/parameters.ts"
import { mailQueryLimits } from "./limits.ts"
import { MailKind } from "./mailKinds.ts"

export const MailResource = Schema.Struct({
  id: Schema.String,
  kind: MailKind,
  companyId: Schema.String,
  /** Null: the mail is not about a journey. */
  journeyId: Schema.NullOr(Schema.String),
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  createdAt: Schema.String
}).annotate({ identifier: "Mail" })
export type MailResource = typeof MailResource.Type

const { longestAddress } = mailQueryLimits

export const MailQuery = Schema.Struct({
  to: Schema.optionalKey(
    textParameter(
      (text) => (text.length > longestAddress ? `must be at most ${longestAddress} characters` : undefined),
      {
        maxLength: longestAddress
      }
    ).annotate({ description: "Only mail to this address, upper and lower case alike" })
  ),
  journeyId: Schema.optionalKey(JourneyIdParameter.annotate({ description: "Only mail about this journey" })),
  ...PageQuery.fields
})
