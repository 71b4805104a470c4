/** The page of the audit log: who did what, when and to what, with filters, piece by piece. */
import { Effect } from "effect"
import type { AuditEntryResource } from "../../../schema/company/AuditEntry.ts"
import { auditOperations } from "../../api/audit.ts"
import { ask } from "../../server/ask.ts"
import { html, type Html } from "../../server/html.ts"
import { pageStatus } from "../../server/pageStatus.ts"
import { auditDetails } from "./auditDetails.ts"
import { auditActions } from "../../../schema/company/auditActions.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, formOf, orShownAgain, type ConsoleFormState } from "../frame/forms.ts"
import { listTable, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pageQuery.ts"
import { shownTime } from "../../server/shownTime.ts"

const path = "/console/audit"

/** A line of another version may have an action that is not among ours: it has no words. */
const sentences: Readonly<Record<string, string | undefined>> = auditActions

const what = ({ action }: AuditEntryResource): Html => {
  const sentence = sentences[action]
  return html`${sentence !== undefined && html`${sentence}<br />`}<code>${action}</code>`
}

const whose = ({ actor, actorName, ipAddress }: AuditEntryResource): Html =>
  html`<bdi>${actorName}</bdi>${ipAddress !== null && html`<br /><small>from ${ipAddress}</small>`}${
      actor !== actorName && html`<br /><a href="${withQuery(path, { actor })}">All that they did</a>`
    }`

interface AuditFilters {
  readonly action: string
  readonly actor: string
  readonly since: string
}

const filterForm = (user: CompanyUser, { action, actor, since }: AuditFilters, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "find",
    action: path,
    button: "Show",
    all: unfiltered(path, { action, actor, since }),
    asks: true,
    isRow: true,
    state,
    fields: [
      {
        is: "select",
        name: "action",
        label: "What",
        value: action,
        choices: [
          { value: "", label: "Everything" },
          ...Object.entries(auditActions).map(([value, label]) => ({ value, label }))
        ]
      },
      {
        is: "text",
        name: "actor",
        label: "Who",
        value: actor,
        hint: html`<code>operator</code>, <code>service</code>, or the code of a member`
      },
      { is: "date", name: "since", label: "Since", value: since, hint: "Midnight of this day in UTC" }
    ]
  })

const midnight = "00:00:00Z"
const day = /^\d{4}-\d{2}-\d{2}$/

const showAudit = (user: CompanyUser) =>
  Effect.gen(function* () {
    const asked = pageQuery(user)
    const filters = { action: asked("action"), actor: asked("actor").trim(), since: asked("since") }
    const since = day.test(filters.since) ? `${filters.since}T${midnight}` : filters.since
    const found = yield* orShownAgain(
      ask(auditOperations, "listChanges", {
        path: user.path,
        query: { ...filters, since, cursor: asked("cursor") }
      }),
      new URLSearchParams(filters)
    )
    const isRefused = "state" in found
    const { content, next } = isRefused ? { content: [], next: null } : found
    return yield* showPage(user, {
      heading: "Audit log",
      status: isRefused ? pageStatus.unusable : pageStatus.shown,
      content: html`<p>
          Every change, and every look at somebody's personal data. Lines are never changed and never hold a secret.
        </p>
        ${filterForm(user, filters, isRefused ? found.state : asFirstShown)}
        ${listTable({
          caption: "What was done, the newest first",
          head: ["When", "Who", "What", "Details"],
          empty: html`<p>No line is like that. <a href="${path}">Show all</a></p>`,
          rows: content.map((entry) => [shownTime(entry.at), whose(entry), what(entry), auditDetails(entry.details)]),
          next: next === null ? null : withQuery(path, { ...filters, cursor: next })
        })}`
    })
  })

export const auditRoutes = [{ method: "GET", path, handle: companyPage(showAudit) }] as const
