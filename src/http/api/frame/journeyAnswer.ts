/**
 * The journey in the answers of the API, one form for each journey type (R1): only a finance journey has `finance`, and a
 * DELIVERY has no `identity`. The members come from `schema/journey/resource.ts`; this file narrows and explains them.
 */
import { Schema } from "effect"
import {
  DeliveryResource,
  FinanceResource,
  IdentityResource,
  JourneyPage,
  JourneyResource
} from "../../../schema/journey/resource.ts"
import { echoedFields } from "../../../schema/journey/echoed.ts"
import { customerSteps, nextActionOf } from "../../../schema/journey/steps.ts"
import { answerOf } from "../../server/answers/envelope.ts"

const { fields } = JourneyResource

const common = {
  id: fields.id.annotate({ description: "The journey's id, a UUID" }),
  status: fields.status.annotate({
    description: "ACTIVE until the journey has ended; an ended journey never changes again"
  }),
  livemode: fields.livemode.annotate({ description: "false for journeys of the sandbox" }),
  ...echoedFields,
  customerReference: fields.customerReference.annotate({
    description: "The service's own identifier of the customer, the same in all journeys of one company and mode"
  }),
  nextAction: fields.nextAction.annotate({
    description: [
      "What the journey waits for. Null when it waits for nothing: on every journey that has ended, and while a video is being checked.",
      "",
      "- `SEND_FINANCE_DECISION`: you must send the lender's decision (ALREADY_SUBMITTED)",
      "- `AWAITING_LENDER_DECISION`: the finance panel must decide (SUBMIT_VIA_MIRA)",
      `- ${customerSteps.map((step) => `\`${nextActionOf(step)}\``).join(", ")}: the customer's step in the app`,
      "- `IDENTITY_UNDER_REVIEW`: a reviewer has the identity check",
      "- `DEALER_TO_REVIEW`: the company's team must look at an identity check or a video",
      "- `HANDOVER_BEING_CREATED`: finance and identity are done, the handover is being set up"
    ].join("\n")
  }),
  createdAt: fields.createdAt
}

const Finance = FinanceResource.annotate({
  identifier: "JourneyFinance",
  description: "The finance application; SUBMITTED and REFERRED both mean that it is pending"
})

const Identity = IdentityResource.annotate({
  identifier: "JourneyIdentity",
  description: "The identity check; its status is null until the customer has been asked"
})

const Handover = DeliveryResource.annotate({
  identifier: "JourneyDelivery",
  description: "The handover. On a cash sale its status shows the identity check as well"
})

const delivery = Schema.NullOr(Handover).annotate({ description: "Null until a handover exists" })
const noFinance = Schema.Null.annotate({ description: "Always null on this type" })

const Journey = Schema.Union([
  Schema.Struct({
    ...common,
    type: Schema.Literal("FINANCE_IDENTITY_DELIVERY"),
    finance: Finance,
    identity: Identity,
    delivery
  }).annotate({ identifier: "FinanceIdentityDeliveryJourney", title: "FINANCE_IDENTITY_DELIVERY" }),
  Schema.Struct({
    ...common,
    type: Schema.Literal("IDENTITY_DELIVERY"),
    finance: noFinance,
    identity: Identity,
    delivery
  }).annotate({ identifier: "IdentityDeliveryJourney", title: "IDENTITY_DELIVERY" }),
  Schema.Struct({
    ...common,
    type: Schema.Literal("DELIVERY"),
    finance: noFinance,
    delivery
  }).annotate({
    identifier: "DeliveryJourney",
    title: "DELIVERY",
    description: "Has no member identity; delivery.saleType tells a cash sale from a finance sale"
  })
]).annotate({ identifier: "Journey", description: "One vehicle-sale journey" })

export const JourneyAnswer = answerOf("JourneyAnswer", Journey)
const { page, totalElements, totalIsLowerBound, totalPages } = JourneyPage.fields

/** A list that is asked for with `after` has no pages and is not counted. */
export const JourneyPageAnswer = answerOf(
  "JourneyPageAnswer",
  Schema.Struct({
    content: Schema.Array(Journey),
    size: JourneyPage.fields.size,
    next: Schema.NullOr(Schema.String).annotate({
      description: "Pass it as `after`, with the same filters, to go on; null when nothing follows"
    }),
    page: Schema.optionalKey(page.annotate({ description: "Unless you asked with `after`" })),
    totalElements: Schema.optionalKey(totalElements),
    totalIsLowerBound,
    totalPages: Schema.optionalKey(totalPages)
  }).annotate({ identifier: "JourneyPage" })
)

/**
 * A journey as its type shows it. `projection.ts` fills the members in one form for all types, so the narrower type is
 * beyond the compiler; the tests of the live answers hold the two together.
 */
export const asTyped = (journey: JourneyResource): typeof Journey.Type => journey as typeof Journey.Type
