/**
 * How an owner erases the customer of a journey for good, /console/journeys/{id}/erase: a page that says what goes and what stays and asks
 * for a tick, and afterwards how far the erasure is, with its proof as a file. The operation behind it is `api/team/customers.ts`.
 */
import { Effect } from "effect"
import type { ErasureProofResource } from "../../../schema/erasure/ErasureProof.ts"
import { customerOperations } from "../../api/team/customers.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, statusWith } from "../frame/forms.ts"
import { jsonFile } from "../frame/savedFile.ts"
import { isOwner, ownersOnly } from "../frame/owners.ts"
import { customerOfJourney, type CustomerOfJourney } from "./customerOfJourney.ts"
import { journeyPath } from "./journeyParts.ts"
import { whichJourney } from "./whichJourney.ts"

const path = "/console/journeys/:journeyId/erase" as const

const pathOf = ({ id }: CustomerOfJourney): string => `${journeyPath(id)}/erase`

/** How far the erasure of the customer is; null: nobody has asked for it. */
const erasureOf = (user: CompanyUser, { customerReference }: CustomerOfJourney) =>
  ask(customerOperations, "getErasureProof", { path: { ...user.path, customerReference } }).pipe(
    Effect.catchTag("Problem", (failure) => {
      switch (failure.errors[0].code) {
        case "NOT_FOUND":
          return Effect.succeed(null)
        case "CONFLICT":
          return Effect.succeed("UNDER_WAY" as const)
        default:
          return Effect.fail(failure)
      }
    })
  )

const erased = (customer: CustomerOfJourney, { statement: { erasedAt, journeys } }: ErasureProofResource): Html =>
  html`<p role="status">
      <strong>The customer was erased</strong> ${shownTime(erasedAt)}, from ${journeys.length} of your journeys.
    </p>
    <p>
      <a href="${pathOf(customer)}/proof" download>The proof of it, as a file</a> holds no personal data. Keep it: it
      says what was erased, when, and which key was destroyed, and is signed.
    </p>`

const underWay = (customer: CustomerOfJourney): Html =>
  html`<p role="status">
    The customer is being erased. It goes on by itself, also when the service is restarted.
    <a href="${pathOf(customer)}">Look again</a>
  </p>`

const question = (user: CompanyUser, customer: CustomerOfJourney, state: ConsoleFormState): Html =>
  html`<p>
      This erases the customer of this journey from your company, in all of their
      ${customer.overview.journey.livemode ? "live" : "test"} journeys.
      <strong>There is no way back.</strong>
    </p>
    <ul>
      <li>Journeys of the customer that are running are cancelled.</li>
      <li>
        The key of the customer is destroyed, and everything that it sealed is deleted: names, addresses, the
        application, photos, videos, notes, mails, links and sessions.
      </li>
      <li>
        Journeys, events, credits and the audit log stay. They hold no personal data. What a lender, a provider or a
        receiver of your webhooks has been told stays with them.
      </li>
    </ul>
    ${formOf(user, {
      id: "erase",
      action: pathOf(customer),
      button: "Erase the customer",
      isDangerous: true,
      state,
      fields: [{ is: "tick", name: "isMeant", label: "Erase this customer for good" }]
    })}
    <p><a href="${journeyPath(customer.id)}">Go back, erase nothing</a></p>`

const shown = Effect.fnUntraced(function* (user: CompanyUser, state: ConsoleFormState = asFirstShown) {
  if (!isOwner(user)) return yield* ownersOnly()
  const customer = yield* customerOfJourney(user)
  const erasure = yield* erasureOf(user, customer)
  const content = () => {
    if (erasure === null) return question(user, customer, state)
    return erasure === "UNDER_WAY" ? underWay(customer) : erased(customer, erasure)
  }
  return yield* showPage(user, {
    heading: "Erase the customer",
    status: statusWith(state),
    content: html`${whichJourney(customer.overview)} ${content()}`
  })
})

const notMeant = {
  field: "isMeant",
  code: "VALIDATION_FAILED",
  message: "Tick this if the customer is to be erased"
} as const

export const erasureRoutes = [
  { method: "GET", path, handle: companyPage((user) => shown(user)) },
  {
    method: "POST",
    path,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        if (fields.get("isMeant") !== "yes") return yield* shown(user, { typed: fields, errors: [notMeant] })
        const customer = yield* customerOfJourney(user)
        const { customerReference } = customer
        yield* ask(customerOperations, "eraseCustomer", { path: { ...user.path, customerReference } })
        return yield* redirectTo(pathOf(customer), "The erasure has begun.")
      })
    )
  },
  {
    method: "GET",
    path: `${path}/proof`,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const { customerReference } = yield* customerOfJourney(user)
        const proof = yield* ask(customerOperations, "getErasureProof", { path: { ...user.path, customerReference } })
        return jsonFile(`erasure-${customerReference}`, proof)
      })
    )
  }
] as const
