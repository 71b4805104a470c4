/**
 * Mail the service writes: the kinds there are, the facts each is written from, and a mail as the built-in mailbox
 * shows it. Facts hold no personal data and no secret: whom a mail goes to, and by what name, is looked up when it is
 * sent.
 */
import { Schema } from "effect"
import { Mode } from "../company/Company.ts"
import { customerSteps } from "../journey/steps.ts"
import { PageQuery } from "../parameters.ts"
import { isTimestamp } from "../start/dates.ts"

const Instant = Schema.String.check(Schema.makeFilter(isTimestamp, { expected: "an RFC 3339 timestamp" }))

const endpoint = {
  endpointId: Schema.String,
  mode: Mode,
  /** Only the origin of the endpoint's URL: its path and query may hold a secret of the receiver's. */
  url: Schema.String,
  /** The first failure since anything reached it. */
  failingSince: Instant
}

/** Nothing has reached an endpoint for so many hours; it is still on. */
export const EndpointFailing = Schema.Struct({ ...endpoint, hours: Schema.Int })
export type EndpointFailing = typeof EndpointFailing.Type

/** An endpoint was turned off because nothing reached it (§6.3.6); `parked`: deliveries that were waiting then. */
export const EndpointOff = Schema.Struct({ ...endpoint, offSince: Instant, parked: Schema.optionalKey(Schema.Int) })
export type EndpointOff = typeof EndpointOff.Type

/** Mail to a company's administrator about an endpoint. */
export const CompanyMail = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("ENDPOINT_FAILING"), facts: EndpointFailing }),
  Schema.Struct({ kind: Schema.Literal("ENDPOINT_OFF"), facts: EndpointOff })
])
export type CompanyMail = typeof CompanyMail.Type

/** A mail that asks for a step bears the step's name; its link opens the step in the app (§1). */
const CustomerMailKind = Schema.Literals([
  "WELCOME",
  ...customerSteps,
  "FINANCE_APPROVED",
  "FINANCE_UPDATED",
  "HANDOVER_COMPLETE"
])
export type CustomerMailKind = typeof CustomerMailKind.Type

/** What journeys tell the company's team. */
const TeamMailKind = Schema.Literals(["REVIEW_NEEDED", "CHECK_UNAVAILABLE", "SUBMISSION_FAILED"])
export type TeamMailKind = typeof TeamMailKind.Type

/** What journeys owe. */
export const JourneyMailKind = Schema.Literals([...CustomerMailKind.literals, ...TeamMailKind.literals])
export type JourneyMailKind = typeof JourneyMailKind.Type

/** `again`: the customer has tried the step before. `attempt`: which asking of the step it is. */
const JourneyMailFacts = Schema.Struct({ again: Schema.Boolean, attempt: Schema.optionalKey(Schema.Int) })

/** Mail that a journey itself owes, to its customer or to the company's team. */
const CustomerMail = Schema.Struct({ kind: CustomerMailKind, facts: JourneyMailFacts })
export type CustomerMail = typeof CustomerMail.Type
const TeamMail = Schema.Struct({ kind: TeamMailKind, facts: JourneyMailFacts })

/** A customer's mail did not reach them (decision M7); `mail` says which. Owed by the postman, to the team. */
const MailUndelivered = Schema.Struct({
  kind: Schema.Literal("MAIL_UNDELIVERED"),
  facts: Schema.Struct({ mail: CustomerMailKind })
})

/** What a mail says, before it is put into words. */
export const Mail = Schema.Union([...CompanyMail.members, CustomerMail, TeamMail, MailUndelivered])
export type Mail = typeof Mail.Type

export const MailKind = Schema.Literals([
  ...CompanyMail.members.map(({ fields }) => fields.kind.literal),
  ...JourneyMailKind.literals,
  MailUndelivered.fields.kind.literal
])
export type MailKind = typeof MailKind.Type

export const isCustomerMail = Schema.is(CustomerMailKind)
export const customerMailKinds = CustomerMailKind.literals

export const MailResource = Schema.Struct({
  id: Schema.String,
  kind: MailKind,
  companyId: Schema.String,
  /** Null for a mail that is about no journey. */
  journeyId: Schema.NullOr(Schema.String),
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  createdAt: Schema.String
}).annotate({ identifier: "Mail" })
export type MailResource = typeof MailResource.Type

/** Characters of an address; no company or customer has a longer one. */
export const longestAddress = 255

export const MailQuery = Schema.Struct({
  to: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(longestAddress)).annotate({
      description: "Only mail to this address, upper and lower case alike"
    })
  ),
  journeyId: Schema.optionalKey(
    Schema.String.annotate({ format: "uuid", description: "Only mail about this journey" })
  ),
  ...PageQuery.fields
})
