/** The page of the audit log: who did what, when and to what, with filters, piece by piece, and as a file. */
import { Effect } from "effect"
import { AuditEntryResource } from "../../../schema/company/AuditEntry.ts"
import { auditOperations } from "../../api/company/audit.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { auditDetails } from "./auditDetails.ts"
import { auditActions } from "../../../schema/company/auditActions.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { csvFile } from "../frame/csvFile.ts"
import { dayFields, daysIn, fewerDays, spanOfDays, type Days } from "../frame/days.ts"
import { asFirstShown, formOf, orShownAgain, statusWith, type ConsoleFormState } from "../frame/forms.ts"
import { listTable, saveAsFile, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

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

interface AuditFilters extends Days {
  readonly action: string
  readonly actor: string
}

const filterForm = (user: CompanyUser, filters: AuditFilters, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "find",
    action: path,
    button: "Show",
    all: unfiltered(path, { ...filters }),
    asks: true,
    isRow: true,
    state,
    fields: [
      {
        is: "select",
        name: "action",
        label: "What",
        value: filters.action,
        choices: [
          { value: "", label: "Everything" },
          ...Object.entries(auditActions).map(([value, label]) => ({ value, label }))
        ]
      },
      {
        is: "text",
        name: "actor",
        label: "Who",
        value: filters.actor,
        hint: html`<code>operator</code>, <code>service</code>, or the code of a member`
      },
      ...dayFields(filters)
    ]
  })

/** The lines that the address asks for. */
const linesAsked = (user: CompanyUser) => {
  const asked = pageQuery(user)
  const filters: AuditFilters = { action: asked("action"), actor: asked("actor").trim(), ...daysIn(asked) }
  return {
    filters,
    piece: (place: { readonly cursor: string | undefined; readonly size?: number }) =>
      ask(auditOperations, "listChanges", {
        path: user.path,
        query: { ...filters, ...spanOfDays(filters), ...place }
      })
  }
}

const showAudit = (user: CompanyUser, refused: ConsoleFormState = asFirstShown) =>
  Effect.gen(function* () {
    const { filters, piece } = linesAsked(user)
    const found = yield* orShownAgain(piece({ cursor: pageQuery(user)("cursor") }), new URLSearchParams({ ...filters }))
    const { content, next, state } =
      "state" in found ? { ...found, content: [], next: null } : { ...found, state: refused }
    return yield* showPage(user, {
      heading: "Audit log",
      status: statusWith(state),
      content: html`<p>
          Every change, and every look at somebody's personal data. Lines are never changed and never hold a secret.
        </p>
        ${filterForm(user, filters, state)}
        ${listTable({
          caption: "What was done, the newest first",
          head: ["When", "Who", "What", "Details"],
          empty: html`<p>No line is like that. <a href="${path}">Show all</a></p>`,
          rows: content.map((entry) => [shownTime(entry.at), whose(entry), what(entry), auditDetails(entry.details)]),
          next: next === null ? null : withQuery(path, { ...filters, cursor: next })
        })}
        ${content.length > 0 && saveAsFile(withQuery(`${path}/audit.csv`, { ...filters }))}`
    })
  })

const saveAudit = (user: CompanyUser) => {
  const { filters, piece } = linesAsked(user)
  return csvFile(
    {
      name: ["audit", filters.since, filters.until],
      columns: Object.keys(AuditEntryResource.fields),
      filters: { ...filters },
      tooMany: fewerDays,
      pieceAt: piece
    },
    (state) => showAudit(user, state)
  )
}

export const auditRoutes = [
  { method: "GET", path, handle: companyPage((user) => showAudit(user)) },
  { method: "GET", path: `${path}/audit.csv`, handle: companyPage(saveAudit) }
] as const
