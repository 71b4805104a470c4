/**
 * The page of a company's API keys: the list, and the form that makes one. A new key is shown on the answer to the form, once.
 * The page of one key is in `key.ts`.
 */
import { Clock, Effect } from "effect"
import type { ApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { KeyScope } from "../../../schema/company/ApiKey.ts"
import { timestamp } from "../../../schema/moment.ts"
import { largestPageSize } from "../../../schema/parameters.ts"
import type { FieldError } from "../../../schema/problems.ts"
import { keyOperations } from "../../api/keys.ts"
import { ask } from "../../server/ask.ts"
import { html, type Shown } from "../../server/html.ts"
import { pageStatus } from "../../server/pageStatus.ts"
import { tokenField } from "../frame/consoleFrame.ts"
import { companyForm, companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { orRefused, otherProblems, Refused } from "../frame/fieldProblems.ts"
import {
  endOfDay,
  keyFields,
  keyFieldsOf,
  keyPath,
  keysPath,
  scopesShown,
  stateOf,
  type KeyFields
} from "./keyParts.ts"
import { isOwner } from "../frame/owners.ts"
import { listedWords } from "../words/listedWords.ts"
import { newKeyPage } from "./newKey.ts"
import { listTable } from "../frame/lists.ts"
import { pageQuery } from "../frame/pageQuery.ts"
import { newFormField, refuseSecondSend } from "../frame/sendOnce.ts"
import { onceScripts } from "../frame/shownOnce.ts"
import { shownTime } from "../../server/shownTime.ts"

const table = (caption: string, keys: ReadonlyArray<ApiKeyResource>, now: string): Shown =>
  keys.length > 0 &&
  listTable({
    caption,
    head: ["Name", "Ends with", "May", "Ends", "Made", "State"],
    empty: null,
    rows: keys.map((key) => [
      html`<a href="${keyPath(key.id)}"><bdi>${key.name === "" ? "No name" : key.name}</bdi></a>`,
      html`…<code>${key.last4}</code>`,
      scopesShown(key.scopes),
      key.expiresAt === null ? "Never" : shownTime(key.expiresAt),
      shownTime(key.createdAt),
      stateOf(key, now)
    ])
  })

const nothingYet = html`<p>
    There is no API key yet. A program shows a key with every request: with a <strong>test</strong> key it works in the
    sandbox, where no customer is mailed and nobody is charged; with a <strong>live</strong> key it reaches real
    customers.
  </p>
  <p>Begin with a test key. The page that makes it shows how to call the API with it.</p>`

interface MakeForm extends KeyFields {
  readonly mode: string
  readonly errors: ReadonlyArray<FieldError>
}

const empty: MakeForm = { mode: "TEST", name: "", scopes: KeyScope.literals, lastDay: "", errors: [] }

const makeForm = (user: CompanyUser, form: MakeForm, isOpen: boolean) =>
  Effect.map(
    newFormField,
    (once) =>
      html`<details ${isOpen && html`open`}>
        <summary role="button" class="outline">Make a key</summary>
        <form method="post" action="${keysPath}">
          ${tokenField(user.formToken)} ${once} ${otherProblems(["mode", "name", "scopes", "expiresAt"], form.errors)}
          <fieldset>
            <legend>For</legend>
            <label
              ><input type="radio" name="mode" value="TEST" ${form.mode !== "LIVE" && html`checked`} /> test journeys,
              in the sandbox</label
            >
            <label
              ><input type="radio" name="mode" value="LIVE" ${form.mode === "LIVE" && html`checked`} /> live journeys,
              with real customers</label
            >
          </fieldset>
          ${keyFields(form, form.errors)}
          <button>Make the key</button>
        </form>
      </details>`
  )

const shownList = Effect.fnUntraced(function* (user: CompanyUser, form: MakeForm) {
  const query = { page: pageQuery(user)("page"), size: largestPageSize }
  const found = yield* ask(keyOperations, "listApiKeys", { path: user.path, query })
  const now = timestamp(yield* Clock.currentTimeMillis)
  const of = (mode: ApiKeyResource["mode"]) => found.content.filter((key) => key.mode === mode)
  const isEmpty = found.totalElements === 0
  const made = isOwner(user) ? yield* makeForm(user, form, isEmpty || form.errors.length > 0) : null
  return yield* showPage(user, {
    heading: "API keys",
    status: form.errors.length > 0 ? pageStatus.unusable : pageStatus.shown,
    scripts: onceScripts,
    content: html`${isEmpty && nothingYet}
    ${made ?? html`<p>Only an owner of the company can make, change or revoke keys.</p>`}
    ${table("Test keys", of("TEST"), now)} ${table("Live keys", of("LIVE"), now)}
    ${found.page + 1 < found.totalPages && html`<p><a href="${keysPath}?page=${found.page + 1}" rel="next">Older keys</a></p>`}`
  })
})

const make = companyForm((user, fields) =>
  Effect.gen(function* () {
    yield* refuseSecondSend(fields)
    const mode = fields.get("mode") ?? ""
    const given = keyFieldsOf(fields)
    const { lastDay, name, scopes } = given
    const body = {
      mode,
      scopes,
      ...(name === "" ? {} : { name }),
      ...(lastDay === "" ? {} : { expiresAt: endOfDay(lastDay) })
    }
    const made = yield* orRefused(ask(keyOperations, "createApiKey", { path: user.path, body }))
    if (made instanceof Refused) return yield* shownList(user, { ...given, mode, errors: made.errors })
    return yield* newKeyPage(user, `The ${listedWords.modesWithin[made.mode]} key is made`, made)
  })
)

export const keysRoutes = [
  { method: "GET", path: keysPath, handle: companyPage((user) => shownList(user, empty)) },
  { method: "POST", path: keysPath, handle: make }
] as const
