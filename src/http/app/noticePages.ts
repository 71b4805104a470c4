/**
 * Pages that only say something: the link has ended, the journey is closed, sign in first, a problem. None of them shows
 * anything of a customer, and those that must look alike are one page.
 */
import type { HttpServerResponse } from "effect/http"
import { statusOf, type Problem } from "../server/problems.ts"
import type { ErrorCode } from "../../schema/problems.ts"
import { html } from "./html.ts"
import { hiddenToken, pageResponse } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Used, expired, voided and unknown alike. `formToken`: of the nonce that is set beside. */
export const endedPage = (token: string, formToken: string): Response =>
  pageResponse({
    status: pageStatus.linkEnded,
    heading: "This link has ended",
    content: html`<p>
        Each link signs you in once and lasts three days. A newer mail also replaces the links before it.
      </p>
      <p>We can mail you a new one. It goes to the email address we have on file.</p>
      <form method="post" action="/app/l/${encodeURIComponent(token)}/new-link">
        ${hiddenToken(formToken)}<button>Mail me a new link</button>
      </form>`
  })

/** The same whatever was done. */
export const newLinkPage = (): Response =>
  pageResponse({
    status: pageStatus.shown,
    heading: "Check your email",
    content: html`<p>
        If there is something for you to do, a new link is on its way to the email address we have on file. It can take
        a few minutes.
      </p>
      <p>
        Nothing there? Look in your junk folder first. A few new links can be mailed in an hour; after that, wait a
        while and try again.
      </p>`
  })

/** X6: nothing else is told of a journey that has ended. */
export const closedPage = (isComplete: boolean): Response =>
  pageResponse({
    status: pageStatus.journeyClosed,
    heading: "This journey is closed",
    content: isComplete && html`<p>Your handover is complete. There is nothing more to do.</p>`
  })

export const signInFirstPage = (): Response =>
  pageResponse({
    status: pageStatus.signInFirst,
    heading: "Please open the link in your email",
    content: html`<p>
        You are not signed in, or were away for more than half an hour. The newest email we sent you has a link that
        brings you back.
      </p>
      <p>Has that link been used already? Open it all the same: the page has a button that mails you a new one.</p>`
  })

export const signedOutPage = (): Response =>
  pageResponse({
    heading: "You are signed out",
    content: html`<p>To come back, open the link in your email.</p>`
  })

export const forgedPage = (): Response =>
  pageResponse({
    status: pageStatus.forged,
    isProblem: true,
    heading: "That page was out of date",
    content: html`<p>
        Nothing was changed. Go back, reload the page and try again. If it happens again, allow cookies for this site.
      </p>
      <p><a href="/app/journey">Back to your journey</a></p>`
  })

interface Words {
  readonly heading: string
  readonly text: string
}

const anything: Words = {
  heading: "Something went wrong",
  text: "It is our mistake, and we have taken note of it. Please try again in a moment."
}

const words: Readonly<Partial<Record<ErrorCode, Words>>> = {
  NOT_FOUND: {
    heading: "There is no such page",
    text: "The address may be incomplete: open the link in your email again."
  },
  METHOD_NOT_ALLOWED: { heading: "There is no such page", text: "Open the link in your email again." },
  PAYLOAD_TOO_LARGE: { heading: "That was too large", text: "Nothing was kept. Go back and choose a smaller file." },
  UNSUPPORTED_MEDIA_TYPE: { heading: "That could not be read", text: "Go back, reload the page and try again." },
  VALIDATION_FAILED: { heading: "That could not be read", text: "Go back, reload the page and try again." },
  RATE_LIMITED: { heading: "That was a little fast", text: "Please wait a minute and try again." },
  TEMPORARILY_UNAVAILABLE: {
    heading: "We cannot answer just now",
    text: "Nothing you sent is lost for good: please try again in a moment."
  }
}

/** A problem of a request as people read it. */
export const problemPage = (failure: Problem): Response => {
  const { code } = failure.errors[0]
  const { heading, text } = words[code] ?? anything
  return pageResponse({
    status: statusOf(code),
    isProblem: true,
    heading,
    ...(failure.headers === undefined ? {} : { headers: failure.headers }),
    content: html`<p>${text}</p>
      <p><a href="/app/journey">Back to your journey</a></p>`
  })
}
