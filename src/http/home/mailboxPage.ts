/**
 * The built-in mailbox as a page, on somebody's own machine, where nobody signs in. Elsewhere the operator reads it in the
 * console.
 */
import { Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { MailQuery } from "../../schema/mail/MailResource.ts"
import { html, type Html } from "../server/pages/html.ts"
import type { Route } from "../server/answers/answering.ts"
import { orProblems, problem } from "../server/answers/problems.ts"
import { pageAsked, queryDecoder } from "../server/endpoints/query.ts"
import { mailList, mailListPolicy } from "./mailList.ts"
import { demoFor, homePath, homeResponse, mailboxPath } from "./homeFrame.ts"

type Request = HttpServerRequest.HttpServerRequest

const decodeQuery = queryDecoder(MailQuery)

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
    alsoAllowed: Object.entries(mailListPolicy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join("; "),
    content: html`<p>No SMTP server is set, so the service keeps its mails here. Nobody else has got them.</p>
      ${
        content.length === 0
          ? html`<p>There is no mail${journeyId === undefined ? " yet" : " of this journey"}.</p>`
          : mailList(content)
      }
      ${turnPage(page, last, journeyId)}
      <p><a href="${homePath}">Back to the home page</a></p>`
  })
})

export const mailboxPageRoutes = [
  { method: "GET", path: mailboxPath, handle: showMailbox }
] as const satisfies ReadonlyArray<Route<unknown>>
