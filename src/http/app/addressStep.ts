/**
 * /app/address: the address on file is shown to be confirmed or corrected, or asked for when there is none. What is
 * confirmed is kept sealed before the journey is told, so that the handover never stands without its place.
 */
import { Effect, Result } from "effect"
import { CustomerDetails } from "../../actors/customer/CustomerDetails.ts"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import {
  addressFields,
  addressLines,
  decodeDeliveryAddress,
  type AddressField,
  type AddressProblems
} from "../../schema/journey/deliveryAddress.ts"
import { html, type Html } from "./html.ts"
import { hiddenToken, pageResponse, seeOther } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { closedPage } from "./noticePages.ts"
import { frameOf, submitted, visited, type Visit } from "./CustomerSession.ts"

interface Field {
  readonly name: AddressField
  readonly label: string
  /** What a browser may fill in by itself. */
  readonly autocomplete?: string
  readonly isRequired?: true
}

/** In the order of an envelope. */
const fields: ReadonlyArray<Field> = [
  { name: "buildingNumber", label: "House number" },
  { name: "buildingName", label: "House or building name" },
  { name: "subBuildingName", label: "Flat or unit" },
  { name: "organisationName", label: "Company at this address" },
  { name: "street", label: "Street", autocomplete: "address-line1", isRequired: true },
  { name: "city", label: "Town or city", autocomplete: "address-level2", isRequired: true },
  { name: "county", label: "County", autocomplete: "address-level1" },
  { name: "postcode", label: "Postcode", autocomplete: "postal-code", isRequired: true }
]

type Given = Readonly<Partial<Record<AddressField, string>>>

const input = (given: Given, problems: AddressProblems, { autocomplete, isRequired, label, name }: Field): Html => {
  const problem = problems[name]
  return html`<div class="field${problem !== undefined && " wrong"}">
    <label for="${name}">${label}${isRequired !== true && html` <span class="optional">(optional)</span>`}</label
    >${problem !== undefined && html`<p class="error" id="${name}-error"><strong>Error:</strong> ${label} ${problem}</p>`}<input
      id="${name}"
      name="${name}"
      value="${given[name] ?? ""}"
      ${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${isRequired === true && html` required`}${
        problem !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`
      }
    />
  </div>`
}

const summary = (problems: AddressProblems): Html => {
  const wrong = fields.filter(({ name }) => problems[name] !== undefined)
  return html`<div class="summary" role="alert" tabindex="-1">
    <h2>Please look at ${wrong.length === 1 ? "one field" : `${wrong.length} fields`} again</h2>
    <ul>
      ${wrong.map(({ label, name }) => html`<li><a href="#${name}">${label} ${problems[name] ?? ""}</a></li>`)}
    </ul>
  </div>`
}

const addressForm = (visit: Visit, given: Given, problems: AddressProblems): Html =>
  html`<form method="post" novalidate>
    ${hiddenToken(visit.formToken)}${fields.map((field) => input(given, problems, field))}
    <button>Deliver to this address</button>
  </form>`

/** The address on file first; the fields to correct it are one tap away, without a script. */
const content = (visit: Visit, given: Given | null, problems: AddressProblems): Html => {
  if (given !== null) return html`${summary(problems)}${addressForm(visit, given, problems)}`
  const { address } = visit.details
  if (address === null) {
    return html`<p>We have no address on file. Where is your vehicle to be handed over?</p>
      ${addressForm(visit, {}, {})}`
  }
  return html`<p>Is this where your vehicle is to be handed over?</p>
    <address>${addressLines(address).map((line) => html`${line}<br />`)}</address>
    <form method="post">
      ${hiddenToken(visit.formToken)}${addressFields.map(
        (name) => address[name] !== undefined && html`<input type="hidden" name="${name}" value="${address[name]}" />`
      )}<button>Yes, deliver here</button>
    </form>
    <details>
      <summary>No, change the address</summary>
      ${addressForm(visit, address, {})}
    </details>`
}

const heading = "Confirm the delivery address"

const shown = (visit: Visit, given: Given | null = null, problems: AddressProblems = {}) =>
  pageResponse({
    ...frameOf(visit),
    heading,
    isProblem: given !== null,
    status: given === null ? pageStatus.shown : pageStatus.unusable,
    content: content(visit, given, problems)
  })

const isAsked = ({ journey }: Visit): boolean => journey.livemode && stepAskedOf(journey) === "CONFIRM_ADDRESS"

export const addressPage = visited((_request, visit) =>
  Effect.succeed(isAsked(visit) ? shown(visit) : seeOther("/app/journey"))
)

export const confirmAddress = submitted(
  Effect.fnUntraced(function* (visit, form) {
    if (!isAsked(visit)) return seeOther("/app/journey")
    const given = Object.fromEntries(addressFields.map((name) => [name, form.get(name) ?? ""]))
    const address = decodeDeliveryAddress(given)
    if (Result.isFailure(address)) return shown(visit, given, address.failure)
    const file = yield* CustomerDetails
    if (!(yield* file.keepAddress(visit.journey.id, address.success))) return closedPage(false)
    // Of two at once, the second finds it confirmed: both see the journey.
    yield* Effect.catchTag(askAsCustomer(visit, { _tag: "LocationConfirmed" }), "JourneyRefused", () => Effect.void)
    return seeOther("/app/journey")
  })
)
