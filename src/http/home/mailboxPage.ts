/**
 * The built-in mailbox as a page, on somebody's own machine: each mail as its reader would see it, and as plain text. A mail
 * is shown in a frame that runs no script; its links open in the whole window.
 */
import { Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { MailQuery, type MailResource } from "../../schema/mail/MailResource.ts"
import { html, type Html } from "../server/html.ts"
import type { Route } from "../server/answering.ts"
import { orProblems, problem } from "../server/problems.ts"
import { pageAsked, queryDecoder } from "../server/query.ts"
import { demoFor, homePath, homeResponse, mailboxPath } from "./homeFrame.ts"

type Request = HttpServerRequest.HttpServerRequest

const decodeQuery = queryDecoder(MailQuery)

const mailItem = (mail: MailResource): Html =>
  html`<li>
    <details>
      <summary><strong>${mail.subject}</strong> <span class="hint">to ${mail.to}, ${mail.createdAt}</span></summary>
      <iframe
        title="${mail.subject}"
        sandbox="allow-top-navigation-by-user-activation allow-popups"
        srcdoc="${`<base target="_top">${mail.html}`}"
      ></iframe>
      <details>
        <summary>The mail as plain text</summary>
        <pre>${mail.text}</pre>
      </details>
    </details>
  </li>`

const turnPage = (page: number, last: number, journeyId: string | undefined): Html => {
  const to = (number: number) =>
    `${mailboxPath}?page=${number}${journeyId === undefined ? "" : `&journeyId=${journeyId}`}`
  return html`<p>
    ${page > 0 && html`<a href="${to(page - 1)}">Newer</a> `}${page < last && html`<a href="${to(page + 1)}">Older</a>`}
  </p>`
}

const showMailbox = Effect.fnUntraced(function* (request: Request) {
  const { list } = yield* Mailbox
  if ((yield* demoFor(request)) === null || list === null) return yield* problem("NOT_FOUND", "path")
  const decoded = decodeQuery(request.url)
  // The decoder makes what the schema of the query says.
  const { journeyId, to, ...query } = yield* orProblems(decoded as Result.Result<typeof MailQuery.Type>)
  const { page, size } = pageAsked(query)
  const { content, totalElements } = yield* list({ page, size, to: to ?? null, journeyId: journeyId ?? null })
  const last = Math.max(0, Math.ceil(totalElements / size) - 1)
  return homeResponse({
    heading: journeyId === undefined ? "Mailbox" : "Mails of one journey",
    // The frames and the styles inside of the mails; nothing else is let in.
    alsoAllowed: "frame-src 'self'; style-src 'self' 'unsafe-inline'",
    content: html`<p>No SMTP server is set, so the service keeps its mails here. Nobody else has got them.</p>
      ${
        content.length === 0
          ? html`<p>There is no mail${journeyId === undefined ? " yet" : " of this journey"}.</p>`
          : html`<ul class="mails">
              ${content.map(mailItem)}
            </ul>`
      }
      ${turnPage(page, last, journeyId)}
      <p><a href="${homePath}">Back to the home page</a></p>`
  })
})

export const mailboxPageRoutes = [
  { method: "GET", path: mailboxPath, handle: showMailbox }
] as const satisfies ReadonlyArray<Route<unknown>>
