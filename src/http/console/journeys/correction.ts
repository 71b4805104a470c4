/**
 * The form by which the team corrects what a journey's customer has told, /console/journeys/{id}/correct. Beside the customer's
 * name it does not show what is on file: that is in the case file, whose every look is written down. A field that is left empty stays as it is.
 */
import { Effect } from "effect"
import { customerOperations } from "../../api/team/customers.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import { customerOfJourney, type CustomerOfJourney } from "./customerOfJourney.ts"
import { journeyPath } from "./journeyParts.ts"
import { whichJourney } from "./whichJourney.ts"

const path = "/console/journeys/:journeyId/correct" as const

const titles = ["MR", "MRS", "MISS", "MS", "DR"]

const form = (user: CompanyUser, journey: CustomerOfJourney, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "correct",
    action: `${journeyPath(journey.id)}/correct`,
    button: "Correct",
    state,
    fields: [
      { is: "text", name: "firstName", label: "First name", autocomplete: "off" },
      { is: "text", name: "lastName", label: "Last name", autocomplete: "off" },
      {
        is: "select",
        name: "title",
        label: "Title",
        value: "",
        choices: [
          { value: "", label: "As it is" },
          ...titles.map((title) => ({ value: title, label: `${title.slice(0, 1)}${title.slice(1).toLowerCase()}` }))
        ]
      },
      { is: "date", name: "dateOfBirth", label: "Date of birth", autocomplete: "off" },
      { is: "tel", name: "mobile", label: "Mobile number", autocomplete: "off" },
      {
        is: "email",
        name: "email",
        label: "Email address",
        autocomplete: "off",
        hint: "Another address ends the customer's links and sessions at once. A new link is mailed to it."
      }
    ]
  })

const shown = (user: CompanyUser, journey: CustomerOfJourney, state: ConsoleFormState) =>
  showPage(user, {
    heading: "Correct the customer's data",
    status: statusWith(state),
    content: html`${whichJourney(journey.overview)}
      <p>
        What you write here replaces what is on file, in all journeys of this customer. What you leave empty stays as it
        is. The values of before are not kept. What is on file now is in the
        <a href="${journeyPath(journey.id)}/case">case file</a>.
      </p>
      <p>
        Names, title and birth date stay once the identity was verified with them, or once they went to the lender: then
        the journey is cancelled and started again. A lender does not hear of a correction. The delivery address is
        corrected by the customer, until the video is sent.
      </p>
      ${form(user, journey, state)}
      <p><a href="${journeyPath(journey.id)}">Go back, correct nothing</a></p>`
  })

/** What was typed; a field that was left empty is none. */
const typedIn = (fields: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["firstName", "lastName", "title", "dateOfBirth", "mobile", "email"].flatMap((name) => {
      const value = fields.get(name)?.trim() ?? ""
      return value === "" ? [] : [[name, value]]
    })
  )

const outcome = (corrected: ReadonlyArray<string>, linksMailed: number): string => {
  if (corrected.length === 0) return "Nothing was corrected: what you wrote is what is on file, or you wrote nothing."
  const mailed = linksMailed === 0 ? "" : " A new link was mailed to the new address."
  return `The customer's data was corrected.${mailed}`
}

export const correctionRoutes = [
  {
    method: "GET",
    path,
    handle: companyPage((user) =>
      Effect.flatMap(customerOfJourney(user), (journey) => shown(user, journey, asFirstShown))
    )
  },
  {
    method: "POST",
    path,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const journey = yield* customerOfJourney(user)
        const done = yield* orShownAgain(
          ask(customerOperations, "correctCustomer", {
            path: { ...user.path, customerReference: journey.customerReference },
            body: typedIn(fields)
          }),
          fields
        )
        if ("state" in done) return yield* shown(user, journey, done.state)
        return yield* redirectTo(journeyPath(journey.id), outcome(done.corrected, done.linksMailed))
      })
    )
  }
] as const
