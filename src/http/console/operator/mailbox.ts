/**
 * The built-in mailbox: mails that were kept because no SMTP server is set. A search by an address is a form that is sent, so that no
 * address stands in a URL; it is answered directly.
 */
import { Effect } from "effect"
import { mailOperations } from "../../api/company/mail.ts"
import { mailList, mailListPolicy } from "../../home/mailList.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { statusOf, type Problem } from "../../server/answers/problems.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorForm, operatorPage, showPage, type ConsoleUser } from "../frame/consolePage.ts"
import { formOf } from "../frame/forms.ts"
import { pager, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"

const path = `${operatorPath}/mailbox`

interface Wish {
  readonly to: string
  readonly journeyId: string
  readonly page: string
}

const forms = (user: ConsoleUser, { journeyId, to }: Wish): Html =>
  html`${formOf(user, {
    id: "journey",
    action: path,
    button: "Find",
    asks: true,
    isRow: true,
    fields: [{ is: "search", name: "journeyId", label: "Journey", value: journeyId, hint: "The journey's id" }]
  })}
  ${formOf(user, {
    id: "address",
    action: path,
    button: "Find",
    isRow: true,
    fields: [
      { is: "search", name: "to", label: "Address", value: to, hint: "Only mail to this address", autocomplete: "off" }
    ]
  })}`

/** There is a way on only where the address of the page can say it. */
const pagesShown = ({ journeyId, to }: Wish, page: number, totalPages: number): Shown => {
  if (to !== "") return totalPages > 1 && html`<p>The newest mails are shown.</p>`
  return pager({ page, totalPages, at: (number) => withQuery(path, { journeyId, page: String(number) }) })
}

const isNoMailbox = ({ errors: [{ code, field }] }: Problem): boolean => code === "NOT_FOUND" && field === "mail"

const showMailbox = (user: ConsoleUser, wish: Wish) =>
  Effect.gen(function* () {
    const { content, page, totalPages } = yield* ask(mailOperations, "listMail", { query: { ...wish } })
    return yield* showPage(user, {
      heading: "Mailbox",
      alsoAllowed: mailListPolicy,
      content: html`<p>No SMTP server is set, so the service keeps its mails here. Nobody else has got them.</p>
        ${forms(user, wish)}
        ${
          content.length === 0
            ? html`<p>There is no mail${wish.to === "" && wish.journeyId === "" ? " yet" : " like this"}.</p>`
            : mailList(content)
        }
        ${pagesShown(wish, page, totalPages)}`
    })
  }).pipe(
    Effect.catchTag("Problem", (failure) =>
      isNoMailbox(failure)
        ? showPage(user, {
            heading: "Mailbox",
            content: html`<p>
              There is no mailbox here: mail goes to the SMTP server of <code>SMTP_URL</code>. How many mails wait to be
              sent is on <a href="${operatorPath}">the page of the installation</a>.
            </p>`
          })
        : statusOf(failure.errors[0].code) === statusOf("VALIDATION_FAILED")
          ? showPage(user, {
              heading: "Mailbox",
              status: statusOf("VALIDATION_FAILED"),
              content: html`${forms(user, wish)}
                <p role="alert" class="refused">${failure.errors.map(({ message }) => message).join(". ")}</p>`
            })
          : Effect.fail(failure)
    )
  )

const shown = operatorPage((user) => {
  const given = pageQuery(user)
  return showMailbox(user, { to: "", journeyId: given("journeyId").trim(), page: given("page") })
})

const found = operatorForm((user, fields) =>
  showMailbox(user, { to: (fields.get("to") ?? "").trim(), journeyId: "", page: "" })
)

export const operatorMailboxRoutes = [
  { method: "GET", path, handle: shown },
  { method: "POST", path, handle: found }
] as const
