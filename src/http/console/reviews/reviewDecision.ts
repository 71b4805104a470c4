/**
 * The forms that decide a review, each with its reason and with what the customer will then read. What may be decided, and whether
 * the reason will do, is judged by the operation.
 */
import { reasonTextLimits } from "../../../schema/company/limits.ts"
import type { CompanyResource } from "../../../schema/company/Company.ts"
import { readyReasonsIn } from "../../../schema/company/readyReasons.ts"
import { lengthOfReason } from "../../../schema/company/reasonText.ts"
import type { CustomerReads, Worded } from "../../../schema/review/CustomerReads.ts"
import type { ReviewVerdict, ReviewWithPicturesResource } from "../../../schema/review/Review.ts"
import { languages } from "../../../schema/words/locale/languages.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { refusedHtml } from "../frame/forms.ts"
import { withQuery } from "../frame/lists.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** What was sent and refused, to be shown beside the field. */
export interface RefusedDecision {
  readonly decision: string
  readonly reason: string
  readonly problem: string
}

const { longestReason, shortestReason } = reasonTextLimits

const both = ({ english, text }: Worded, language: CustomerReads["language"]): Html =>
  html`<p>
    <span lang="${languages[language].locale}" dir="auto">${text}</span>${
      english !== null && html`<br /><small>${english}</small>`
    }
  </p>`

/** Where the reason is shown to the customer, it stands where it will stand. */
const reads = ({ language, mails, page, showsReason }: CustomerReads): Html =>
  html`<details open>
    <summary>
      What the customer will read${language !== "en" && html` (${languages[language].name}, English below)`}
    </summary>
    <div class="case-reads">
      <p><small>On their page</small></p>
      ${page.map((one) => both(one, language))}
      ${showsReason && html`<blockquote>The reason, as you write it here</blockquote>`}
      ${mails.map(
        ({ paragraphs, subject }) =>
          html`<p><small>By mail</small></p>
            <p>
              <strong><bdi>${subject.text}</bdi></strong
              >${subject.english !== null && html`<br /><small>${subject.english}</small>`}
            </p>
            ${paragraphs.map((one) => both(one, language))}`
      )}
      ${mails.length === 0 && html`<p><small>No mail leaves now.</small></p>`}
    </div>
  </details>`

const readsOn = (review: ReviewWithPicturesResource, decision: CustomerReads["decision"]): Shown => {
  const found = review.customerReads.find((one) => one.decision === decision)
  return found !== undefined && reads(found)
}

const readyReason = "readyReason"

/**
 * Where a script runs, what is chosen is put into the field of the reason, where it can be changed (`browser/readyReasons.js`). Elsewhere
 * it is sent beside that field.
 */
const readyReasons = (field: string, reasons: ReadonlyArray<string>): Shown =>
  reasons.length > 0 &&
  html`<label data-ready-reasons
    >A ready reason
    <select name="${readyReason}" data-fills="${field}" autocomplete="off">
      <option value="">Choose one, or write your own below</option>
      ${reasons.map((reason) => html`<option>${reason}</option>`)}
    </select></label
  >`

/** The reason of a form that was sent: what was written, and behind it the ready reason that was chosen. */
export const reasonIn = (fields: URLSearchParams): string =>
  [fields.get("reason")?.trimEnd() ?? "", fields.get(readyReason) ?? ""].filter((text) => text !== "").join(" ")

interface Given {
  /** The kind of the queue that the review was opened from; empty: the queue of all kinds. */
  readonly kind: string
  readonly company: Pick<CompanyResource, "approvalReasons" | "rejectionReasons">
  readonly review: ReviewWithPicturesResource
  readonly formToken: string
  readonly refused: RefusedDecision | null
}

const decisionForm = (
  { company, formToken, kind, refused, review }: Given,
  decision: ReviewVerdict,
  { button, hint, key, title }: Readonly<Record<"button" | "hint" | "key" | "title", string>>
): Html => {
  const id = `reason-${decision.toLowerCase()}`
  const mine = refused?.decision === decision ? refused : null
  const ready = readyReasonsIn(decision === "APPROVE" ? company.approvalReasons : company.rejectionReasons)
  return html`<section aria-labelledby="${id}-title">
    <h3 id="${id}-title">${title}</h3>
    <form
      method="post"
      action="${withQuery(`/console/reviews/${review.id}`, { kind })}"
      data-key="${key}"
      ${ready.length > 0 && html`novalidate`}
    >
      ${tokenField(formToken)}
      <input type="hidden" name="decision" value="${decision}" />
      ${readyReasons(id, ready)}
      <label for="${id}">Reason</label>
      <textarea
        id="${id}"
        name="reason"
        required
        minlength="${shortestReason}"
        maxlength="${longestReason}"
        rows="3"
        aria-describedby="${id}-hint${mine !== null && ` ${id}-refused`}"
        ${mine !== null && html`aria-invalid="true" autofocus`}
      >
${mine?.reason ?? ""}</textarea>
      ${mine !== null && refusedHtml(id, mine.problem)}
      <small id="${id}-hint">${hint}</small>
      <button ${decision === "REJECT" && html`class="secondary"`}>${button}</button>
    </form>
    ${readsOn(review, decision)}
  </section>`
}

const kept = `${lengthOfReason}, kept sealed with the journey.`

export const decisionForms = (given: Given): Html => {
  const { formToken, kind, review } = given
  if (review.kind === "CHECK_UNAVAILABLE") {
    return html`<h2 id="decide">Try again</h2>
      <p>The check could not be started. Mend the reason first: resending begins it anew.</p>
      ${readsOn(review, "RESEND")}
      <form method="post" action="${withQuery(`/console/reviews/${review.id}/resend`, { kind })}">
        ${tokenField(formToken)}
        <input type="hidden" name="journeyId" value="${review.journeyId}" />
        <button>Resend the check</button>
      </form>`
  }
  const isIdentity = review.kind === "IDENTITY"
  return html`<h2 id="decide">Decide</h2>
    <div class="case-beside case-halves">
      ${decisionForm(given, "APPROVE", {
        title: "Approve",
        button: isIdentity ? "Approve the identity" : "Approve the video",
        hint: `For your team. ${kept}`,
        key: "a"
      })}
      ${decisionForm(given, "REJECT", {
        title: "Reject",
        button: isIdentity ? "Reject the identity check" : "Reject the video",
        hint: isIdentity ? `The customer reads it. ${kept}` : `For your team: the customer does not read it. ${kept}`,
        key: "r"
      })}
    </div>`
}
