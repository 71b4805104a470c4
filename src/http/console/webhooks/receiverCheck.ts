/** The check of a receiver on its endpoint's page: the button, and the page that says line by line what the receiver did. */
import { ReceiverProbe, type ReceiverCheck } from "../../../schema/webhook/ReceiverCheck.ts"
import { receiverCheckOperations } from "../../api/webhooks/receiverCheck.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { companyForm, showPage } from "../frame/consolePage.ts"
import { listTable } from "../frame/lists.ts"
import { Effect } from "effect"
import { endpointPageOf, endpointQuestion, webhooksPath, type ModeName } from "./endpointParts.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** The button, with what it sends. */
export const checkForm = ({ formToken, mode }: { readonly formToken: string; readonly mode: ModeName }): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}/check">
    ${tokenField(formToken)}
    <p>
      Sends ${ReceiverProbe.literals.length} requests that a receiver must cope with, such as a changed byte and an old
      signature, and says what it did.
      ${mode === "live" ? "The live receiver gets pings only." : "The ids in them are invented."} None of it stands in
      the delivery log.
    </p>
    <button class="secondary">Check the receiver</button>
  </form>`

const verdict = (passed: boolean | null): string => (passed === null ? "Not sent" : passed ? "Passed" : "Wrong")

const lines = ({ lines }: ReceiverCheck): Html =>
  listTable({
    caption: "What was sent, and what the receiver did",
    head: ["Sent", "Result", "It did", "It should", "Milliseconds"],
    empty: null,
    rows: lines.map(({ did, durationMillis, passed, sent, should }) => [
      sent,
      verdict(passed),
      did,
      should,
      durationMillis ?? "–"
    ])
  })

const check = companyForm((user) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    const found = yield* ask(receiverCheckOperations, "checkWebhookEndpoint", question)
    const page = endpointPageOf(question.path.mode)
    return yield* showPage(user, {
      heading: found.passed ? "The receiver passed" : "The receiver did not pass",
      content: html`<p><code>${found.url}</code></p>
        ${lines(found)}
        <p><a role="button" href="${page}">Back to the endpoint</a></p>`
    })
  })
)

export const receiverCheckRoutes = [{ method: "POST", path: `${webhooksPath}/:mode/check`, handle: check }] as const
