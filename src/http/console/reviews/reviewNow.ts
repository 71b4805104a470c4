/**
 * What changes about a review while somebody looks at it: which colleagues have it open, too, and that it is over. The page says so at once, and
 * asks again while it is looked at, which tells the colleagues the same. It is a hint: the first decision stands, and what somebody
 * was typing stays on their page.
 */
import { Effect } from "effect"
import type { ReviewLooker, ReviewStanding } from "../../../schema/review/Review.ts"
import { reviewLookOperations } from "../../api/team/reviewLook.ts"
import { actorOf } from "../../server/endpoints/Asker.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { renewedPart } from "../frame/renewing.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const path = "/console/reviews/:reviewId/now" as const

type Named = Pick<ReviewLooker, "by" | "byName">

/** Of a member the address. */
const nameOf = ({ by, byName }: Named): Shown =>
  by.startsWith("member:") ? html`<bdi>${byName}</bdi>` : "the operator"

/** Those who have the review open, without whoever asks. */
export const othersOf = ({ asker }: CompanyUser, openedBy: ReadonlyArray<ReviewLooker>): ReadonlyArray<ReviewLooker> =>
  openedBy.filter(({ by }) => by !== actorOf(asker))

/** In a list of reviews. */
export const openedByShown = (others: ReadonlyArray<ReviewLooker>): Shown =>
  others.map((one) => html`<small class="looker">Open: ${nameOf(one)} since ${shownTime(one.since)}</small> `)

const decisions = { APPROVE: "Approved", REJECT: "Rejected", RESEND: "The check was resent" } as const

/** A review that is over has nothing to decide; what came of it is in the timeline. */
export const endShown = ({ decided }: Pick<ReviewStanding, "decided">): Html =>
  html`<strong>This review is over.</strong> ${
      decided === null
        ? "The journey has moved on without a decision of the team."
        : html`${decisions[decided.decision]} ${shownTime(decided.at)} by ${nameOf(decided)}.`
    }`

const others = (all: ReadonlyArray<ReviewLooker>): Shown =>
  all.map(
    (one) =>
      html`<p class="flash">
        <strong>${nameOf(one)} has this review open, too</strong>, since ${shownTime(one.since)}. The first decision
        stands.
      </p>`
  )

/** `id`: of the review. The page of a review that is open has this part once. */
const nowPart = (user: CompanyUser, id: string, standing: ReviewStanding): Html =>
  renewedPart({
    id: "review-now",
    path: `/console/reviews/${id}/now`,
    content: html`<div role="status">
      ${
        standing.open
          ? others(othersOf(user, standing.openedBy))
          : html`<p class="flash">
              ${endShown(standing)} What you have written here is not sent.
              <a href="/console/reviews/${id}">See it</a>
            </p>`
      }
    </div>`
  })

/** Says that whoever looks has the review open, and shows who else has. */
export const reviewNow = Effect.fnUntraced(function* (user: CompanyUser, reviewId: string) {
  const standing = yield* ask(reviewLookOperations, "lookAtReview", { path: { ...user.path, reviewId } })
  return nowPart(user, reviewId, standing)
})

export const reviewNowRoutes = [
  {
    method: "GET",
    path,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const content = yield* reviewNow(user, yield* pathPart("reviewId"))
        return yield* showPage(user, { heading: "The review now", content })
      })
    )
  }
] as const
