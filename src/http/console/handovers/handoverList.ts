/**
 * The list of a dealer's handovers: those that go on, those that are over, and a search in a form, because what is searched for may be
 * personal and an address is written into logs and histories. It shows what the operations of `api/team/handovers.ts` answer.
 */
import { Clock, Effect } from "effect"
import type { CompanyResource } from "../../../schema/company/Company.ts"
import type { DealerHandoverEntry } from "../../../schema/review/DealerHandover.ts"
import { handoverOperations } from "../../api/team/handovers.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { companyForm, companyPage, showPage } from "../frame/consolePage.ts"
import { asFirstShown, orShownAgain } from "../frame/forms.ts"
import { listTable, moreFound, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { renewedList, renewScripts } from "../frame/renewing.ts"
import { searchForm } from "../frame/searchForm.ts"
import { handoversPath, handoverStatuses, handoverTypes, waitOf } from "./handoverWords.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

/** An empty choice shows both. */
const standings = { OPEN: "To be handed over", OVER: "Over", "": "All" } as const

const standingSwitch = (standing: string): Html =>
  html`<nav aria-label="Which handovers" class="case-modes">
    <ul>
      ${Object.entries(standings).map(
        ([value, label]) =>
          html`<li>
            <a
              href="${withQuery(handoversPath, { standing: value })}"
              ${value === standing && html`aria-current="page"`}
              >${label}</a
            >
          </li>`
      )}
    </ul>
  </nav>`

const noneOfThem = { OPEN: "Nothing is to be handed over now.", OVER: "No handover is over yet." } as const

const emptyOf = (standing: string, company: CompanyResource): Html =>
  standing === "OPEN" || standing === "OVER" ? html`<p>${noneOfThem[standing]}</p>` : nothingYet(company)

const nothingYet = ({ id, kind }: CompanyResource): Html =>
  kind === "DEALER"
    ? html`<p>There is nothing to hand over for a broker yet.</p>
        <p>
          When a broker starts a live journey and names your company as the dealer, the handover appears here once
          finance and identity are settled. Give your brokers the id of your company, which they send as
          <code>vehicle.dealerCompanyId</code>: <code>${id}</code>
        </p>
        <p>Handovers of journeys that you started yourselves are under <a href="/console/journeys">Journeys</a>.</p>`
    : html`<p>This page is for dealers: it shows them the handovers that brokers have named them for.</p>
        <p>
          To name a dealer, send its id as <code>vehicle.dealerCompanyId</code> when you start a journey. Your own
          journeys are under <a href="/console/journeys">Journeys</a>.
        </p>`

const searchFormOf = searchForm({
  action: handoversPath,
  label: "Search all handovers",
  hint: "Registration, the customer's email, the broker's name or its beginning, or the id of the journey. Customers are not found by their names."
})

const table = (caption: string, content: ReadonlyArray<DealerHandoverEntry>, empty: Html, next?: string | null): Html =>
  listTable({
    caption,
    head: ["Vehicle", "Customer", "Broker", "Where", "Status", "Waits for", "Created"],
    empty,
    rows: content.map((one) => [
      html`<a href="${handoversPath}/${one.journeyId}"><bdi>${one.registration ?? "Erased"}</bdi></a>`,
      one.customerName === null ? "Erased customer" : html`<bdi>${one.customerName}</bdi>`,
      html`<bdi>${one.broker}</bdi>`,
      handoverTypes[one.type],
      handoverStatuses[one.status],
      waitOf(one),
      shownTime(one.createdAt)
    ]),
    ...(next === undefined ? {} : { next })
  })

const nothingFurther = html`<p>There are no older handovers.</p>
  <p><a href="${handoversPath}">The newest handovers</a></p>`

const whatItIs = html`<p>
  What brokers have named your company for, the newest first. What is under review is decided by the broker's team.
</p>`

const list = companyPage((user) =>
  Effect.gen(function* () {
    const asked = pageQuery(user)
    const [after, standing] = [asked("after"), asked("standing")]
    const now = yield* Clock.currentTimeMillis
    const { content, next } = yield* ask(handoverOperations, "listHandovers", {
      path: user.path,
      query: { standing, after }
    })
    const empty = after === "" ? emptyOf(standing, user.company) : nothingFurther
    const caption = "Handovers for brokers, the newest first"
    return yield* showPage(user, {
      heading: "Handovers",
      scripts: renewScripts,
      content: html`${(content.length > 0 || standing !== "") && searchFormOf(user, "", asFirstShown)}
      ${standingSwitch(standing)}
      ${renewedList(
        withQuery(handoversPath, { standing, after }),
        now,
        html`${content.length > 0 && whatItIs}
        ${table(caption, content, empty, next === null ? null : withQuery(handoversPath, { standing, after: next }))}`
      )}`
    })
  })
)

const nothingFound = (search: string): Html =>
  html`<p>
    Nothing was found for “<bdi>${search.trim()}</bdi>”. A registration and an email are found whole, in any case; a
    broker also by the beginning of its name. Customers are not found by their names, and a customer who was erased is
    not found by anything personal. Handovers of journeys that you started yourselves are under
    <a href="/console/journeys">Journeys</a>.
  </p>`

/** Answers the form itself, without a redirect: what was searched for stays out of every address. */
const search = companyForm((user, fields) =>
  Effect.gen(function* () {
    const [sought, after] = [fields.get("search") ?? "", fields.get("after")]
    const found = yield* orShownAgain(
      ask(handoverOperations, "searchHandovers", {
        path: user.path,
        body: { search: sought, ...(after === null ? {} : { after }) }
      }),
      fields
    )
    const isRefused = "state" in found
    return yield* showPage(user, {
      heading: "Handovers",
      status: isRefused ? pageStatus.unusable : pageStatus.shown,
      content: html`${searchFormOf(user, sought, isRefused ? found.state : asFirstShown)}
        <p><a href="${handoversPath}">Show all handovers</a></p>
        ${
          !isRefused &&
          html`${table("Handovers found, the newest first", found.content, nothingFound(sought))}
          ${found.next !== null && moreFound(user.formToken, handoversPath, { search: sought, next: found.next })}`
        }`
    })
  })
)

export const handoverListRoutes = [
  { method: "GET", path: handoversPath, handle: list },
  { method: "POST", path: handoversPath, handle: search }
] as const
