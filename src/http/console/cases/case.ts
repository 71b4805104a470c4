/**
 * The case file of a journey, /console/journeys/{id}/case, and its export for owners. The page asks for the reason of the look before it shows anything:
 * the audit log has each look with its reason.
 */
import { Effect } from "effect"
import { CaseReason, type CaseFileResource } from "../../../schema/review/CaseFile.ts"
import { caseOperations } from "../../api/team/cases.ts"
import { journeyActionOperations } from "../../api/actions/journeyActions.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { whichJourney } from "../journeys/whichJourney.ts"
import { caseSections } from "./caseParts.ts"
import { casePathOf, keptMedia } from "./casePictures.ts"
import { heldNote, holdReview } from "./holdReview.ts"
import { picturesPath } from "../frame/assets.ts"
import { companyPage, showPage } from "../frame/consolePage.ts"
import { jsonFile } from "../frame/savedFile.ts"
import { isOwner } from "../frame/owners.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { pathPart } from "../../server/answers/pathPart.ts"

const reasons: Readonly<Record<CaseReason, string>> = {
  support: "The customer, or somebody for them, has a question",
  review: "A check or a video of the journey is to be decided"
}

const gate = (journeyId: string): Html =>
  html`<p>
      The case file shows personal data, photos and the video. Each look is written into the audit log with its reason.
    </p>
    <form method="get" action="${casePathOf(journeyId)}">
      <fieldset>
        <legend>Why do you look?</legend>
        ${CaseReason.literals.map(
          (reason) =>
            html`<label><input type="radio" name="reason" value="${reason}" required /> ${reasons[reason]}</label>`
        )}
      </fieldset>
      <button>Open the case file</button>
    </form>`

/** Whose case it is, as a review begins. */
const whoAndWhat = ({ customer, vehicle }: CaseFileResource): Shown =>
  customer !== null &&
  html`<strong><bdi>${customer.firstName} ${customer.lastName}</bdi></strong
    >${vehicle !== null && vehicle.registration !== null && html`, <bdi>${vehicle.registration}</bdi>`}.`

export const caseRoutes = [
  {
    method: "GET",
    path: "/console/journeys/:journeyId/case",
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const journeyId = yield* pathPart("journeyId")
        const reason = pageQuery(user)("reason")
        const heading = "Case file"
        if (reason === "") {
          const overview = yield* ask(journeyActionOperations, "getCompanyJourney", {
            path: { ...user.path, journeyId }
          })
          return yield* showPage(user, { heading, content: html`${whichJourney(overview)} ${gate(journeyId)}` })
        }
        const file = yield* ask(caseOperations, "getCase", { path: { ...user.path, journeyId }, query: { reason } })
        const held = yield* holdReview(user, file.journey)
        const isReview = reason === "review"
        return yield* showPage(user, {
          heading,
          scripts: [picturesPath],
          content: html`<p>
              ${!file.journey.livemode && html`<strong>TEST</strong> `}${whoAndWhat(file)} You look for
              ${isReview ? "a review" : "support"}.
            </p>
            <p>
              <a href="/console/journeys/${file.journey.id}">The journey with its timeline</a> ·
              <a href="/console/journeys/${file.journey.id}/correct">Correct the customer's data</a>
            </p>
            ${file.erased && html`<p role="status"><strong>The customer was erased.</strong> What was personal is gone.</p>`}
            ${
              file.customerKeptUntil !== null &&
              html`<p>The customer, and all that is kept of them, is erased ${shownTime(file.customerKeptUntil)}.</p>`
            }
            ${
              file.applicationKeptUntil !== null &&
              html`<p>
                The application was declined. What it says of the customer goes ${shownTime(file.applicationKeptUntil)}.
              </p>`
            }
            ${heldNote(held)} ${caseSections(file)} ${keptMedia(file, isReview ? "review" : "support")}
            ${
              isOwner(user) &&
              html`<p>
                A customer who asks what is kept of them gets
                <a href="${casePathOf(journeyId)}/export" download>everything as a file</a>. The audit log has it. One
                who asks to be forgotten is <a href="/console/journeys/${file.journey.id}/erase">erased</a>.
              </p>`
            }`
        })
      })
    )
  },
  {
    method: "GET",
    path: "/console/journeys/:journeyId/case/export",
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const journeyId = yield* pathPart("journeyId")
        const found = yield* ask(caseOperations, "exportCase", { path: { ...user.path, journeyId } })
        return jsonFile(`journey-${found.caseFile.journey.id}`, found)
      })
    )
  }
] as const
