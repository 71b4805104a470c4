/** The companies that a member's address belongs to, and the choice of the one that the session looks at, at /console/companies. */
import { Effect } from "effect"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { Members } from "../../../actors/members/Members.ts"
import { CompanyId } from "../../../schema/ids.ts"
import { html } from "../../server/pages/html.ts"
import { problem } from "../../server/answers/problems.ts"
import { consolePath, seeOther } from "../frame/consoleFrame.ts"
import { forgetWayBack, wayBackIn } from "./linkPage.ts"
import {
  signOutButton,
  unfinishedForm,
  unfinishedPage,
  unfinishedResponse,
  type UnfinishedUser
} from "./unfinishedUser.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

export const chooseCompanyPath = "/console/companies"

const roles = { OWNER: "owner", TEAM: "team" } as const

const showCompanies = Effect.fnUntraced(function* (user: UnfinishedUser) {
  const { formToken, member } = user
  const members = yield* Members
  const companies = yield* members.memberships(member.memberId)
  return unfinishedResponse(user, {
    heading: "Your companies",
    content: html`<p>
        Choose the company that you want to work for now. You can change it at any time on the page "Team".
      </p>
      <ul class="companies">
        ${companies.map(
          ({ companyId, companyName, role }) =>
            html`<li>
              <form method="post" action="${chooseCompanyPath}" class="inline">
                ${tokenField(formToken)}
                <button
                  name="company"
                  value="${companyId}"
                  ${companyId !== member.companyId && html`class="secondary"`}
                >
                  <bdi>${companyName}</bdi>
                </button>
                <small>${roles[role]}</small>
              </form>
            </li>`
        )}
      </ul>
      ${signOutButton(user)}`
  })
})

const chooseCompany = Effect.fnUntraced(function* ({ request, secret }: UnfinishedUser, fields: URLSearchParams) {
  const sessions = yield* ConsoleSessions
  const members = yield* Members
  const session = yield* sessions.find(secret)
  const known = session?.who._tag === "Member" ? yield* members.memberships(session.who.memberId) : []
  const chosen = known.find(({ companyId }) => companyId === fields.get("company"))
  if (chosen === undefined || !(yield* sessions.choose(secret, CompanyId.make(chosen.companyId)))) {
    return yield* problem("NOT_FOUND", "company")
  }
  // A session that waits for a passkey is led to its page from there.
  return yield* forgetWayBack(seeOther(wayBackIn(request) ?? consolePath))
})

export const memberCompanyRoutes = [
  { method: "GET", path: chooseCompanyPath, handle: unfinishedPage(showCompanies) },
  { method: "POST", path: chooseCompanyPath, handle: unfinishedForm(chooseCompany) }
] as const
