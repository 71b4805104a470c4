/**
 * The page of a company's API keys: the list, and the form that makes one. A new key is shown on the answer to the form, once.
 * The page of one key is in `key.ts`.
 */
import { Clock, Effect } from "effect"
import type { ApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { KeyScope } from "../../../schema/company/ApiKey.ts"
import { timestamp } from "../../../schema/moment.ts"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { keyOperations } from "../../api/company/keys.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { companyForm, companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import {
  addressesOf,
  expiryOf,
  keyFields,
  keyPath,
  keysPath,
  lastUse,
  scopesShown,
  stateOf,
  usualEndOf
} from "./keyParts.ts"
import { isOwner } from "../frame/owners.ts"
import { listedWords } from "../words/listedWords.ts"
import { newKeyPage } from "./newKey.ts"
import { listTable, pager, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { newFormField, refuseSecondSend } from "../frame/sendOnce.ts"
import { onceScripts } from "../frame/shownOnce.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const table = (caption: string, keys: ReadonlyArray<ApiKeyResource>, now: string): Shown =>
  keys.length > 0 &&
  listTable({
    caption,
    head: ["Name", "Ends with", "May", "Ends", "Made", "Last used", "State"],
    empty: null,
    rows: keys.map((key) => [
      html`<a href="${keyPath(key.id)}"><bdi>${key.name === "" ? "No name" : key.name}</bdi></a>`,
      html`…<code>${key.last4}</code>`,
      scopesShown(key.scopes),
      key.expiresAt === null ? "Never" : shownTime(key.expiresAt),
      shownTime(key.createdAt),
      lastUse(key),
      stateOf(key, now)
    ])
  })

const nothingYet = html`<p>
    There is no API key yet. A program shows a key with every request: with a <strong>test</strong> key it works in the
    sandbox, where no customer is mailed and nobody is charged; with a <strong>live</strong> key it reaches real
    customers.
  </p>
  <p>Begin with a test key. The page that makes it shows how to call the API with it.</p>`

const makeForm = (user: CompanyUser, state: ConsoleFormState, isOpen: boolean) =>
  Effect.zipWith(
    newFormField,
    Clock.currentTimeMillis,
    (once, now) =>
      html`<details ${isOpen && html`open`}>
        <summary role="button" class="outline">Make a key</summary>
        ${formOf(user, {
          id: "make",
          action: keysPath,
          button: "Make the key",
          before: once,
          state,
          fields: [
            {
              is: "radio",
              name: "mode",
              label: "For",
              value: "TEST",
              choices: [
                { value: "TEST", label: "test journeys, in the sandbox" },
                { value: "LIVE", label: "live journeys, with real customers" }
              ]
            },
            ...keyFields({ name: "", scopes: KeyScope.literals, expiresAt: usualEndOf(now), addresses: [] })
          ]
        })}
      </details>`
  )

const shownList = Effect.fnUntraced(function* (user: CompanyUser, state: ConsoleFormState) {
  const query = { page: pageQuery(user)("page"), size: largestPageSize }
  const found = yield* ask(keyOperations, "listApiKeys", { path: user.path, query })
  const now = timestamp(yield* Clock.currentTimeMillis)
  const of = (mode: ApiKeyResource["mode"]) => found.content.filter((key) => key.mode === mode)
  const isEmpty = found.totalElements === 0
  const made = isOwner(user) ? yield* makeForm(user, state, isEmpty || state.errors.length > 0) : null
  return yield* showPage(user, {
    heading: "API keys",
    status: statusWith(state),
    scripts: onceScripts,
    content: html`${isEmpty && nothingYet}
    ${made ?? html`<p>Only an owner of the company can make, change or revoke keys.</p>`}
    ${table("Test keys", of("TEST"), now)} ${table("Live keys", of("LIVE"), now)}
    ${pager({
      page: found.page,
      totalPages: found.totalPages,
      at: (page) => withQuery(keysPath, { page: String(page) }),
      before: "Newer keys",
      behind: "Older keys"
    })}`
  })
})

const make = companyForm((user, fields) =>
  Effect.gen(function* () {
    yield* refuseSecondSend(fields)
    const name = fields.get("name") ?? ""
    const body = {
      mode: fields.get("mode") ?? "",
      scopes: fields.getAll("scopes"),
      ...(name === "" ? {} : { name }),
      expiresAt: expiryOf(fields),
      addresses: addressesOf(fields)
    }
    const made = yield* orShownAgain(ask(keyOperations, "createApiKey", { path: user.path, body }), fields)
    if ("state" in made) return yield* shownList(user, made.state)
    return yield* newKeyPage(user, `The ${listedWords.modesWithin[made.mode]} key is made`, made)
  })
)

export const keysRoutes = [
  { method: "GET", path: keysPath, handle: companyPage((user) => shownList(user, asFirstShown)) },
  { method: "POST", path: keysPath, handle: make }
] as const
