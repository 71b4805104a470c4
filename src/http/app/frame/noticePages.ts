/**
 * Pages that only say something: the link has ended, the journey is closed, sign in first, a form was not ours. None of them
 * shows anything about a customer. Cases that must look alike share one page. `problemPages.ts` has the pages of problems.
 */
import { Duration } from "effect"
import type { HttpServerResponse } from "effect/http"
import { journeyPagePath, linkPath } from "../../../actors/customer/appPaths.ts"
import type { Details } from "../../../actors/customer/CustomerDetails.ts"
import { customerLimits } from "../../../actors/customer/limits.ts"
import type { EndedJourney } from "../../../actors/customer/SignInLinks.ts"
import type { EndingWords } from "../../../schema/words/en/ending.ts"
import { companyContact, returnButton } from "./companyFace.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { newLinkPath, pageResponse, type Frame } from "./page.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { dataNote, vehicleMark } from "./receipt.ts"
import { inSentence, nameMark } from "./sentence.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A used, expired, voided or unknown link. `formToken` belongs to the nonce that the answer sets. */
export const endedPage = (frame: Frame, token: string, formToken: string): Response => {
  const { linkEnded } = frame.words.notices
  return pageResponse({
    ...frame,
    status: pageStatus.linkEnded,
    heading: linkEnded.heading,
    content: html`<p>${linkEnded.once({ days: Duration.toDays(customerLimits.linkLifetime) })}</p>
      <p>${linkEnded.offer}</p>
      <form method="post" action="${linkPath(encodeURIComponent(token))}/new-link">
        ${tokenField(formToken)}<button>${linkEnded.button}</button>
      </form>`
  })
}

/** The answer is the same whether a mail is sent or not. `back`: a page that has a button for another one. */
export const newLinkPage = (frame: Frame, back: string): Response => {
  const { newLink } = frame.words.notices
  return pageResponse({
    ...frame,
    back,
    status: pageStatus.shown,
    heading: newLink.heading,
    content: html`<p>${newLink.sent}</p>
      <p>${newLink.nothing}</p>`
  })
}

/** How a journey ended, in the words of its page. */
type Ending = keyof EndingWords["closed"]

/** What the signed-in customer reads of the end of their journey. */
interface OwnEnding {
  readonly ending: Ending
  readonly details: Details
}

/** Whoever only holds a link cannot tell a declined application from a cancellation (X6). */
const endingForAnybody = ({ status }: EndedJourney): Ending => (status === "CANCELLED" ? "ENDED" : status)

/**
 * X6: how the journey ended, in general words, and whom to ask; nothing about the customer. Whoever holds a link reads it.
 * Null: the customer was erased in this moment. `own`: what its signed-in customer may know.
 */
export const closedPage = (frame: Frame, ended: EndedJourney | null, own?: OwnEnding): Response =>
  pageResponse({
    ...frame,
    ...(ended === null ? {} : { company: ended.company, saysWhomToAsk: true }),
    status: pageStatus.journeyClosed,
    heading: frame.words.notices.closed.heading,
    content: ended !== null && endedContent(frame, ended, own)
  })

const endedContent = ({ words }: Frame, ended: EndedJourney, own: OwnEnding | undefined): Html => {
  const { company, sellerName } = ended
  const ending = own?.ending ?? endingForAnybody(ended)
  const { closed, seller } = words.ending
  const given = { company: nameMark(company.name) }
  return html`<p>${ending === "COMPLETED" ? closed.COMPLETED : inSentence(closed[ending], given)}</p>
    ${
      (own !== undefined || sellerName !== null) &&
      html`<dl class="receipt">
        ${
          own !== undefined &&
          html`<dt>${words.ending.vehicle}</dt>
            <dd>${vehicleMark(own.details)}</dd>`
        }${
          sellerName !== null &&
          html`<dt>${seller}</dt>
            <dd>${nameMark(sellerName)}</dd>`
        }
      </dl>`
    }
    <h2>${words.company.questions}</h2>
    ${companyContact(company, words)}${returnButton(company, words)}
    ${own !== undefined && dataNote(own.details, words)}`
}

export const signInFirstPage = (frame: Frame): Response => {
  const { signInFirst } = frame.words.notices
  return pageResponse({
    ...frame,
    status: pageStatus.signInFirst,
    heading: signInFirst.heading,
    content: html`<p>${signInFirst.away({ minutes: Duration.toMinutes(customerLimits.sessionIdleTime) })}</p>
      <p>${signInFirst.used}</p>`
  })
}

/** The session of this browser has run out (X5). `formToken` belongs to the session's secret, which opens nothing any more. */
export const runOutPage = (frame: Frame, formToken: string): Response => {
  const { linkEnded, runOut } = frame.words.notices
  const hours = Duration.toHours(customerLimits.sessionLifetime)
  return pageResponse({
    ...frame,
    status: pageStatus.signInFirst,
    heading: runOut.heading,
    content: html`<p>${runOut.away({ hours, minutes: Duration.toMinutes(customerLimits.sessionIdleTime) })}</p>
      <p>${linkEnded.offer}</p>
      <form method="post" action="${newLinkPath}">${tokenField(formToken)}<button>${linkEnded.button}</button></form>`
  })
}

/** Nobody is signed in any more: the page is shown in the language that the customer has just read. */
export const signedOutPage = ({ words }: Frame): Response =>
  pageResponse({
    words,
    back: journeyPagePath,
    heading: words.notices.signedOut.heading,
    content: html`<p>${words.notices.signedOut.back}</p>`
  })

/** The form came from elsewhere: what the page knows about a customer is not shown. `back`: a page that can be opened. */
export const forgedPage = ({ words }: Frame, back: string = journeyPagePath): Response =>
  pageResponse({
    words,
    back,
    status: pageStatus.forged,
    isProblem: true,
    heading: words.notices.forged.heading,
    content: html`<p>${words.notices.forged.unchanged}</p>
      <p><a class="alone" href="${journeyPagePath}">${words.frame.backToJourney}</a></p>`
  })
