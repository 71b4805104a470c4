/** Where the customer is signed in, as a part of the journey's page, and the form that ends one of the sessions. */
import type { CustomerSessionResource } from "../../../schema/customer/ListedCustomerSession.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { listTable } from "../frame/lists.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

interface SessionsShown {
  readonly sessions: ReadonlyArray<CustomerSessionResource>
  readonly formToken: string
}

const openedWith: Readonly<Record<CustomerSessionResource["openedBy"], string>> = {
  MAIL: "a link in a mail",
  QR_CODE: "a QR code, on a telephone"
}

export const customerSessions = ({ formToken, sessions }: SessionsShown, path: string): Shown =>
  sessions.length > 0 &&
  html`<section aria-labelledby="sessions-heading">
    <h2 id="sessions-heading">The customer is signed in</h2>
    ${listTable({
      caption: "Where the customer is signed in, the last seen first",
      head: ["Signed in with", "Since", "Last seen", "Change"],
      empty: null,
      rows: sessions.map((one) => [
        openedWith[one.openedBy],
        shownTime(one.openedAt),
        shownTime(one.seenAt),
        html`<form method="post" action="${path}/end-session" class="inline">
          ${tokenField(formToken)}<input type="hidden" name="customerSessionId" value="${one.id}" />
          <button class="secondary outline">End</button>
        </form>`
      ])
    })}
  </section>`
