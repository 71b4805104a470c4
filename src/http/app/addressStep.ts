/**
 * The step CONFIRM_ADDRESS at /app/address: the page shows the address on file to be confirmed or corrected, or asks for an
 * address. A confirmed address is stored, sealed, before the journey hears of it: the handover never stands without its
 * address. The fields and their rules are `deliveryAddress.ts`'s.
 */
import { Effect, Result } from "effect"
import { CustomerDetails } from "../../actors/customer/CustomerDetails.ts"
import {
  addressFields,
  addressLines,
  decodeDeliveryAddress,
  type AddressField,
  type AddressProblems
} from "../../schema/requests/deliveryAddress.ts"
import { STEPS } from "../../schema/journey/steps.ts"
import { appRoute } from "./appRoute.ts"
import { html, type Html } from "./html.ts"
import { hiddenToken, pageResponse, toJourneyPage } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { closedPage } from "./noticePages.ts"
import { customerForm, customerPage, frameOf, whenAskedFor, type CustomerSession } from "./CustomerSession.ts"

interface Field {
  readonly name: AddressField
  readonly label: string
  /** What the browser may fill in. */
  readonly autocomplete?: string
  readonly isRequired?: true
}

/** In the order of an address on an envelope. */
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

const addressForm = (customer: CustomerSession, given: Given, problems: AddressProblems): Html =>
  html`<form method="post" novalidate>
    ${hiddenToken(customer.formToken)}${fields.map((field) => input(given, problems, field))}
    <button>Deliver to this address</button>
  </form>`

/** The page shows the address on file first. The fields that correct it are one tap away and need no script. */
const content = (customer: CustomerSession, given: Given | null, problems: AddressProblems): Html => {
  if (given !== null) return html`${summary(problems)}${addressForm(customer, given, problems)}`
  const { address } = customer.details
  if (address === null) {
    return html`<p>We have no address on file. Where is your vehicle to be handed over?</p>
      ${addressForm(customer, {}, {})}`
  }
  return html`<p>Is this where your vehicle is to be handed over?</p>
    <address>${addressLines(address).map((line) => html`${line}<br />`)}</address>
    <form method="post">
      ${hiddenToken(customer.formToken)}${addressFields.map(
        (name) => address[name] !== undefined && html`<input type="hidden" name="${name}" value="${address[name]}" />`
      )}<button>Yes, deliver here</button>
    </form>
    <details>
      <summary>No, change the address</summary>
      ${addressForm(customer, address, {})}
    </details>`
}

const { name: heading, path } = STEPS.CONFIRM_ADDRESS.app

const shown = (customer: CustomerSession, given: Given | null = null, problems: AddressProblems = {}) =>
  pageResponse({
    ...frameOf(customer),
    heading,
    isProblem: given !== null,
    status: given === null ? pageStatus.shown : pageStatus.unusable,
    content: content(customer, given, problems)
  })

const addressPage = customerPage(
  whenAskedFor("CONFIRM_ADDRESS", (_request, customer) => Effect.succeed(shown(customer)))
)

const confirmAddress = customerForm(
  whenAskedFor(
    "CONFIRM_ADDRESS",
    Effect.fnUntraced(function* (form: URLSearchParams, customer) {
      const given = Object.fromEntries(addressFields.map((name) => [name, form.get(name) ?? ""]))
      const address = decodeDeliveryAddress(given)
      if (Result.isFailure(address)) return shown(customer, given, address.failure)
      const file = yield* CustomerDetails
      if (!(yield* file.keepAddress(customer.journey.id, address.success))) return closedPage(false)
      // Of two confirmations at once the journey refuses the second: both customers see the journey.
      yield* Effect.catchTag(
        askAsCustomer(customer, { _tag: "LocationConfirmed" }),
        "JourneyRefused",
        () => Effect.void
      )
      return toJourneyPage()
    })
  )
)

export const addressStepRoutes = [appRoute("GET", path, addressPage), appRoute("POST", path, confirmAddress)] as const
