/**
 * The kinds of mail that the service writes, and the facts from which each mail is worded. Facts hold no personal data and
 * no secret: recipient and names are looked up when the mail is sent. A kind that is added to a list here is a compile
 * error until `actors/mail/wording` words it and `actors/mail/writers/isStale.ts` says when it is out of date.
 *
 * | list                | goes to                     | is owed by             | has a link                  |
 * |---------------------|-----------------------------|------------------------|-----------------------------|
 * | `EndpointMail`      | each of the company's owners | the endpoint's actor   | to the endpoint's page      |
 * | `StandingMail`      | each of the company's owners | the postman            | to the company's page       |
 * | `AccessMail`        | each of the company's owners, and the member it is about | the stores, with a line of the audit log | to the audit log |
 * | `CustomerMail`      | the customer                | the journey            | if it asks for a step       |
 * | `TeamMail`          | each member who wants it    | the journey            | to the page of the console  |
 * | `MemberMail`        | a member of the company     | the members' store    | yes, to sign in             |
 * | `MemberRemoved`     | who was a member            | the members' store    | no                          |
 * | `DealerMail`        | each member of the named dealer who wants it | the journey's start or commit | to the page of the handover |
 * | `MailUndelivered`   | each member who wants it    | the postman            | to the journey's page       |
 */
import { Schema } from "effect"
import { isTimestamp } from "../decoding/dates.ts"
import { customerSteps, Reminder } from "../journey/steps.ts"
import { Role } from "../members/Role.ts"
import { Mode } from "../Mode.ts"
import { MemberId } from "../ids.ts"

const Instant = Schema.String.check(Schema.makeFilter(isTimestamp, { expected: "a timestamp" }))

const endpoint = {
  endpointId: Schema.String,
  mode: Mode,
  /** Only the origin of the endpoint's URL: the path and the query may hold a secret of the receiver. */
  url: Schema.String,
  /** The first failure since an event last reached the endpoint. */
  failingSince: Instant
}

/** No event has reached an endpoint for this many hours; the endpoint is still on. */
export const EndpointFailing = Schema.Struct({ ...endpoint, hours: Schema.Int })
export type EndpointFailing = typeof EndpointFailing.Type

/** An endpoint was turned off because no event reached it (§6.3.6). `parked`: the deliveries that were waiting then. */
export const EndpointOff = Schema.Struct({ ...endpoint, offSince: Instant, parked: Schema.optionalKey(Schema.Int) })
export type EndpointOff = typeof EndpointOff.Type

export const EndpointMail = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("ENDPOINT_FAILING"), facts: EndpointFailing }),
  Schema.Struct({ kind: Schema.Literal("ENDPOINT_OFF"), facts: EndpointOff })
])
export type EndpointMail = typeof EndpointMail.Type

/** What becomes of the mail that the company sends to others (decision M9). */
const StandingMail = Schema.Union([
  /** The company has had its mails of the day; `perDay` is how many they are. */
  Schema.Struct({ kind: Schema.Literal("MAIL_LIMITED"), facts: Schema.Struct({ perDay: Schema.Int }) }),
  /** Of so many mails of a day so many were refused, bounced or complained of. */
  Schema.Struct({
    kind: Schema.Literal("MAIL_STOPPED"),
    facts: Schema.Struct({ mails: Schema.Int, returned: Schema.Int })
  })
])
export type StandingMail = typeof StandingMail.Type

/**
 * API keys, members, webhook endpoints or passkeys of the company were changed (decision M10). The mail tells the changes that the
 * audit log has from `from` on and before `until`.
 */
const AccessMail = Schema.Struct({
  kind: Schema.Literal("ACCESS_CHANGED"),
  facts: Schema.Struct({ from: Instant, until: Instant })
})
export type AccessMail = typeof AccessMail.Type

const CompanyMail = Schema.Union([...EndpointMail.members, ...StandingMail.members, AccessMail])

/** The kinds that are named as a customer's step ask for that step, and their link opens it (§1). */
export const CustomerMailKind = Schema.Literals([
  "WELCOME",
  ...customerSteps,
  "FINANCE_APPROVED",
  "FINANCE_UPDATED",
  "HANDOVER_COMPLETE"
])
export type CustomerMailKind = typeof CustomerMailKind.Type

const TeamMailKind = Schema.Literals(["REVIEW_NEEDED", "CHECK_UNAVAILABLE", "SUBMISSION_FAILED"])
export type TeamMailKind = typeof TeamMailKind.Type

/** The kinds that journeys owe. */
export const JourneyMailKind = Schema.Literals([...CustomerMailKind.literals, ...TeamMailKind.literals])
export type JourneyMailKind = typeof JourneyMailKind.Type

/**
 * `again`: the customer has tried the step before. `reminder`: the customer was asked for the step before, and which
 * reminder of that ask it is; `until`: when the customer's time for it ends, in epoch milliseconds. `attempt` counts how often the journey has asked for the step. `waits`: the mail
 * leaves when the customer has left the page that asks for the same. `newLink`: somebody has asked for another link of the step.
 */
const JourneyMailFacts = Schema.Struct({
  again: Schema.Boolean,
  reminder: Schema.optionalKey(Reminder),
  until: Schema.optionalKey(Schema.Finite),
  attempt: Schema.optionalKey(Schema.Int),
  waits: Schema.optionalKey(Schema.Boolean),
  newLink: Schema.optionalKey(Schema.Boolean)
})

export const CustomerMail = Schema.Struct({ kind: CustomerMailKind, facts: JourneyMailFacts })
export type CustomerMail = typeof CustomerMail.Type
const TeamMail = Schema.Struct({ kind: TeamMailKind, facts: JourneyMailFacts })

const MemberMail = Schema.Union([
  /** `by`: who invites, as the audit log names them. */
  Schema.Struct({
    kind: Schema.Literal("INVITATION"),
    facts: Schema.Struct({ memberId: MemberId, by: Schema.String })
  }),
  /** The member who was seen last of all that have the address which asked. */
  Schema.Struct({
    kind: Schema.Literal("SIGN_IN"),
    facts: Schema.Struct({ memberId: MemberId, askedAt: Instant })
  })
])
export type MemberMail = typeof MemberMail.Type

/** Somebody is no member any more (decision M10). `by`: who removed them, as the audit log names them. */
const MemberRemoved = Schema.Struct({
  kind: Schema.Literal("MEMBER_REMOVED"),
  facts: Schema.Struct({ by: Schema.String, role: Role })
})
export type MemberRemoved = typeof MemberRemoved.Type

/** A broker has named the mail's company as the dealer of a handover, which exists now (decision M11). */
const DealerMail = Schema.Struct({ kind: Schema.Literal("DEALER_NAMED"), facts: Schema.Struct({}) })

/** A mail of the kind `mail` did not reach a customer (decision M7). */
const MailUndelivered = Schema.Struct({
  kind: Schema.Literal("MAIL_UNDELIVERED"),
  facts: Schema.Struct({ mail: CustomerMailKind })
})

/** A mail before it is worded. */
export const Mail = Schema.Union([
  ...CompanyMail.members,
  ...MemberMail.members,
  MemberRemoved,
  CustomerMail,
  TeamMail,
  DealerMail,
  MailUndelivered
])
export type Mail = typeof Mail.Type

export const MailKind = Schema.Literals([
  ...CompanyMail.members.map(({ fields }) => fields.kind.literal),
  ...MemberMail.members.map(({ fields }) => fields.kind.literal),
  MemberRemoved.fields.kind.literal,
  ...JourneyMailKind.literals,
  DealerMail.fields.kind.literal,
  MailUndelivered.fields.kind.literal
])
export type MailKind = typeof MailKind.Type

export const isCustomerMail = Schema.is(CustomerMailKind)

export const isMemberMail = Schema.is(Schema.Literals(MemberMail.members.map(({ fields }) => fields.kind.literal)))
export const customerMailKinds = CustomerMailKind.literals

/** Mail to people who have not asked the service for it: it counts as the company's, and stops with it (decision M9). */
export const mailToOthers = [...customerMailKinds, "INVITATION"] as const
export const isMailToOthers = Schema.is(Schema.Literals(mailToOthers))
