/**
 * What the customer will read when a review is decided, as the team sees it before it decides: in the customer's language, with
 * the English beside it. The words are those of the pages and mails themselves (`schema/words`).
 */
import { Schema } from "effect"
import { CustomerMailKind } from "../mail/mailKinds.ts"
import { Language } from "../words/locale/languages.ts"

const Worded = Schema.Struct({
  text: Schema.String,
  english: Schema.NullOr(Schema.String).annotate({ description: "Null where the text is English" })
})
export type Worded = typeof Worded.Type

export const CustomerReads = Schema.Struct({
  decision: Schema.Literals(["APPROVE", "REJECT", "RESEND"]),
  language: Language,
  page: Schema.Array(Worded).annotate({ description: "What the customer's page of the journey says" }),
  showsReason: Schema.Boolean.annotate({
    description: "The customer's page goes on with the reason, as it is written"
  }),
  mails: Schema.Array(
    Schema.Struct({ kind: CustomerMailKind, subject: Worded, paragraphs: Schema.Array(Worded) })
  ).annotate({ description: "The mails that leave, without their links" })
}).annotate({ identifier: "CustomerReads" })
export type CustomerReads = typeof CustomerReads.Type
