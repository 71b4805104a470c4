/**
 * One review, /console/reviews/{id}: the evidence, the case file beside it, and the decision. Opening it is a look of the kind
 * "review". After a decision the next review that still waits is shown; whoever comes second is told that somebody else has decided.
 */
import { Effect, Schema } from "effect"
import { ReviewQueue } from "../../../actors/review/ReviewQueue.ts"
import { EventId } from "../../../schema/ids.ts"
import { ReviewKind } from "../../../schema/journey/ReviewKind.ts"
import type { JourneyResource } from "../../../schema/journey/resource.ts"
import type { CaseFileResource } from "../../../schema/review/CaseFile.ts"
import type { ReviewWithPicturesResource } from "../../../schema/review/Review.ts"
import { caseOperations } from "../../api/team/cases.ts"
import { reviewOperations } from "../../api/team/reviews.ts"
import { teamOperations } from "../../api/team/team.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import type { Problem } from "../../server/answers/problems.ts"
import { picturesPath, readyReasonsPath, reviewKeysPath } from "../frame/assets.ts"
import { caseSections, section } from "../cases/caseParts.ts"
import { casePathOf, figure, framesBesideReference, player } from "../cases/casePictures.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { withQuery } from "../frame/lists.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { renewScripts } from "../frame/renewing.ts"
import { pictureNames, reasonInWords, reviewKindNames } from "../words/reasonWords.ts"
import { heldNote, holdReview } from "../cases/holdReview.ts"
import { endShown, reviewNow } from "./reviewNow.ts"
import { decisionForms, reasonIn, type RefusedDecision } from "./reviewDecision.ts"
import { keysHelp } from "./reviewKeys.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const queuePath = "/console/reviews"
const path = "/console/reviews/:reviewId" as const

const photo = (review: ReviewWithPicturesResource, name: ReviewWithPicturesResource["pictures"][number]["name"]) =>
  figure(`${queuePath}/${review.id}/pictures/${name}`, pictureNames[name], pictureNames[name])

const nothingKept = "Nothing is kept of it: check the customer in another way, or let them try again."
const nothingInTest =
  "Nothing: the sandbox made this review, and nobody took a photo or a video. Decide as you like, and see what follows."

/** What there is to look at while the review waits. */
const evidence = (review: ReviewWithPicturesResource, file: CaseFileResource): Shown => {
  if (review.kind === "CHECK_UNAVAILABLE") return null
  const photos = review.pictures.map(({ name }) => photo(review, name))
  const nothing = photos.length === 0 && review.video === null && review.reviewUrl === null
  return section(
    "What there is to look at",
    html`${review.kind === "VIDEO" && review.video !== null && player(`${queuePath}/${review.id}/video`)}
    ${
      review.kind === "VIDEO"
        ? framesBesideReference(file, "review")
        : photos.length > 0 && html`<div class="case-beside case-halves">${photos}</div>`
    }
    ${
      review.reviewUrl !== null &&
      html`<p>
        <a href="${review.reviewUrl}" target="_blank" rel="noopener noreferrer"
          >The outside provider's page about this check</a
        >
      </p>`
    }
    ${nothing && html`<p>${review.mode === "TEST" ? nothingInTest : nothingKept}</p>`}`
  )
}

/** What a reviewer compares with the document, without a search for it further down. */
const bornOn = ({ kind }: ReviewWithPicturesResource, { customer }: CaseFileResource): Shown =>
  kind === "IDENTITY" && customer !== null && customer.dateOfBirth !== null && `, date of birth ${customer.dateOfBirth}`

const whatItIs = (review: ReviewWithPicturesResource, file: CaseFileResource): Html =>
  html`<p>
      ${review.mode === "TEST" && html`<strong>TEST</strong> `}<strong
        ><bdi>${review.customerName ?? "Erased customer"}</bdi></strong
      >${bornOn(review, file)}${review.registration !== null && html`, <bdi>${review.registration}</bdi>`}.
      ${review.open ? "Waiting" : "It began to wait"}
      ${review.open ? "since " : ""}${shownTime(review.since)}${review.attempts > 0 && html`, tries so far: ${review.attempts}`}.
    </p>
    ${
      review.reasons.length > 0 &&
      html`<ul>
        ${review.reasons.map((code) => html`<li>${reasonInWords(code)}</li>`)}
      </ul>`
    }
    <p>
      <a href="/console/journeys/${review.journeyId}">The journey with its timeline</a> ·
      <a href="${casePathOf(review.journeyId)}?reason=review">The case file</a>
    </p>`

/** The kind of the queue that the review was opened from, which stays in the addresses of its pages; empty: the queue of all kinds. */
const kindOfQueue = (user: CompanyUser): string => pageQuery(user)("kind")

const pageOf = (reviewId: string, kind: string): string => withQuery(`${queuePath}/${reviewId}`, { kind })

const queueLinks = ({ mode, queue }: ReviewWithPicturesResource, kind: string): Html =>
  html`<nav aria-label="Other reviews">
    <ul>
      <li><a href="${withQuery(queuePath, { mode, kind })}">All that waits (${queue.waiting})</a></li>
      ${queue.previous !== null && html`<li><a data-key="k" href="${pageOf(queue.previous, kind)}">The one before</a></li>`}
      ${queue.next !== null && html`<li><a data-key="j" href="${pageOf(queue.next, kind)}">The next one</a></li>`}
    </ul>
  </nav>`

/** The form that was refused is far below the photos; the page opens there, and says so above, too. */
const notDecided = ({ decision }: RefusedDecision): Html =>
  html`<p role="alert" class="refused">
    Nothing was decided: <a href="#reason-${decision === "APPROVE" ? "approve" : "reject"}">the reason</a> cannot be
    taken as it is.
  </p>`

/** A check that is resent, and a review that is over, have no reason to write. */
const keysOf = ({ kind, open }: ReviewWithPicturesResource): Parameters<typeof keysHelp>[0] =>
  open && kind !== "CHECK_UNAVAILABLE" ? ["J", "K", "A", "R", "Ctrl + Enter"] : ["J", "K"]

const show = Effect.fnUntraced(function* (user: CompanyUser, refused: RefusedDecision | null, note: Shown = null) {
  const reviewId = yield* pathPart("reviewId")
  const kind = kindOfQueue(user)
  const review = yield* ask(reviewOperations, "getReview", { path: { ...user.path, reviewId }, query: { kind } })
  const file = yield* ask(caseOperations, "getCase", {
    path: { ...user.path, journeyId: review.journeyId },
    query: { reason: "review" }
  })
  const held = review.open ? yield* holdReview(user, file.journey) : null
  return yield* showPage(user, {
    // The title of a page stays in the history of the browser, so that it names nobody.
    heading: `Review: ${reviewKindNames[review.kind].toLowerCase()}`,
    ...(refused === null && note === null
      ? {}
      : { status: note === null ? pageStatus.unusable : pageStatus.notAskedNow }),
    scripts: [reviewKeysPath, readyReasonsPath, picturesPath, ...renewScripts],
    content: html`${note} ${refused !== null && notDecided(refused)} ${queueLinks(review, kind)}
    ${whatItIs(review, file)} ${heldNote(held)} ${review.open && (yield* reviewNow(user, review.id))}
    ${
      review.open
        ? html`${evidence(review, file)}
          ${decisionForms({ review, kind, company: user.company, formToken: user.formToken, refused })}`
        : note === null && html`<p role="status">${endShown(review)} The journey's timeline tells what came of it.</p>`
    }
    ${caseSections(file)} ${keysHelp(keysOf(review))}`
  })
})

/** Nothing of a form was taken: somebody else was faster, or the journey has moved on. */
const notTaken = (what: string, { errors }: Problem): Html =>
  html`<div role="alert" class="flash">
    <strong>${what}</strong> ${errors.map(({ message }) => `${message}. `)} The journey's timeline tells what came of
    the review.
  </div>`

/** "reason must be ..." as a sentence about the field that it stands beside. */
const sentenceOf = (message: string): string => `The ${message}`

const asRefused =
  (user: CompanyUser, given: { readonly decision: string; readonly reason: string }) => (failure: Problem) => {
    const [{ code, message }] = failure.errors
    if (code === "CONFLICT") return show(user, null, notTaken("Your decision was not taken.", failure))
    if (code === "VALIDATION_FAILED") {
      const isEmpty = given.reason.trim() === ""
      return show(user, { ...given, problem: isEmpty ? "Please write the reason." : `${sentenceOf(message)}.` })
    }
    return Effect.fail(failure)
  }

const said = { APPROVE: "Approved.", REJECT: "Rejected." } as const

/** The queue that the review of a journey was in. */
const queueOf = ({ livemode }: Pick<JourneyResource, "livemode">, kind: string): string =>
  withQuery(queuePath, { mode: livemode ? "LIVE" : "TEST", kind })

/** What the team has done to a journey, and the way to it. */
const linkTo = ({ id }: Pick<JourneyResource, "id">) => ({
  path: `/console/journeys/${id}`,
  words: "See the journey."
})

const isKind = Schema.is(ReviewKind)

/**
 * After a decision: the next review of the queue that waits now, else the one before, else the queue. Somebody else may have decided what was next when
 * the page was opened. The decision is taken, also when the queue cannot be read.
 */
const afterDecision = Effect.fnUntraced(function* (
  user: CompanyUser,
  reviewId: string,
  { decision, decided }: { readonly decision: string; readonly decided: JourneyResource }
) {
  const done = decision === "APPROVE" ? said.APPROVE : said.REJECT
  const kind = kindOfQueue(user)
  const reviews = yield* ReviewQueue
  const queue = { companyId: user.path.companyId, livemode: decided.livemode, kind: isKind(kind) ? kind : null }
  const place = yield* reviews
    .beside(queue, EventId.make(reviewId))
    .pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(null)))
  if (place === null) return yield* redirectTo(queueOf(decided, kind), done, linkTo(decided))
  const next = place.next ?? place.previous
  return yield* next === null
    ? redirectTo(
        queueOf(decided, kind),
        `${done} Nothing else ${kind === "" ? "" : "of this kind "}waited.`,
        linkTo(decided)
      )
    : redirectTo(pageOf(next, kind), `${done} This is the next review.`, linkTo(decided))
})

export const reviewRoutes = [
  { method: "GET", path, handle: companyPage((user) => show(user, null)) },
  {
    method: "POST",
    path,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const reviewId = yield* pathPart("reviewId")
        const given = { decision: fields.get("decision") ?? "", reason: reasonIn(fields) }
        return yield* ask(reviewOperations, "decideReview", { path: { ...user.path, reviewId }, body: given }).pipe(
          Effect.flatMap((decided) => afterDecision(user, reviewId, { decision: given.decision, decided })),
          Effect.catchTag("Problem", asRefused(user, given))
        )
      })
    )
  },
  {
    method: "POST",
    path: `${path}/resend`,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const question = { path: { ...user.path, journeyId: fields.get("journeyId") ?? "" } }
        return yield* ask(teamOperations, "resendCheck", question).pipe(
          Effect.flatMap((journey) =>
            redirectTo(
              queueOf(journey, kindOfQueue(user)),
              "identity" in journey && journey.identity?.status === "UNAVAILABLE"
                ? "The check still cannot be started: no identity provider is set up."
                : "The check was resent.",
              linkTo(journey)
            )
          ),
          Effect.catchTag("Problem", (failure) =>
            failure.errors[0].code === "CONFLICT"
              ? show(user, null, notTaken("The check was not resent.", failure))
              : Effect.fail(failure)
          )
        )
      })
    )
  }
] as const
