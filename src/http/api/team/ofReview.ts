/**
 * The review that a path names: what the endpoints about one review have in common. Which review a journey has is decided by the
 * journey's rules.
 */
import { Effect } from "effect"
import { Videos } from "../../../actors/checks/video/Videos.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { ReviewQueue, type FoundReview } from "../../../actors/review/ReviewQueue.ts"
import { EventIdParameter, naming } from "../../../schema/decoding/parameters.ts"
import { companyAsked, companyPath, notFound, ofCompany, type AsksForIds } from "../frame/ofCompany.ts"

export const reviewsPath = `${companyPath}/reviews` as const
export const reviewPath = `${reviewsPath}/:reviewId` as const
export const ofReview = {
  ...ofCompany,
  reviewId: EventIdParameter.annotate({ description: "The review's id", ...naming("review") })
}

/** The review of the path, with the id of the message that decides the review. */
export const reviewAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "reviewId">) {
  const company = yield* companyAsked(asked)
  const reviewId = yield* asked.path("reviewId")
  const messageId = derivedId(yield* Vault, "review", reviewId)
  const queue = yield* ReviewQueue
  const review = (yield* queue.find(company.id, reviewId, messageId)) ?? (yield* notFound("review"))
  return { company, companyId: company.id, messageId, review }
})

/** The video that waits for somebody to look at it. */
export const reviewVideo = Effect.fnUntraced(function* ({ isOpen, journey, kind }: FoundReview) {
  if (!isOpen || kind !== "VIDEO") return null
  const videos = yield* Videos
  return yield* videos.read(journey.id)
})
