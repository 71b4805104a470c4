/** The stock of a company: a list to search and filter, a form that adds a vehicle, and the change of a vehicle's status. */
import { Effect } from "effect"
import { vehicleOperations } from "../../api/company/vehicles.ts"
import type { VehicleStatus } from "../../../schema/company/StockVehicle.ts"
import { startFieldLimits } from "../../../schema/start/limits.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type Choice, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import { listTable, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const path = "/console/vehicles"

const statusLabels: Readonly<Record<VehicleStatus, string>> = { IN_STOCK: "In stock", SOLD: "Sold" }
const statuses: ReadonlyArray<Choice> = [
  { value: "IN_STOCK", label: statusLabels.IN_STOCK },
  { value: "SOLD", label: statusLabels.SOLD }
]

const addForm = (user: CompanyUser, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "add",
    action: path,
    button: "Save the vehicle",
    state,
    fields: [
      {
        is: "text",
        name: "vehicleId",
        label: "The vehicle's id in your stock",
        hint: html`What a start names as <code>inventoryVehicleId</code>. Up to
          ${startFieldLimits.longestOtherSystemsId} characters. An id that is there already gets the status.`,
        required: true,
        autocomplete: "off"
      },
      { is: "select", name: "status", label: "Status", choices: statuses, value: "IN_STOCK" }
    ]
  })

const changeForm = (user: CompanyUser, id: string, status: VehicleStatus): Html => {
  const other = status === "SOLD" ? "IN_STOCK" : "SOLD"
  return html`<form method="post" action="${path}" class="inline">
    ${tokenField(user.formToken)}
    <input type="hidden" name="vehicleId" value="${id}" />
    <button name="status" value="${other}" class="secondary outline">
      ${other === "SOLD" ? "Mark as sold" : "Back into stock"}<span class="unseen">: ${id}</span>
    </button>
  </form>`
}

const noVehicle = (isFiltered: boolean): Shown =>
  isFiltered
    ? html`<p>No vehicle is like that. <a href="${path}">Show all</a></p>`
    : html`<p>
        The stock is empty. A vehicle that is here and that a journey names (<code>inventoryVehicleId</code> of its
        start) is marked as sold when its live handover completes. Journeys work without a stock, too.
      </p>`

const vehiclesPage = (user: CompanyUser, state: ConsoleFormState) =>
  Effect.gen(function* () {
    const asked = pageQuery(user)
    const [search, status, cursor] = [asked("search").trim(), asked("status"), asked("cursor")]
    const { content, next } = yield* ask(vehicleOperations, "listVehicles", {
      path: user.path,
      query: { search, status, cursor }
    })
    return yield* showPage(user, {
      heading: "Vehicles",
      status: statusWith(state),
      content: html`${formOf(user, {
          id: "find",
          action: path,
          button: "Search",
          all: unfiltered(path, { search, status }),
          asks: true,
          isRow: true,
          fields: [
            { is: "search", name: "search", label: "The id begins with", value: search },
            {
              is: "select",
              name: "status",
              label: "Status",
              value: status,
              choices: [{ value: "", label: "Any status" }, ...statuses]
            }
          ]
        })}
        ${listTable({
          caption: search === "" ? "Vehicles, the last changed first" : "Vehicles by their ids",
          head: ["Id", "Status", "Sold by", "Changed", "Change"],
          empty: noVehicle(search !== "" || status !== ""),
          rows: content.map((vehicle) => [
            html`<bdi>${vehicle.id}</bdi>`,
            statusLabels[vehicle.status],
            vehicle.soldBy === null
              ? "–"
              : html`<a href="/console/journeys/${vehicle.soldBy}"><code>${vehicle.soldBy}</code></a>`,
            shownTime(vehicle.changedAt),
            changeForm(user, vehicle.id, vehicle.status)
          ]),
          next: next === null ? null : withQuery(path, { search, status, cursor: next })
        })}
        <h2>Add a vehicle</h2>
        ${addForm(user, state)}`
    })
  })

const saveVehicle = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const status = fields.get("status") ?? undefined
    const vehicleId = fields.get("vehicleId") ?? ""
    const saved = yield* orShownAgain(
      ask(vehicleOperations, "saveVehicle", { path: { ...user.path, vehicleId }, body: { status } }),
      fields
    )
    if ("state" in saved) return yield* vehiclesPage(user, saved.state)
    return yield* redirectTo(path, `The vehicle is ${statusLabels[saved.status].toLowerCase()} now.`)
  })

export const vehicleRoutes = [
  { method: "GET", path, handle: companyPage((user) => vehiclesPage(user, asFirstShown)) },
  { method: "POST", path, handle: companyForm(saveVehicle) }
] as const
