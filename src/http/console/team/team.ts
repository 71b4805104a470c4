/**
 * The people of a company, at /console/team: who may sign in, invitations, roles, the own passkeys, and where people are signed in.
 * Every change is an operation of the settings API; what somebody may not do is not offered, and refused by the operation.
 */
import { Clock, Duration, Effect } from "effect"
import { memberLimits } from "../../../actors/members/limits.ts"
import type { MemberResource } from "../../../schema/members/Member.ts"
import { memberOperations } from "../../api/company/members.ts"
import { memberSessionOperations } from "../../api/company/memberSessions.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { passkeyScriptPaths } from "../frame/assets.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, orShownAgain, statusWith } from "../frame/forms.ts"
import { listTable, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { isOwner } from "../frame/owners.ts"
import { redirectAfterStep } from "../overview/firstSteps.ts"
import { memberActions, noticesCell, shownRole, teamPath } from "./teamActions.ts"
import { passkeyPart, sessionPart } from "./teamSignIns.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const inviteForm = (user: CompanyUser, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "invite",
    action: teamPath,
    button: "Send the invitation",
    state,
    fields: [
      {
        is: "email",
        name: "email",
        label: "Email address",
        required: true,
        autocomplete: "off",
        hint: "Until the member has signed in, no other mail than the invitation goes there."
      },
      {
        is: "select",
        name: "role",
        label: "Role",
        value: "TEAM",
        hint: "The team follows journeys, decides reviews and helps customers on. An owner may do everything of the company.",
        choices: [
          { value: "TEAM", label: "Team" },
          { value: "OWNER", label: "Owner" }
        ]
      }
    ]
  })

/** Of somebody who has never signed in: whether the link of the invitation still works. */
const neverSeen = ({ invitedAt }: MemberResource, now: number): Html =>
  now - Date.parse(invitedAt) < Duration.toMillis(memberLimits.invitationLifetime)
    ? html`never`
    : html`never <small>(the link of the invitation has ended)</small>`

const membersPart = (user: CompanyUser) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const asked = pageQuery(user)("page")
    const found = yield* ask(memberOperations, "listMembers", { path: user.path, query: { page: asked } })
    return listTable({
      caption: "Members, those who were invited first come first",
      head: ["Email", "Role", "Invited", "Last seen", "Team mail", "Passkeys", ...(isOwner(user) ? ["Change"] : [])],
      empty: html`<p>Nobody can sign in yet. Invite the first owner.</p>`,
      rows: found.content.map((member): ReadonlyArray<Shown> => [
        html`<bdi class="address">${member.email}</bdi>${isSelf(user, member.id) && html` <small>(you)</small>`}`,
        shownRole(member.role),
        shownTime(member.invitedAt),
        member.seenAt === null ? neverSeen(member, now) : shownTime(member.seenAt),
        noticesCell(user, member, isOwner(user) || isSelf(user, member.id)),
        member.passkeys,
        ...(isOwner(user) ? [isSelf(user, member.id) ? "–" : memberActions(user, member)] : [])
      ]),
      next: found.page + 1 < found.totalPages ? withQuery(teamPath, { page: String(found.page + 1) }) : null
    })
  })

const isSelf = ({ asker }: CompanyUser, memberId: string): boolean =>
  asker._tag === "Member" && asker.memberId === memberId

const teamPage = (user: CompanyUser, state: ConsoleFormState) =>
  Effect.gen(function* () {
    const members = yield* membersPart(user)
    const passkeys = yield* passkeyPart(user)
    const sessions = yield* sessionPart(user)
    return yield* showPage(user, {
      heading: "Team",
      status: statusWith(state),
      scripts: passkeyScriptPaths,
      content: html`${members}
        <p>
          Mail to the team says that a review waits, or that something failed. Mail about webhook endpoints and about
          mail to customers goes to every owner in any case.
        </p>
        ${
          isOwner(user) &&
          html`<h2>Invite somebody</h2>
            ${inviteForm(user, state)}`
        }
        ${passkeys} ${sessions}
        ${user.asker._tag === "Member" && html`<p><a href="/console/companies">Work for another company</a></p>`}`
    })
  })

const invite = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const body = { email: fields.get("email") ?? "", role: fields.get("role") ?? "" }
    const invited = yield* orShownAgain(ask(memberOperations, "inviteMember", { path: user.path, body }), fields)
    if ("state" in invited) return yield* teamPage(user, invited.state)
    return yield* redirectAfterStep(user, teamPath, "The invitation is being mailed.")
  })

const changeRole = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = { ...user.path, memberId: fields.get("memberId") ?? "" }
    const body = { role: fields.get("role") ?? "" }
    const changed = yield* orShownAgain(ask(memberOperations, "changeMember", { path, body }), new URLSearchParams())
    if ("state" in changed) return yield* teamPage(user, changed.state)
    return yield* redirectTo(teamPath, `The member's role is ${shownRole(changed.role).toLowerCase()} now.`)
  })

const setNotices = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = { ...user.path, memberId: fields.get("memberId") ?? "" }
    const body = { notices: fields.get("notices") === "yes" }
    const { notices } = yield* ask(memberOperations, "setNotices", { path, body })
    return yield* redirectTo(
      teamPath,
      notices ? "Mail to the team is sent to the member." : "No more mail to the team is sent to the member."
    )
  })

const removeMember = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = { ...user.path, memberId: fields.get("memberId") ?? "" }
    const removed = yield* orShownAgain(ask(memberOperations, "removeMember", { path }), new URLSearchParams())
    if ("state" in removed) return yield* teamPage(user, removed.state)
    return yield* redirectTo(teamPath, "The member was removed, and is signed in nowhere any more.")
  })

const removePasskeys = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const path = { ...user.path, memberId: fields.get("memberId") ?? "" }
    const passkeys = yield* ask(memberSessionOperations, "listPasskeys", { path })
    yield* Effect.forEach(passkeys, ({ id }) =>
      ask(memberSessionOperations, "removePasskey", { path: { ...path, passkeyId: id } })
    )
    return yield* redirectTo(teamPath, "The passkeys were removed: a mailed link is enough again.")
  })

export const teamRoutes = [
  { method: "GET", path: teamPath, handle: companyPage((user) => teamPage(user, asFirstShown)) },
  { method: "POST", path: teamPath, handle: companyForm(invite) },
  { method: "POST", path: `${teamPath}/role`, handle: companyForm(changeRole) },
  { method: "POST", path: `${teamPath}/notices`, handle: companyForm(setNotices) },
  { method: "POST", path: `${teamPath}/remove`, handle: companyForm(removeMember) },
  { method: "POST", path: `${teamPath}/remove-passkeys`, handle: companyForm(removePasskeys) }
] as const
