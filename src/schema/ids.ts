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

/** A company's webhook endpoint; a replaced endpoint is another one (W6). */
export const EndpointId = Schema.String.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

/** A clock of the sandbox, by which test journeys run. */
export const ClockId = Schema.String.pipe(Schema.brand("ClockId"))
export type ClockId = typeof ClockId.Type

/** An event of a journey (§6.2). A review has the id of the event that began the review. */
export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type
