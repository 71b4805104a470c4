/**
 * Every event that a webhook can carry (§6.4): what has happened, when the event is sent, and whether the sandbox can force
 * it by simulate. The part before the dot is the group of the event. Which row of the transition table emits an event, and what the body
 * holds, is decided elsewhere.
 */

interface CatalogueEntry {
  /** What has happened, as the company's people read it. */
  readonly happened: string
  /** When the event is sent, as integrators read it. */
  readonly when: string
  readonly simulatable: boolean
}

export const eventCatalogue = {
  "journey.created": { happened: "A journey was started", when: "The journey was accepted", simulatable: false },
  "journey.customer_face_replaced": {
    happened: "The seller sent another photo of the customer",
    when: "The caller replaced the customer photo",
    simulatable: false
  },
  "journey.completed": {
    happened: "The journey is complete",
    when: "The handover is complete; nothing more will happen",
    simulatable: false
  },
  "journey.cancelled": {
    happened: "The journey ended without a handover",
    when: "The journey ended without a handover: cancelled, declined, or the application could not be submitted",
    simulatable: false
  },
  "journey.expired": {
    happened: "The customer's time ran out",
    when: "The customer did not finish in time",
    simulatable: false
  },
  "finance_enquiry.submitted": {
    happened: "The finance application was recorded",
    when: "FINANCE_IDENTITY_DELIVERY only: the application was recorded (SUBMIT_VIA_MIRA: is being sent to the panel)",
    simulatable: false
  },
  "finance_enquiry.approved": { happened: "Finance was approved", when: "Finance was approved", simulatable: true },
  "finance_enquiry.declined": {
    happened: "Finance was declined",
    when: "Finance was declined; the journey is cancelled",
    simulatable: true
  },
  "finance_enquiry.referred": {
    happened: "The lender looks more closely at the finance application",
    when: "The lender referred the application, which stays pending",
    simulatable: true
  },
  "finance_enquiry.submission_failed": {
    happened: "The finance application could not be sent",
    when: "SUBMIT_VIA_MIRA only: the application could not be sent, data.reason says why; the journey is cancelled",
    simulatable: true
  },
  "identity.requested": {
    happened: "The customer was asked for the identity check",
    when: "The customer was asked to verify their identity",
    simulatable: false
  },
  "identity.verified": {
    happened: "The customer's identity was verified",
    when: "The customer's identity was verified",
    simulatable: true
  },
  "identity.under_review": {
    happened: "The identity check needs a person",
    when: "The identity check needs a person to look at it",
    simulatable: true
  },
  "identity.failed": {
    happened: "The identity check failed",
    when: "The identity check failed; the customer can try again",
    simulatable: true
  },
  "identity.unavailable": {
    happened: "The identity check could not be started",
    when: "The identity check could not be started, data.reason says why; it continues once the team resends it",
    simulatable: false
  },
  "delivery.created": {
    happened: "The handover was created",
    when: "The handover exists; data.deliveryStatus says what the customer does first",
    simulatable: false
  },
  "delivery.location_confirmed": {
    happened: "The customer confirmed the address",
    when: "The customer confirmed the delivery address",
    simulatable: true
  },
  "delivery.awaiting_video": {
    happened: "The customer was asked for the handover video",
    when: "The customer can record the handover video",
    simulatable: true
  },
  "delivery.video_uploaded": {
    happened: "The video arrived",
    when: "The video arrived and is being checked",
    simulatable: true
  },
  "delivery.under_review": {
    happened: "The video needs a person",
    when: "The video needs the team's review",
    simulatable: true
  },
  "delivery.completed": { happened: "The handover was verified", when: "The handover was verified", simulatable: true },
  "delivery.cancelled": {
    happened: "The handover was cancelled",
    when: "The handover was cancelled",
    simulatable: true
  },
  "delivery.expired": { happened: "The handover window passed", when: "The handover window passed", simulatable: true },
  ping: { happened: "A ping was sent", when: "The company pressed send test event in its settings", simulatable: false }
} as const satisfies Record<string, CatalogueEntry>

export type EventType = keyof typeof eventCatalogue

export const eventTypes = Object.keys(eventCatalogue) as ReadonlyArray<EventType>

/** The events that simulate accepts. */
export type SimulatableEvent = {
  [Type in EventType]: (typeof eventCatalogue)[Type]["simulatable"] extends true ? Type : never
}[EventType]

export const simulatableEvents = eventTypes.filter((type): type is SimulatableEvent => eventCatalogue[type].simulatable)
