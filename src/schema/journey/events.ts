/**
 * Every event that a webhook can carry (§6.4): when the event is sent, and whether the sandbox's simulate operation can force
 * it. The part before the dot is the event's group. Which row of the transition table emits an event, and what the body
 * holds, is decided elsewhere.
 */

interface CatalogueEntry {
  readonly when: string
  readonly simulatable: boolean
}

export const eventCatalogue = {
  "journey.created": { when: "The journey was accepted", simulatable: false },
  "journey.customer_face_replaced": { when: "The caller replaced the customer photo", simulatable: false },
  "journey.completed": { when: "The handover is complete; nothing more will happen", simulatable: false },
  "journey.cancelled": {
    when: "The journey ended without a handover: cancelled, declined, or the application could not be submitted",
    simulatable: false
  },
  "journey.expired": { when: "The customer did not finish in time", simulatable: false },
  "finance_enquiry.submitted": {
    when: "FINANCE_IDENTITY_DELIVERY only: the application was recorded (SUBMIT_VIA_MIRA: is being sent to the panel)",
    simulatable: false
  },
  "finance_enquiry.approved": { when: "Finance was approved", simulatable: true },
  "finance_enquiry.declined": { when: "Finance was declined; the journey is cancelled", simulatable: true },
  "finance_enquiry.referred": { when: "The lender referred the application, which stays pending", simulatable: true },
  "finance_enquiry.submission_failed": {
    when: "SUBMIT_VIA_MIRA only: the application could not be sent, data.reason says why; the journey is cancelled",
    simulatable: true
  },
  "identity.requested": { when: "The customer was asked to verify their identity", simulatable: false },
  "identity.verified": { when: "The customer's identity was verified", simulatable: true },
  "identity.under_review": { when: "The identity check needs a person to look at it", simulatable: true },
  "identity.failed": { when: "The identity check failed; the customer can try again", simulatable: true },
  "identity.unavailable": {
    when: "The identity check could not be started, data.reason says why; it continues once the team resends it",
    simulatable: false
  },
  "delivery.created": {
    when: "The handover exists; data.deliveryStatus says what the customer does first",
    simulatable: false
  },
  "delivery.location_confirmed": { when: "The customer confirmed the delivery address", simulatable: true },
  "delivery.awaiting_video": { when: "The customer can record the handover video", simulatable: true },
  "delivery.video_uploaded": { when: "The video arrived and is being checked", simulatable: true },
  "delivery.under_review": { when: "The video needs the team's review", simulatable: true },
  "delivery.completed": { when: "The handover was verified", simulatable: true },
  "delivery.cancelled": { when: "The handover was cancelled", simulatable: true },
  "delivery.expired": { when: "The handover window passed", simulatable: true },
  ping: { when: "The company pressed send test event in its settings", simulatable: false }
} as const satisfies Record<string, CatalogueEntry>

export type EventType = keyof typeof eventCatalogue

export const eventTypes = Object.keys(eventCatalogue) as ReadonlyArray<EventType>

/** The events that simulate accepts. */
export type SimulatableEvent = {
  [Type in EventType]: (typeof eventCatalogue)[Type]["simulatable"] extends true ? Type : never
}[EventType]

export const simulatableEvents = eventTypes.filter((type): type is SimulatableEvent => eventCatalogue[type].simulatable)
