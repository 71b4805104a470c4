/** Cells that several lists of the operator's pages have: the company of a row, and the way to its journey. */
import { html, type Html } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import type { ConsoleUser } from "../frame/consolePage.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

interface Listed {
  readonly companyId: string
  readonly companyName: string
}

/** The operator's page of a company. */
export const pageOfCompany = (companyId: string): string => `${operatorPath}/companies/${companyId}`

export const companyLink = (one: Listed): Html =>
  html`<a href="${pageOfCompany(one.companyId)}"><bdi>${one.companyName}</bdi></a>`

/** A form and no link, because it opens the company's console, and the company's audit log has that. */
export const openJourney = (
  { formToken }: ConsoleUser,
  { companyId, companyName, journeyId }: Listed & { readonly journeyId: string }
): Html =>
  html`<form method="post" action="${pageOfCompany(companyId)}/open" class="inline">
    ${tokenField(formToken)}<input type="hidden" name="journeyId" value="${journeyId}" /><button
      class="outline"
      aria-label="Open journey ${journeyId} in the console of ${companyName}"
    >
      Open
    </button>
  </form>`
