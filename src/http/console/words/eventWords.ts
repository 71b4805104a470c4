/**
 * What has happened, for each event, in words for a company's people. What integrators read of an event is its line of the catalogue
 * (`schema/journey/events.ts`).
 */
import type { EventType } from "../../../schema/journey/events.ts"
import { html, type Html } from "../../server/html.ts"

export const eventWords: Readonly<Record<EventType, string>> = {
  "journey.created": "A journey was started",
  "journey.customer_face_replaced": "The seller sent another photo of the customer",
  "journey.completed": "The journey is complete",
  "journey.cancelled": "The journey ended without a handover",
  "journey.expired": "The customer's time ran out",
  "finance_enquiry.submitted": "The finance application was recorded",
  "finance_enquiry.approved": "Finance was approved",
  "finance_enquiry.declined": "Finance was declined",
  "finance_enquiry.referred": "The lender looks more closely at the finance application",
  "finance_enquiry.submission_failed": "The finance application could not be sent",
  "identity.requested": "The customer was asked for the identity check",
  "identity.verified": "The customer's identity was verified",
  "identity.under_review": "The identity check needs a person",
  "identity.failed": "The identity check failed",
  "identity.unavailable": "The identity check could not be started",
  "delivery.created": "The handover was created",
  "delivery.location_confirmed": "The customer confirmed the address",
  "delivery.awaiting_video": "The customer was asked for the handover video",
  "delivery.video_uploaded": "The video arrived",
  "delivery.under_review": "The video needs a person",
  "delivery.completed": "The handover was verified",
  "delivery.cancelled": "The handover was cancelled",
  "delivery.expired": "The handover window passed",
  ping: "A ping was sent"
}

/** An event in words, with its name beside; one of a newer version by its name alone. */
export const eventInWords = (type: string): Html => {
  const words = (eventWords as Readonly<Record<string, string>>)[type]
  return words === undefined ? html`<code>${type}</code>` : html`${words}<br /><small><code>${type}</code></small>`
}
