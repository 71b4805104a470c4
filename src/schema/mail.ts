/**
 * Mail to a company's administrator: the kinds there are, the facts each is written from, and a mail as the built-in
 * mailbox shows it. Facts hold no personal data and no secret: whom a mail goes to is looked up when it is sent.
 */
import { Schema } from "effect"
import { Mode } from "./company.ts"
import { PageQuery } from "./parameters.ts"
import { isTimestamp } from "./start/dates.ts"

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

/** What a mail says, before it is put into words. */
export const CompanyMail = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("ENDPOINT_FAILING"), facts: EndpointFailing }),
  Schema.Struct({ kind: Schema.Literal("ENDPOINT_OFF"), facts: EndpointOff })
])
export type CompanyMail = typeof CompanyMail.Type

export const CompanyMailKind = Schema.Literals(CompanyMail.members.map(({ fields }) => fields.kind.literal))
export type CompanyMailKind = typeof CompanyMailKind.Type

export const MailResource = Schema.Struct({
  id: Schema.String,
  kind: CompanyMailKind,
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
