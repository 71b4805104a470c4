/** Who did what a mail tells, by the name that the audit log has, in words. A member's address is looked up when the mail is sent. */
import { Effect } from "effect"
import type { CompanyId } from "../../../schema/ids.ts"
import { memberOfActor } from "../../members/memberActor.ts"
import type { Members } from "../../members/Members.ts"
import { whoOf } from "../wording/access.ts"

export const actorInWords = (members: Members["Service"], companyId: CompanyId, actor: string) => {
  const memberId = memberOfActor(actor)
  const emails = members.emailsOf(companyId, memberId === null ? [] : [memberId])
  return Effect.map(emails, (known) => whoOf(actor, known))
}
