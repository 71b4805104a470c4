/** The page of one API key: what it may do, and the forms that change, rotate and revoke it. What stops a program at once is asked for twice. */
import { Clock, Effect } from "effect"
import type { ApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { timestamp } from "../../../schema/moment.ts"
import { keyOperations } from "../../api/company/keys.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import {
  addressesOf,
  dayOf,
  expiryOf,
  keyFields,
  keyName,
  keyPath,
  keysPath,
  lastUse,
  scopesShown,
  stateOf
} from "./keyParts.ts"
import { isOwner, ownersOnly } from "../frame/owners.ts"
import { listedWords } from "../words/listedWords.ts"
import { factList } from "../frame/lists.ts"
import { newKeyPage } from "./newKey.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { newFormField, refuseSecondSend } from "../frame/sendOnce.ts"
import { onceScripts } from "../frame/shownOnce.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const questionOf = Effect.fnUntraced(function* (user: CompanyUser) {
  return { path: { ...user.path, keyId: yield* pathPart("keyId") } }
})

const keyOf = Effect.fnUntraced(function* (user: CompanyUser) {
  return yield* ask(keyOperations, "getApiKey", yield* questionOf(user))
})

const facts = (key: ApiKeyResource, now: string): Html =>
  factList([
    ["State", stateOf(key, now)],
    ["For", `${listedWords.modesWithin[key.mode]} journeys`],
    ["Ends with", html`…<code>${key.last4}</code>`],
    ["May", scopesShown(key.scopes)],
    ["Ends", key.expiresAt === null ? "Never" : shownTime(key.expiresAt)],
    ["Taken from", key.addresses.length === 0 ? "Every address" : key.addresses.join(", ")],
    ["Made", shownTime(key.createdAt)],
    ["Last used", lastUse(key)]
  ])

const forms = (user: CompanyUser, key: ApiKeyResource, now: string, state: ConsoleFormState): Html => {
  const path = keyPath(key.id)
  const isExpired = key.expiresAt !== null && key.expiresAt <= now
  return html`<section>
      <h2>Change the key</h2>
      ${formOf(user, { id: "key", action: path, button: "Save", fields: keyFields(key), state })}
    </section>
    <section>
      <h2>Rotate</h2>
      ${
        isExpired
          ? html`<p>The key has ended: give it a later end first.</p>`
          : html`<p>The key gets a new text, which is shown once. The text it has now stops working at once.</p>
              <p><a role="button" class="secondary" href="${path}/rotate">Rotate the key</a></p>`
      }
    </section>
    <section>
      <h2>Revoke</h2>
      <p>The key ends at once and for good.</p>
      <p><a role="button" class="outline danger" href="${path}/revoke">Revoke the key</a></p>
    </section>`
}

const shownKey = Effect.fnUntraced(function* (user: CompanyUser, key: ApiKeyResource, state: ConsoleFormState) {
  const now = timestamp(yield* Clock.currentTimeMillis)
  const changes = key.revokedAt === null && isOwner(user) ? forms(user, key, now, state) : null
  return yield* showPage(user, {
    heading: key.name === "" ? `Key …${key.last4}` : key.name,
    status: statusWith(state),
    content: html`${facts(key, now)} ${changes}
      ${
        changes === null &&
        (key.revokedAt === null
          ? html`<p>Only an owner of the company can change, rotate or revoke it.</p>`
          : html`<p>A revoked key stays in the list as it was. It works nowhere any more.</p>`)
      }
      <p><a href="/console/requests?mode=${key.mode}&amp;keyId=${key.id}">Its requests</a></p>
      <p><a href="${keysPath}">All keys</a></p>`
  })
})

const show = companyPage((user) => Effect.flatMap(keyOf(user), (key) => shownKey(user, key, asFirstShown)))

const change = companyForm((user, fields) =>
  Effect.gen(function* () {
    const key = yield* keyOf(user)
    const expiresAt = expiryOf(fields)
    const isSameDay = (fields.get("expiresAt") ?? "") === dayOf(key.expiresAt)
    const name = (fields.get("name") ?? "").trim()
    const body = {
      // A key without a name stays without one; the name of another is not taken away.
      ...(name === key.name ? {} : { name }),
      scopes: fields.getAll("scopes"),
      addresses: addressesOf(fields),
      ...(isSameDay ? {} : { expiresAt })
    }
    const question = yield* questionOf(user)
    const changed = yield* orShownAgain(ask(keyOperations, "changeApiKey", { ...question, body }), fields)
    if ("state" in changed) return yield* shownKey(user, key, changed.state)
    return yield* redirectTo(keyPath(key.id), "The key was changed.")
  })
)

const rotate = companyForm((user, fields) =>
  Effect.gen(function* () {
    yield* refuseSecondSend(fields)
    const rotated = yield* ask(keyOperations, "rotateApiKey", yield* questionOf(user))
    return yield* newKeyPage(user, "The key has a new text", rotated)
  })
)

const askBeforeRotating = companyPage((user) =>
  Effect.gen(function* () {
    const key = yield* keyOf(user)
    if (!isOwner(user)) return yield* ownersOnly()
    const once = yield* newFormField
    return yield* showPage(user, {
      heading: "Rotate this key?",
      scripts: onceScripts,
      content: html`<p>
          Every program that uses ${keyName(key)}, a ${listedWords.modesWithin[key.mode]} key, is refused until it has
          the new text, which is shown once. This cannot be undone.
        </p>
        <p>
          To change it without a break, <a href="${keysPath}">make a second key</a>, give it to your programs, and
          revoke this one when the list shows that it is used no more.
        </p>
        <form method="post" action="${keyPath(key.id)}/rotate">
          ${tokenField(user.formToken)} ${once}
          <button class="danger">Rotate it now</button>
        </form>
        <p><a href="${keyPath(key.id)}">Keep the key as it is</a></p>`
    })
  })
)

const askBeforeRevoking = companyPage((user) =>
  Effect.gen(function* () {
    const key = yield* keyOf(user)
    if (!isOwner(user)) return yield* ownersOnly()
    return yield* showPage(user, {
      heading: "Revoke this key?",
      content: html`<p>
          Every program that uses ${keyName(key)}, a ${listedWords.modesWithin[key.mode]} key, is refused from now on.
          This cannot be undone.
        </p>
        <form method="post" action="${keyPath(key.id)}/revoke">
          ${tokenField(user.formToken)}
          <button class="danger">Revoke it for good</button>
        </form>
        <p><a href="${keyPath(key.id)}">Keep the key</a></p>`
    })
  })
)

const revoke = companyForm((user) =>
  Effect.gen(function* () {
    const { last4 } = yield* ask(keyOperations, "revokeApiKey", yield* questionOf(user))
    return yield* redirectTo(keysPath, `The key that ends with ${last4} is revoked.`)
  })
)

const path = `${keysPath}/:keyId` as const

export const keyRoutes = [
  { method: "GET", path, handle: show },
  { method: "POST", path, handle: change },
  { method: "GET", path: `${path}/rotate`, handle: askBeforeRotating },
  { method: "POST", path: `${path}/rotate`, handle: rotate },
  { method: "GET", path: `${path}/revoke`, handle: askBeforeRevoking },
  { method: "POST", path: `${path}/revoke`, handle: revoke }
] as const
