/**
 * The bodies of events as receivers read them (§6.2): one schema for each event type. The bodies themselves are written by
 * `actors/journey/rules/recordedEvent.ts`.
 */
import { Schema } from "effect"
import { eventCatalogue, eventTypes, type EventType } from "../../schema/journey/events.ts"
import { JourneyResource } from "../../schema/journey/resource.ts"
import {
  Assurance,
  DeliveryStatus,
  FinanceStatus,
  IdentityStatus,
  JourneyStatus,
  JourneyType,
  SubmissionFailure,
  UnavailableReason
} from "../../schema/journey/statuses.ts"

const { createdAt, customerReference, externalReference, id } = JourneyResource.fields

const ofJourney = {
  journeyId: id,
  journeyType: JourneyType,
  journeyStatus: JourneyStatus,
  externalReference,
  customerReference,
  deliveryStatus: Schema.optionalKey(DeliveryStatus.annotate({ description: "Once a handover exists" })),
  financeStatus: Schema.optionalKey(FinanceStatus.annotate({ description: "On FINANCE_IDENTITY_DELIVERY" })),
  identityStatus: Schema.optionalKey(
    IdentityStatus.annotate({
      description: "On FINANCE_IDENTITY_DELIVERY and IDENTITY_DELIVERY, once the check has been asked for"
    })
  )
}

const JourneyData = Schema.Struct(ofJourney).annotate({
  identifier: "EventData",
  description:
    "Ids and statuses only, never personal details: those of the journey after everything that happened with the event"
})

/** The `data` of the few events that differ from the rest (D8, W4, W15). */
const otherData: { readonly [Type in EventType]?: Schema.Codec<object> } = {
  "finance_enquiry.submission_failed": Schema.Struct({ ...ofJourney, reason: SubmissionFailure }).annotate({
    identifier: "SubmissionFailedData"
  }),
  "identity.verified": Schema.Struct({
    ...ofJourney,
    assurance: Schema.optionalKey(
      Assurance.annotate({
        description:
          "What the verification rests on, as in the journey's identity; events of earlier releases have none"
      })
    )
  }).annotate({ identifier: "IdentityVerifiedData" }),
  "identity.unavailable": Schema.Struct({ ...ofJourney, reason: UnavailableReason }).annotate({
    identifier: "IdentityUnavailableData"
  }),
  ping: Schema.Struct({
    endpointId: id.annotate({ description: "The webhook endpoint that was pinged, a UUID" })
  }).annotate({ identifier: "PingData" })
}

/** The name of a schema: JourneyCustomerFaceReplacedEvent for journey.customer_face_replaced. */
export const nameOf = (type: EventType): string =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`

const bodyOf = (type: EventType) =>
  Schema.Struct({
    id: id.annotate({ description: "The event's id, the same at every delivery of it: de-duplicate by it" }),
    type: Schema.Literal(type),
    apiVersion: Schema.String.annotate({ description: "The API's version when the event was made" }),
    livemode: Schema.Boolean,
    createdAt,
    data: otherData[type] ?? JourneyData
  }).annotate({ identifier: nameOf(type), description: eventCatalogue[type].when })

export const eventBodies = Object.fromEntries(eventTypes.map((type) => [type, bodyOf(type)])) as Readonly<
  Record<EventType, ReturnType<typeof bodyOf>>
>
