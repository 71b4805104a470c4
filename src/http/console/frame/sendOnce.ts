/**
 * Forms that may be sent once, because their answer shows a new secret and is no redirect: making or rotating a key, making a token
 * of the operator, setting an endpoint or rolling its secret. The form has a number; the first request with it goes through, and every other one changes nothing.
 */
import { Effect } from "effect"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { SentForms } from "../../../actors/members/SentForms.ts"
import { uuid } from "../../../schema/uuid.ts"
import { written } from "../../api/frame/change.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { problem } from "../../server/answers/problems.ts"

/** The field with the number of one form. */
export const newFormField: Effect.Effect<Html, never, Ids> = Effect.map(
  Ids,
  (ids) => html`<input type="hidden" name="form" value="${ids.next()}" />`
)

/** Fails when the form was sent before. What fails after this is not done by sending the form again: a page has a new one. */
export const refuseSecondSend = Effect.fnUntraced(function* (fields: URLSearchParams) {
  const id = (fields.get("form") ?? "").toLowerCase()
  const forms = yield* SentForms
  if (uuid.test(id) && (yield* written(forms.isFirst(id)))) return
  return yield* problem(
    "CONFLICT",
    "form",
    "This form was sent before, and nothing was done a second time. A key or a secret is shown only once: if it was not copied, make another one."
  )
})
