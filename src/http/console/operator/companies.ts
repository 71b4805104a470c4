/** The companies of the installation, found by the beginning of their name or by their id, and a form that makes one. */
import { Effect } from "effect"
import { companyOperations } from "../../api/company/companies.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorForm, operatorPage, redirectTo, showPage, type ConsoleUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import { listTable, pager, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const path = `${operatorPath}/companies`

const searchForm = (user: ConsoleUser, search: string): Html =>
  formOf(user, {
    id: "find",
    action: path,
    button: "Find",
    asks: true,
    isRow: true,
    fields: [
      {
        is: "search",
        name: "search",
        label: "Company",
        value: search,
        hint: "The beginning of its name, or its id"
      }
    ]
  })

const makeForm = (user: ConsoleUser, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "make",
    action: path,
    button: "Make the company",
    state,
    fields: [
      { is: "text", name: "name", label: "Name", required: true },
      {
        is: "select",
        name: "kind",
        label: "Kind",
        choices: [
          { value: "DEALER", label: "Dealer: sells vehicles, may start every kind of journey" },
          { value: "BROKER", label: "Broker: arranges finance, and may name a dealer for the handover" }
        ]
      },
      {
        is: "email",
        name: "adminEmail",
        label: "Email address of the administrator",
        required: true,
        autocomplete: "off",
        hint: "The company's first owner: gets an invitation to this console by mail"
      }
    ]
  })

const showCompanies = (user: ConsoleUser, state: ConsoleFormState = asFirstShown) =>
  Effect.gen(function* () {
    const given = pageQuery(user)
    const search = given("search").trim()
    const found = yield* ask(companyOperations, "listCompanies", { query: { search, page: given("page") } })
    return yield* showPage(user, {
      heading: "Companies",
      status: statusWith(state),
      content: html`${searchForm(user, search)}
        ${listTable({
          caption: search === "" ? "Every company, the newest first" : "Companies that were found",
          head: ["Name", "Kind", "Active", "Made", "Id"],
          empty:
            search === ""
              ? html`<p>There is no company yet. Make the first one below: its administrator is invited by mail.</p>`
              : html`<p>No company has this id or a name that begins so.</p>`,
          rows: found.content.map(({ active, createdAt, id, kind, name }) => [
            html`<a href="${path}/${id}"><bdi>${name}</bdi></a>`,
            kind === "DEALER" ? "Dealer" : "Broker",
            active ? "yes" : html`<strong>no</strong>`,
            shownTime(createdAt),
            html`<code>${id}</code>`
          ])
        })}
        ${pager({
          page: found.page,
          totalPages: found.totalPages,
          at: (page) => withQuery(path, { search, page: String(page) })
        })}
        <h2>Make a company</h2>
        ${makeForm(user, state)}`
    })
  })

const makeCompany = operatorForm((user, fields) =>
  Effect.gen(function* () {
    const body = { name: fields.get("name"), kind: fields.get("kind"), adminEmail: fields.get("adminEmail") }
    const made = yield* orShownAgain(ask(companyOperations, "createCompany", { body }), fields)
    if ("state" in made) return yield* showCompanies(user, made.state)
    return yield* redirectTo(
      `${path}/${made.id}`,
      "The company was made. Its administrator gets an invitation by mail."
    )
  })
)

export const operatorCompaniesRoutes = [
  { method: "GET", path, handle: operatorPage((user) => showCompanies(user)) },
  { method: "POST", path, handle: makeCompany }
] as const
