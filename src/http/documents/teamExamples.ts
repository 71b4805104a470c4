/** Example requests and answers of the team's part of the settings API. Everything in them is invented. */
import type { DecisionBody, ReviewResource, ReviewWithPicturesResource } from "../../schema/review/Review.ts"
import type { TimelineEntryResource } from "../../schema/journey/timeline.ts"
import { answered, pageOf, type Answer, type Answers, type Requests } from "../server/exampleAnswer.ts"
import { exampleId } from "../../schema/exampleId.ts"
import { startedJourneys } from "./exampleJourneys.ts"
import { ErasureResource } from "../../schema/company/Erasure.ts"
import { exampleOf } from "../../schema/model.ts"

const at = "2026-01-15T10:31:07.218Z"
const later = "2026-01-15T10:31:09.044Z"
const companyId = exampleId("company", 1)
const journeyId = exampleId("journey", 1)

const review: ReviewResource = {
  id: exampleId("event", 4),
  kind: "IDENTITY",
  mode: "LIVE",
  since: at,
  journeyId,
  journeyType: "IDENTITY_DELIVERY",
  externalReference: "deal-1001",
  attempts: 1
}

const path = `/settings/v1/companies/${companyId}/reviews/${review.id}/pictures`
const whole: ReviewWithPicturesResource = {
  ...review,
  open: true,
  pictures: [
    { name: "document", path: `${path}/document` },
    { name: "selfie", path: `${path}/selfie` }
  ],
  video: null
}

const entry: TimelineEntryResource = {
  version: 2,
  at,
  sender: "identity",
  message: "IdentityUnderReview",
  details: { check: 1 },
  note: null,
  statuses: {
    journeyStatus: "ACTIVE",
    financeStatus: null,
    identityStatus: "UNDER_REVIEW",
    deliveryStatus: null
  },
  events: [
    {
      id: review.id,
      type: "identity.under_review",
      sequence: 3,
      createdAt: at,
      delivery: { status: "DELIVERED", attempts: 1, nextAttemptAt: null, deliveredAt: later }
    }
  ],
  mails: [
    {
      id: exampleId("mail", 2),
      kind: "REVIEW_NEEDED",
      state: "SENT",
      tries: 1,
      createdAt: at,
      nextTryAt: null,
      sentAt: later
    }
  ],
  vehicle: null
}

const one = (description: string, message: string, data: unknown): Answer => ({
  description,
  examples: { Example: answered(description, message, data) }
})

const page = (message: string, ...content: ReadonlyArray<unknown>) => ({
  200: one("One page of the list", message, pageOf(content))
})

const journey = (description: string, message: string, data: unknown) => ({ 200: one(description, message, data) })

export const teamAnswers: Answers = {
  listReviews: page("Reviews", review),
  getReview: { 200: one("The review", "Review", whole) },
  getPicture: { 200: { description: "The photo", examples: {} } },
  getReviewVideo: { 200: { description: "The video", examples: {} } },
  decideReview: journey("The journey after it", "Review decided", startedJourneys.IDENTITY_DELIVERY),
  resendCheck: journey("The journey after it", "Check resent", startedJourneys.IDENTITY_DELIVERY),
  resendLink: journey("The journey as it is", "Link mailed", startedJourneys.IDENTITY_DELIVERY),
  cancelHandover: journey("The journey, ended", "Handover cancelled", {
    ...startedJourneys.IDENTITY_DELIVERY,
    status: "CANCELLED",
    nextAction: null
  }),
  getTimeline: page("Timeline", entry),
  eraseCustomer: { 200: one("How far the erasure is", "Customer erased", exampleOf(ErasureResource)) }
}

const json = (summary: string, value: unknown) => ({ "application/json": { Example: { summary, value } } })

export const teamRequests: Requests = {
  decideReview: json("The selfie shows the person of the document", {
    decision: "APPROVE",
    reason: "Same person; the document's photo is ten years old"
  } satisfies DecisionBody)
}
