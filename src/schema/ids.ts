/**
 * The ids of the things that the service keeps. Each has a type of its own, so that the compiler refuses the id of one thing
 * where the id of another is asked for. An id is branded where it is made, where it is decoded from a row or a request, and
 * nowhere else. How an id looks from outside is said by the field that shows it.
 */
import { Schema } from "effect"

/** A journey (§2.2). */
export const JourneyId = Schema.String.pipe(Schema.brand("JourneyId"))
export type JourneyId = typeof JourneyId.Type

/** A dealer or a finance broker. */
export const CompanyId = Schema.String.pipe(Schema.brand("CompanyId"))
export type CompanyId = typeof CompanyId.Type

/** A member of a company: somebody who is a member of two companies has two. */
export const MemberId = Schema.String.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

/** A session of the console, of a member or of the operator. */
export const ConsoleSessionId = Schema.String.pipe(Schema.brand("ConsoleSessionId"))
export type ConsoleSessionId = typeof ConsoleSessionId.Type

/** A session in which a customer uses the app. */
export const CustomerSessionId = Schema.String.pipe(Schema.brand("CustomerSessionId"))
export type CustomerSessionId = typeof CustomerSessionId.Type

/** A passkey of a member. Its authenticator knows the passkey by another id, the credential's. */
export const PasskeyId = Schema.String.pipe(Schema.brand("PasskeyId"))
export type PasskeyId = typeof PasskeyId.Type

/** An API key of a company. */
export const ApiKeyId = Schema.String.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** A company's webhook endpoint; a replaced endpoint is another one (W6). */
export const EndpointId = Schema.String.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

/** A clock of the sandbox, by which test journeys run. */
export const ClockId = Schema.String.pipe(Schema.brand("ClockId"))
export type ClockId = typeof ClockId.Type

/** An advance of a test clock that was asked for with an Idempotency-Key. It follows from the clock and the key. */
export const AdvanceId = Schema.String.pipe(Schema.brand("AdvanceId"))
export type AdvanceId = typeof AdvanceId.Type

/** An event of a journey (§6.2). A review has the id of the event that began the review. */
export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** A mail that the service owes, has sent or keeps. It is the first part of the mail's Message-ID. */
export const MailId = Schema.String.pipe(Schema.brand("MailId"))
export type MailId = typeof MailId.Type

/** An attempt at the identity check that the service makes itself. The message about the attempt has the attempt's id. */
export const AttemptId = Schema.String.pipe(Schema.brand("AttemptId"))
export type AttemptId = typeof AttemptId.Type

/** An identity check that an outside provider was asked for. The provider knows the check by this id. */
export const CheckId = Schema.String.pipe(Schema.brand("CheckId"))
export type CheckId = typeof CheckId.Type
