/** The operator's named tokens: the list, the form that makes one, and the end of one. A new token is shown once, on the answer to the form. */
import { Clock, Effect } from "effect"
import {
  OperatorScope,
  operatorScopes,
  type OperatorTokenResource
} from "../../../schema/installation/OperatorToken.ts"
import { installationLimits } from "../../../schema/installation/limits.ts"
import { timestamp } from "../../../schema/moment.ts"
import { operatorTokenOperations } from "../../api/installation/operatorTokens.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorForm, operatorPage, redirectTo, showPage, type ConsoleUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import { askedFirst, listTable, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { newFormField, refuseSecondSend } from "../frame/sendOnce.ts"
import { onceScripts, shownOnce } from "../frame/shownOnce.ts"
import { expiryOf } from "../keys/keyParts.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const path = `${operatorPath}/tokens`

const endOf = (token: OperatorTokenResource, now: string): Shown => {
  if (token.revokedAt !== null) return html`revoked ${shownTime(token.revokedAt)}`
  if (token.expiresAt === null) return "never"
  return token.expiresAt <= now ? html`ended ${shownTime(token.expiresAt)}` : shownTime(token.expiresAt)
}

const shownList = (user: ConsoleUser, state: ConsoleFormState = asFirstShown) =>
  Effect.gen(function* () {
    const asked = pageQuery(user)("page")
    const found = yield* ask(operatorTokenOperations, "listOperatorTokens", { query: { page: asked } })
    const { content, page, totalPages } = found
    const now = timestamp(yield* Clock.currentTimeMillis)
    const once = yield* newFormField
    return yield* showPage(user, {
      heading: "Operator tokens",
      scripts: onceScripts,
      status: statusWith(state),
      content: html`<p>
          Give each person, pipeline and monitor a token of its own: the audit log then says who it was, and one can be
          ended without the others. The token of <code>OPERATOR_TOKEN</code> may do everything and is not in this list.
        </p>
        ${listTable({
          caption: "Named tokens, newest first",
          head: ["Name", "Ends with", "May", "Last used", "Ends", ""],
          empty: html`<p>There is no named token yet.</p>`,
          rows: content.map((token) => [
            html`<code>${token.name}</code>`,
            html`…<code>${token.last4}</code>`,
            token.scopes.join(", "),
            token.lastUsedAt === null ? "never" : shownTime(token.lastUsedAt),
            endOf(token, now),
            token.revokedAt === null &&
              askedFirst(
                `Revoke ${token.name}`,
                html`<form method="post" action="${path}/${token.id}/revoke">
                  ${tokenField(user.formToken)}<button class="danger">Revoke ${token.name} for good</button>
                </form>`
              )
          ]),
          next: page + 1 < totalPages ? withQuery(path, { page: String(page + 1) }) : null
        })}
        <h2>Make a token</h2>
        ${formOf(user, {
          id: "token",
          action: path,
          button: "Make the token",
          before: once,
          state,
          fields: [
            {
              is: "text",
              name: "name",
              label: "Name",
              required: true,
              autocomplete: "off",
              hint: "Small letters, digits, dots and dashes, such as deploy. A name is used once."
            },
            ...OperatorScope.literals.map(
              (scope) => ({ is: "tick", name: `scopes[${scope}]`, label: scope, hint: operatorScopes[scope] }) as const
            ),
            {
              is: "date",
              name: "expiresAt",
              label: "Last day, in UTC",
              hint: `Left empty, it ends after ${installationLimits.tokenDays} days`
            }
          ]
        })}`
    })
  })

const make = operatorForm((user, fields) =>
  Effect.gen(function* () {
    yield* refuseSecondSend(fields)
    const expiresAt = expiryOf(fields)
    const body = {
      name: (fields.get("name") ?? "").trim(),
      scopes: OperatorScope.literals.filter((scope) => fields.has(`scopes[${scope}]`)),
      ...(expiresAt === null ? {} : { expiresAt })
    }
    const made = yield* orShownAgain(ask(operatorTokenOperations, "createOperatorToken", { body }), fields)
    if ("state" in made) return yield* shownList(user, made.state)
    return yield* showPage(user, {
      heading: `The token ${made.name} is made`,
      scripts: onceScripts,
      content: html`${shownOnce("token", made.token)}
        <p><a role="button" href="${path}">I have copied the token</a></p>`
    })
  })
)

const revoke = operatorForm(() =>
  Effect.gen(function* () {
    const tokenId = yield* pathPart("tokenId")
    const { name } = yield* ask(operatorTokenOperations, "revokeOperatorToken", { path: { tokenId } })
    return yield* redirectTo(path, `The token ${name} is revoked.`)
  })
)

export const operatorTokensRoutes = [
  { method: "GET", path, handle: operatorPage((user) => shownList(user)) },
  { method: "POST", path, handle: make },
  { method: "POST", path: `${path}/:tokenId/revoke`, handle: revoke }
] as const
