/**
 * How people of a company sign in: the own passkeys, which are added and removed here, and the sessions, which are ended here. A
 * passkey is added by whoever holds it, so the operator has none.
 */
import { Effect } from "effect"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { memberSessionOperations } from "../../api/company/memberSessions.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { problem } from "../../server/answers/problems.ts"
import { signInPath } from "../frame/consoleFrame.ts"
import { companyForm, redirectTo, type CompanyUser } from "../frame/consolePage.ts"
import { addPasskeyPart, passkeyBody, passkeyWasAdded } from "../signIn/passkeyForm.ts"
import { jsonResponse } from "../signIn/showPasskey.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { listTable } from "../frame/lists.ts"
import { isOwner } from "../frame/owners.ts"
import { teamPath } from "./teamActions.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const passkeysPath = `${teamPath}/passkeys`
const sessionsPath = `${teamPath}/sessions`

const removeForm = (user: CompanyUser, action: string, field: string, id: string, words: Shown): Html =>
  html`<form method="post" action="${action}" class="inline">
    ${tokenField(user.formToken)}<input type="hidden" name="${field}" value="${id}" />
    <button class="secondary outline">${words}</button>
  </form>`

export const passkeyPart = (user: CompanyUser) =>
  Effect.gen(function* () {
    const { asker } = user
    if (asker._tag === "Operator") return null
    const path = { ...user.path, memberId: asker.memberId }
    const passkeys = yield* ask(memberSessionOperations, "listPasskeys", { path })
    const signInAt = `${signInPath}?to=${encodeURIComponent(teamPath)}`
    return html`<h2>Your passkeys</h2>
      <p>With a passkey, the link in your mail alone signs in nobody: you show the passkey as well.</p>
      ${listTable({
        caption: "Your passkeys, the oldest first",
        head: ["Name", "Added", "Last used", "Change"],
        empty: html`<p>You have none.</p>`,
        rows: passkeys.map((one) => [
          html`<bdi>${one.name}</bdi>`,
          shownTime(one.addedAt),
          one.usedAt === null ? "never" : shownTime(one.usedAt),
          removeForm(
            user,
            `${passkeysPath}/remove`,
            "passkeyId",
            one.id,
            html`Remove<span class="unseen">: ${one.name}</span>`
          )
        ])
      })}
      ${yield* addPasskeyPart(user.formToken, passkeysPath, signInAt)}`
  })

export const sessionPart = (user: CompanyUser) =>
  Effect.gen(function* () {
    const query = { size: largestPageSize }
    const { content } = yield* ask(memberSessionOperations, "listSessions", { path: user.path, query })
    const isThis = (id: string) => id === user.session.id
    return html`<h2>Signed in</h2>
      ${listTable({
        caption: isOwner(user) ? "Where members are signed in, the last seen first" : "Where you are signed in",
        head: ["Who", "Browser", "Since", "Last seen", "Change"],
        empty: html`<p>No member is signed in now.</p>`,
        rows: content.map((one) => [
          html`<bdi class="address">${one.email}</bdi>`,
          one.browser ?? "unknown",
          shownTime(one.openedAt),
          shownTime(one.seenAt),
          isThis(one.id)
            ? "this browser"
            : removeForm(
                user,
                `${sessionsPath}/end`,
                "sessionId",
                one.id,
                html`End<span class="unseen">: ${one.email}, ${one.browser ?? "unknown"}</span>`
              )
        ])
      })}
      ${endOthersPart(
        user,
        content.filter(({ id, memberId }) => !isThis(id) && isAsker(user, memberId))
      )}`
  })

const isAsker = ({ asker }: CompanyUser, memberId: string) => asker._tag === "Member" && asker.memberId === memberId

/** After a lost telephone or a changed passkey: whoever is signed in as the member elsewhere is out. */
const endOthersPart = (user: CompanyUser, others: ReadonlyArray<unknown>): Html | null =>
  others.length === 0
    ? null
    : html`<form method="post" action="${sessionsPath}/end-others">
        ${tokenField(user.formToken)}
        <button class="secondary">End all your other sessions</button>
      </form>`

const canBeEnded = "you can end them below."

/** The passkeys that are added and removed here are the own ones. */
const ownPath = ({ asker, path }: CompanyUser) =>
  asker._tag === "Member"
    ? Effect.succeed({ ...path, memberId: asker.memberId })
    : Effect.fail(
        problem(
          "ROLE_NOT_PERMITTED",
          "role",
          "The operator signs in with a token, and has no passkeys and no sessions of a member"
        )
      )

/** For the page's script. */
const giveOptions = (user: CompanyUser) =>
  Effect.gen(function* () {
    const path = yield* ownPath(user)
    return jsonResponse(yield* ask(memberSessionOperations, "preparePasskey", { path }))
  })

const addPasskey = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = yield* ownPath(user)
    yield* ask(memberSessionOperations, "addPasskey", { path, body: passkeyBody(fields) })
    return yield* redirectTo(
      teamPath,
      `${passkeyWasAdded} Your sessions that came by the link alone ask for it, too; ${canBeEnded}`
    )
  })

const removePasskey = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = { ...(yield* ownPath(user)), passkeyId: fields.get("passkeyId") ?? "" }
    yield* ask(memberSessionOperations, "removePasskey", { path })
    return yield* redirectTo(teamPath, `The passkey was removed. Your other sessions go on; ${canBeEnded}`)
  })

const endSession = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = { ...user.path, sessionId: fields.get("sessionId") ?? "" }
    yield* ask(memberSessionOperations, "endSession", { path })
    return yield* redirectTo(teamPath, "The session was ended.")
  })

const endOthers = (user: CompanyUser) =>
  Effect.gen(function* () {
    const ended = yield* ask(memberSessionOperations, "endSessions", { path: yield* ownPath(user) })
    const said = ended.length === 1 ? "Your other session was ended." : "Your other sessions were ended."
    return yield* redirectTo(teamPath, said)
  })

export const teamSignInRoutes = [
  { method: "POST", path: passkeysPath, handle: companyForm(addPasskey) },
  { method: "POST", path: `${passkeysPath}/options`, handle: companyForm(giveOptions) },
  { method: "POST", path: `${passkeysPath}/remove`, handle: companyForm(removePasskey) },
  { method: "POST", path: `${sessionsPath}/end`, handle: companyForm(endSession) },
  { method: "POST", path: `${sessionsPath}/end-others`, handle: companyForm(endOthers) }
] as const
