/**
 * What waits for a company's team: the queue, one review, and the decision. Two reviewers cannot both decide: the id of the
 * message to the journey follows from the review, so the journey takes one message. Its photos are in `reviewMedia.ts`.
 */
import { Clock, Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { ProviderResults } from "../../../actors/checks/identity/ProviderResults.ts"
import { CustomerNames, fullName, type NamedCustomer } from "../../../actors/customer/CustomerNames.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { attemptsOf } from "../../../actors/journey/rules/reviewVerdict.ts"
import { customerReads } from "../../../actors/review/customerReads.ts"
import { messageOf, reasonsOfReview } from "../../../actors/review/review.ts"
import { ReviewPictures } from "../../../actors/review/ReviewPictures.ts"
import { ReviewQueue, type FoundReview, type Review } from "../../../actors/review/ReviewQueue.ts"
import type { Company } from "../../../schema/company/Company.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import type { CompanyId, EventId } from "../../../schema/ids.ts"
import type { Consent } from "../../../schema/journey/consents.ts"
import { typeOfShape } from "../../../schema/journey/statuses.ts"
import { timestamp } from "../../../schema/moment.ts"
import { IdempotencyKey } from "../../../schema/decoding/parameters.ts"
import type { CustomerReads } from "../../../schema/review/CustomerReads.ts"
import {
  BesideQuery,
  DecisionBody,
  ReviewQuery,
  ReviewResource,
  ReviewVerdict,
  ReviewWithPicturesResource
} from "../../../schema/review/Review.ts"
import { startedJourneys } from "../../documents/exampleJourneys.ts"
import { JourneyAnswer } from "../frame/journeyAnswer.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { askAsTeam, oneLook, orConflict, writeDown, writeDownNames } from "../frame/asTeam.ts"
import { fingerprintOf, optionalIdempotencyKey } from "../frame/asCaller.ts"
import { holdForCustomer } from "./holdForCustomer.ts"
import { decisionOf, exampleLooker, lookersOf } from "./reviewLook.ts"
import { companyAsked, ofCompany, pages } from "../frame/ofCompany.ts"
import { ofReview, reviewAsked, reviewPath, reviewsPath, reviewVideo } from "./ofReview.ts"
import { checkFor } from "./team.ts"
import { modeOf } from "../../../schema/Mode.ts"

/** Where a review is opened; the paths of its photos and its video lie below. */
const pathOf = (companyId: CompanyId, reviewId: EventId) => `/settings/v1/companies/${companyId}/reviews/${reviewId}`

const reviewId = exampleId("event", 4)

const example: ReviewResource = {
  id: reviewId,
  kind: "IDENTITY",
  mode: "LIVE",
  since: "2026-01-15T10:31:07.218Z",
  journeyId: exampleId("journey", 1),
  journeyType: "IDENTITY_DELIVERY",
  externalReference: "deal-1001",
  customerName: "Ann Buyer",
  registration: "AB12 CDE",
  attempts: 1,
  openedBy: [exampleLooker],
  reasons: ["FACES_UNCLEAR"]
}

const pictureExamples = (["document", "selfie"] as const).map((name) => ({
  name,
  path: `${pathOf(exampleId("company", 1), reviewId)}/pictures/${name}`
}))

const listReviews = HttpApiEndpoint.get("listReviews", reviewsPath, {
  params: ofCompany,
  query: ReviewQuery,
  success: pages("ReviewPage", ReviewResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List reviews",
    allowedTo: "TEAM",
    description: `What waits for the team, the longest waiting first, with the customers' names: identity checks and handover videos that no machine could decide, and checks that could not be started. A page with names is in the audit log as \`reviews.listed\`, with their number; the same page ${oneLook}.`,
    answer: pageAnswer("Reviews", example)
  })
)

const getReview = HttpApiEndpoint.get("getReview", reviewPath, {
  params: ofReview,
  query: BesideQuery,
  success: answerOf("ReviewAnswer", ReviewWithPicturesResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Get a review",
    allowedTo: "TEAM",
    description:
      "With the paths of the photos there are to look at, the page of the outside provider where it has one, and what the customer will read. Every read is in the audit log as `review.opened`.",
    answer: answer("The review", "Review", {
      ...example,
      open: true,
      decided: null,
      pictures: pictureExamples,
      reviewUrl: null,
      video: null,
      consents: {
        identity: { answer: "AGREED", notice: "identity-1-en", at: "2026-01-15T10:30:12.004Z", agreed: null },
        video: null
      },
      queue: { previous: null, next: exampleId("event", 5), waiting: 2 },
      customerReads: [
        {
          decision: "REJECT",
          language: "pl",
          page: [{ text: "Prosimy potwierdzić tożsamość jeszcze raz", english: "Please verify your identity again" }],
          showsReason: true,
          mails: []
        }
      ]
    })
  })
)

const decideReview = HttpApiEndpoint.post("decideReview", `${reviewPath}/decision`, {
  params: ofReview,
  headers: {
    "Idempotency-Key": Schema.optionalKey(
      IdempotencyKey.annotate({ description: "Optional: a decision repeated with the same key is taken once" })
    )
  },
  payload: DecisionBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "IDEMPOTENCY_KEY_REQUIRED", "CONFLICT")
}).annotateMerge(
  described({
    summary: "Decide a review",
    allowedTo: "TEAM",
    description:
      "APPROVE or REJECT an identity check or a video, with the reason. The first decision stands: whoever comes second hears CONFLICT. A check that is unavailable is not decided but resent.",
    request: jsonExample("The selfie shows the person of the document", {
      decision: "APPROVE",
      reason: "Same person; the document's photo is ten years old"
    } satisfies DecisionBody),
    answer: answer("The journey after it", "Review decided", startedJourneys.IDENTITY_DELIVERY)
  })
)

const resourceOf = (
  { id, journey, kind, since }: Review,
  customer: NamedCustomer | undefined,
  { isOpen = true, openedBy }: { readonly isOpen?: boolean; readonly openedBy: ReviewResource["openedBy"] }
): ReviewResource => ({
  id,
  kind,
  mode: modeOf(journey.livemode),
  since: timestamp(since),
  journeyId: journey.id,
  journeyType: typeOfShape[journey.shape],
  externalReference: journey.externalReference,
  customerName: customer === undefined ? null : fullName(customer),
  registration: customer?.registration ?? null,
  attempts: attemptsOf(journey, kind),
  openedBy,
  reasons: isOpen ? reasonsOfReview(journey, kind) : []
})

const shownConsent = (consent: Consent | undefined) =>
  consent === undefined
    ? null
    : {
        answer: consent.answer,
        notice: consent.notice,
        at: timestamp(consent.at),
        agreed:
          consent.agreed === undefined ? null : { notice: consent.agreed.notice, at: timestamp(consent.agreed.at) }
      }

const consentsOf = ({ consents = {} }: Review["journey"]): ReviewWithPicturesResource["consents"] => ({
  identity: shownConsent(consents.identity),
  video: shownConsent(consents.video)
})

/** The provider's page about the check that waits for somebody to look at it. */
const reviewUrlOf = Effect.fnUntraced(function* ({ isOpen, journey, kind }: FoundReview) {
  if (!isOpen || kind !== "IDENTITY") return null
  const results = yield* ProviderResults
  return yield* results.reviewUrl(journey.id)
})

/** What each decision that the team has now lets the customer read. */
const readsOf = (
  review: FoundReview,
  company: Company,
  customer: NamedCustomer | undefined,
  now: number
): ReadonlyArray<CustomerReads> => {
  const { isOpen, journey, kind } = review
  if (!isOpen || customer === undefined) return []
  const to = { ...customer, company: company.name, brand: company.brand }
  if (kind === "CHECK_UNAVAILABLE") {
    const message = { _tag: "TeamResendsCheck", check: checkFor(company, journey) } as const
    return [customerReads(journey, { decision: "RESEND", message }, to, now)]
  }
  return ReviewVerdict.literals.map((decision) =>
    customerReads(journey, { decision, message: messageOf({ ...review, kind }, decision, "") }, to, now)
  )
}

const decidedBefore = "Somebody else has decided this review"

export const reviewOperations = operatorResource([listReviews, getReview, decideReview], {
  listReviews: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { kind = null, mode = "LIVE", ...query } = yield* asked.query
      const page = pageAsked(query)
      const queue = yield* ReviewQueue
      const waiting = yield* queue.waiting({ companyId: id, livemode: mode === "LIVE", kind }, page)
      const named = yield* CustomerNames
      const names = yield* named.of(waiting.content.map(({ journey }) => journey.id))
      const lookers = yield* lookersOf(
        id,
        waiting.content.map((one) => one.id)
      )
      const shown = pageOf(page, waiting, (one) =>
        resourceOf(one, names.get(one.journey.id), { openedBy: lookers(one.id) })
      )
      yield* writeDownNames(id, "reviews.listed", shown.content.toReversed(), { mode })
      return shown
    }),

  getReview: (asked) =>
    Effect.gen(function* () {
      const { company, companyId, review } = yield* reviewAsked(asked)
      const { kind = null } = yield* asked.query
      const { journey } = review
      const named = yield* CustomerNames
      const customer = (yield* named.of([journey.id])).get(journey.id)
      if (customer !== undefined) {
        yield* writeDown(companyId, "review.opened", { journeyId: journey.id, reviewId: review.id })
      }
      const pictures = yield* ReviewPictures
      const names = review.isOpen ? yield* pictures.names(journey) : []
      const shownAt = pathOf(companyId, review.id)
      const openedBy = review.isOpen ? (yield* lookersOf(companyId, [review.id]))(review.id) : []
      return {
        ...resourceOf(review, customer, { isOpen: review.isOpen, openedBy }),
        open: review.isOpen,
        decided: yield* decisionOf(companyId, review.decided),
        pictures: names.map((name) => ({ name, path: `${shownAt}/pictures/${name}` })),
        reviewUrl: yield* reviewUrlOf(review),
        video: (yield* reviewVideo(review)) === null ? null : `${shownAt}/video`,
        consents: consentsOf(journey),
        queue: yield* (yield* ReviewQueue).beside({ companyId, livemode: journey.livemode, kind }, review.id),
        customerReads: readsOf(review, company, customer, yield* Clock.currentTimeMillis)
      }
    }),

  decideReview: (asked) =>
    Effect.gen(function* () {
      const { messageId, review } = yield* reviewAsked(asked)
      const key = yield* optionalIdempotencyKey(asked.request)
      const { decision, reason } = yield* asked.body
      const { journey, kind } = review
      if (kind === "CHECK_UNAVAILABLE") {
        return yield* problem("CONFLICT", "review", "A check that is unavailable is not decided but resent")
      }
      // Asked once more, the journey knows whether it has handled this request; another message would be about a later review.
      if (!review.isOpen && review.taken === null) {
        return yield* problem("CONFLICT", "review", "The review is over: the journey has moved on")
      }
      // Without a key every request is a request of its own.
      const fingerprint = yield* fingerprintOf(`${key ?? (yield* Ids).unguessable()}\n${decision}\n${reason}`)
      return yield* askAsTeam(journey, {
        messageId,
        message: messageOf({ ...review, kind }, decision, fingerprint),
        note: reason,
        action: "review.decided",
        details: { reviewId: review.id, kind, decision }
      }).pipe(
        Effect.tap(holdForCustomer(journey)),
        Effect.map((resource) => success(200, resource, "Review decided")),
        Effect.catchTag("JourneyRefused", orConflict(decidedBefore))
      )
    })
})
