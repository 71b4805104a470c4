/**
 * Pages that only say something: the link has ended, the journey is closed, sign in first, a form was not ours. None of them
 * shows anything about a customer. Cases that must look alike share one page. `problemPages.ts` has the pages of problems.
 */
import { journeyPagePath, linkPath } from "../../actors/customer/appPaths.ts"
import type { HttpServerResponse } from "effect/http"
import { html } from "./html.ts"
import { hiddenToken, pageResponse } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A used, expired, voided or unknown link. `formToken` belongs to the nonce that the answer sets. */
export const endedPage = (token: string, formToken: string): Response =>
  pageResponse({
    status: pageStatus.linkEnded,
    heading: "This link has ended",
    content: html`<p>
        Each link signs you in once and lasts three days. A newer mail also replaces the links before it.
      </p>
      <p>We can mail you a new one. It goes to the email address we have on file.</p>
      <form method="post" action="${linkPath(encodeURIComponent(token))}/new-link">
        ${hiddenToken(formToken)}<button>Mail me a new link</button>
      </form>`
  })

/** The answer is the same whether a mail is sent or not. */
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

/** X6: a journey that has ended shows nothing else. */
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
      <p><a href="${journeyPagePath}">Back to your journey</a></p>`
  })
