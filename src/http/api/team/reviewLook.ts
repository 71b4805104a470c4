/**
 * Who has a review open: a page that shows a review says so again and again, and hears who else has it open and whether it is decided. It is
 * a hint, so that two do not work on one review: it forbids nobody to decide.
 */
import { Duration, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { formerMember } from "../../../actors/members/memberActor.ts"
import { decisionIn } from "../../../actors/review/review.ts"
import { ReviewLooks } from "../../../actors/review/ReviewLooks.ts"
import type { DecidedReview } from "../../../actors/review/ReviewQueue.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import type { CompanyId, EventId } from "../../../schema/ids.ts"
import { timestamp } from "../../../schema/moment.ts"
import { reviewLimits } from "../../../schema/review/limits.ts"
import { ReviewStanding, type ReviewLooker } from "../../../schema/review/Review.ts"
import { actorOf, Asker } from "../../server/endpoints/Asker.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { actorNames } from "../frame/actorNames.ts"
import { ofReview, reviewAsked, reviewPath } from "./ofReview.ts"

export const exampleLooker: ReviewLooker = {
  by: `member:${exampleId("member", 2)}`,
  byName: "bob@harbourcars.example",
  since: "2026-01-15T11:02:41.930Z"
}

const lookAtReview = HttpApiEndpoint.post("lookAtReview", `${reviewPath}/look`, {
  params: ofReview,
  success: answerOf("ReviewStandingAnswer", ReviewStanding),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Have a review open",
    allowedTo: "TEAM",
    description: `Says that the asker has the review open, and answers who has, the asker included. Whoever has not said so for ${Duration.toMinutes(reviewLimits.lookLasts)} minutes has it open no more. It changes nothing else, shows nothing of the customer and is in no log.`,
    answer: answer("How the review stands", "Review", { open: true, decided: null, openedBy: [exampleLooker] })
  })
)

/** Who has reviews open at this moment: the function gives those of one of them. Whoever was removed from the company is left out. */
export const lookersOf = Effect.fnUntraced(function* (companyId: CompanyId, reviewIds: ReadonlyArray<EventId>) {
  const looks = yield* (yield* ReviewLooks).of(companyId, reviewIds)
  const nameOf = yield* actorNames(
    companyId,
    [...looks.values()].flat().map(({ actor }) => actor)
  )
  return (reviewId: EventId): ReadonlyArray<ReviewLooker> =>
    (looks.get(reviewId) ?? []).flatMap(({ actor, since }) => {
      const byName = nameOf(actor)
      return byName === null ? [] : [{ by: actor, byName, since: timestamp(since) }]
    })
})

/** What the team decided, and who. */
export const decisionOf = Effect.fnUntraced(function* (companyId: CompanyId, decided: DecidedReview | null) {
  if (decided === null) return null
  const { at, message, sender } = decided
  const nameOf = yield* actorNames(companyId, [sender])
  return { decision: decisionIn(message), at: timestamp(at), by: sender, byName: nameOf(sender) ?? formerMember }
})

export const reviewLookOperations = operatorResource([lookAtReview], {
  lookAtReview: (asked) =>
    Effect.gen(function* () {
      const { companyId, review } = yield* reviewAsked(asked)
      const decided = yield* decisionOf(companyId, review.decided)
      if (!review.isOpen) return { open: false, decided, openedBy: [] }
      yield* (yield* ReviewLooks).open(companyId, review.id, actorOf(yield* Asker))
      return { open: true, decided, openedBy: (yield* lookersOf(companyId, [review.id]))(review.id) }
    })
})
