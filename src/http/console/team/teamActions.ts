/** What an owner may do with another member, as buttons in the list of members. What they do is in `team.ts`. */
import type { MemberResource } from "../../../schema/members/Member.ts"
import type { Role } from "../../../schema/members/Role.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import type { CompanyUser } from "../frame/consolePage.ts"
import { askedFirst } from "../frame/lists.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

export const teamPath = "/console/team"

const roles: Readonly<Record<Role, string>> = { OWNER: "Owner", TEAM: "Team" }

export const shownRole = (role: Role): string => roles[role]

const hidden = ({ formToken }: CompanyUser, memberId: string): Html =>
  html`${tokenField(formToken)}<input type="hidden" name="memberId" value="${memberId}" />`

/** Whether the member gets mail to the team, and for whoever may choose, the other choice. */
export const noticesCell = (user: CompanyUser, { email, id, notices }: MemberResource, mayChoose: boolean): Html =>
  html`${notices ? "yes" : "no"}
  ${
    mayChoose &&
    html`<form method="post" action="${teamPath}/notices" class="inline">
      ${hidden(user, id)}
      <button name="notices" value="${notices ? "no" : "yes"}" class="secondary outline">
        ${notices ? "Stop mail" : "Send mail"}<span class="unseen"> to the team: ${email}</span>
      </button>
    </form>`
  }`

/** The invitation of somebody who has never signed in was lost, perhaps. */
const inviteAgain = ({ formToken }: CompanyUser, { email, role, seenAt }: MemberResource): Shown =>
  seenAt === null &&
  html`<form method="post" action="${teamPath}" class="inline">
    ${tokenField(formToken)}<input type="hidden" name="email" value="${email}" />
    <button name="role" value="${role}" class="secondary outline">
      Invite again<span class="unseen">: ${email}</span>
    </button>
  </form>`

export const memberActions = (user: CompanyUser, member: MemberResource): Html => {
  const { email, id, passkeys, role } = member
  const other = role === "OWNER" ? "TEAM" : "OWNER"
  return html`${inviteAgain(user, member)}
    <form method="post" action="${teamPath}/role" class="inline">
      ${hidden(user, id)}
      <button name="role" value="${other}" class="secondary outline">
        ${other === "OWNER" ? "Make owner" : "Make team"}<span class="unseen">: ${email}</span>
      </button>
    </form>
    ${
      passkeys > 0 &&
      askedFirst(
        "Passkey lost",
        html`<form method="post" action="${teamPath}/remove-passkeys">
          ${hidden(user, id)}
          <p>Without passkeys, a link in the member's mail is enough to sign in.</p>
          <button class="danger">Remove the passkeys of <bdi>${email}</bdi></button>
        </form>`
      )
    }
    ${askedFirst(
      "Remove",
      html`<form method="post" action="${teamPath}/remove">
        ${hidden(user, id)}
        <p>The member is signed out everywhere, at once.</p>
        <button class="danger">Remove <bdi>${email}</bdi></button>
      </form>`
    )}`
}
