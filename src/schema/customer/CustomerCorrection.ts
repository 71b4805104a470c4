/**
 * A correction of what the service has of a customer: which fields there are, and what the answer says. The values of a correction are
 * personal data: no answer and no line of the audit log repeats them. What may be corrected when is `actors/customer/correction.ts`.
 */
import { Schema } from "effect"
import { beyondForm, invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import { exampleId } from "../exampleId.ts"
import { withExample, withFlag } from "../model.ts"
import { isFutureDate } from "../decoding/dates.ts"
import { EmailAddress } from "../start/contact.ts"
import { Customer } from "../start/customer.ts"
import { memberOf } from "../decoding/record.ts"

const { dateOfBirth, firstName, lastName, mobile, title } = Customer.fields

/** Of two customers of a company none has the other's address: it is the mail to it by which a customer is known. */
const email = EmailAddress.annotate({
  title: "Email address",
  description: "Ends the customer's links and sessions, and mails a new link to this address"
})

const flags = {
  firstName: withFlag(firstName, "First name"),
  lastName: withFlag(lastName, "Last name"),
  title: withFlag(title, "Title"),
  dateOfBirth: withFlag(dateOfBirth, "Date of birth, YYYY-MM-DD"),
  mobile: withFlag(mobile, "Mobile number"),
  email: withFlag(email, "Email address; ends the customer's links and sessions, and mails a new link")
}

/** A birth date is not in the future, as at a start. */
const bornBy: BrokenRules = (body, { now }) => {
  const born = memberOf(body, "dateOfBirth")
  return typeof born === "string" && isFutureDate(born, now)
    ? [invalid("dateOfBirth", "must not be in the future")]
    : []
}

export const CustomerCorrection = Schema.Struct({
  ...flags,
  firstName: Schema.optionalKey(flags.firstName),
  lastName: Schema.optionalKey(flags.lastName),
  email: Schema.optionalKey(flags.email)
}).annotate({ identifier: "CustomerCorrection", [beyondForm]: bornBy })
export type CustomerCorrection = typeof CustomerCorrection.Type

export const CorrectedField = Schema.Literals(["firstName", "lastName", "title", "dateOfBirth", "mobile", "email"])
export type CorrectedField = typeof CorrectedField.Type

export const CorrectionResource = Schema.Struct({
  customerReference: withExample(Schema.String, exampleId("customer", 1)),
  corrected: Schema.Array(CorrectedField).annotate({ description: "The fields that have another value now" }),
  journeys: Schema.Int.annotate({ description: "The customer's journeys whose records were corrected" }),
  linksMailed: Schema.Int.annotate({ description: "The running journeys whose link was mailed anew" })
}).annotate({ identifier: "CorrectionResult" })
export type CorrectionResource = typeof CorrectionResource.Type

export const correctionExample: CorrectionResource = {
  customerReference: exampleId("customer", 1),
  corrected: ["mobile", "email"],
  journeys: 2,
  linksMailed: 1
}
