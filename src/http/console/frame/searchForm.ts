/** The form that searches a whole list. What is searched for may be personal, so it is sent in a body and stands in no address. */
import type { Html } from "../../server/pages/html.ts"
import type { CompanyUser } from "./consolePage.ts"
import { formOf, type ConsoleFormState } from "./forms.ts"

interface Searched {
  /** Where the form goes. */
  readonly action: string
  readonly label: string
  /** What is found, and how. */
  readonly hint: string
}

export const searchForm =
  ({ action, hint, label }: Searched) =>
  (user: CompanyUser, search: string, state: ConsoleFormState): Html =>
    formOf(user, {
      id: "search",
      action,
      button: "Search",
      isRow: true,
      whenRefused: "Nothing was looked up.",
      state,
      fields: [{ is: "search", name: "search", label, value: search, hint, autocomplete: "off" }]
    })
