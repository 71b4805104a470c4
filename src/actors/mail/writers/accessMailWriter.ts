/**
 * Writes the mail about changes of API keys, members, webhook endpoints and passkeys: reads the changes from the audit log when the
 * mail is sent, and finds who hears of them. The words stand in `wording/access.ts`; who has which address, in `teamMailWriter.ts`.
 */
import { Effect } from "effect"
import { tellsItsMember } from "../../../schema/company/accessChanges.ts"
import type { AccessMail } from "../../../schema/mail/mailKinds.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { AuditLog, type AccessLine } from "../../company/AuditLog.ts"
import { memberOfActor } from "../../members/memberActor.ts"
import { Members } from "../../members/Members.ts"
import { mailLimits } from "../limits.ts"
import { MailNotSent } from "../Mailer.ts"
import type { TakenMail } from "../MailStore.ts"
import { ServiceAddress } from "../ServiceAddress.ts"
import { makeTeamMailWriter } from "./teamMailWriter.ts"
import { accessEmail } from "../wording/access.ts"
import { MemberId } from "../../../schema/ids.ts"

const memberIn = ({ details }: AccessLine): ReadonlyArray<MemberId> =>
  typeof details["memberId"] === "string" ? [MemberId.make(details["memberId"])] : []

export const makeAccessMailWriter = Effect.gen(function* () {
  const audit = yield* AuditLog
  const members = yield* Members
  const { baseUrl } = yield* ServiceAddress
  const toTeam = yield* makeTeamMailWriter

  const contentOf = Effect.fnUntraced(
    function* ({ company }: TakenMail, { from, until }: AccessMail["facts"]) {
      const span = { from: millisOf(from), until: millisOf(until) }
      const { lines: read, total } = yield* audit.accessChanges(company.id, span, mailLimits.mostChangesRead)
      const lines = read.slice(0, mailLimits.mostChangesListed).toSorted((a, b) => a.at - b.at)
      const named = lines.flatMap((line) => [...memberIn(line), ...[memberOfActor(line.actor) ?? []].flat()])
      const emails = yield* members.emailsOf(company.id, [...new Set(named)])
      const also = read.filter(({ action }) => tellsItsMember.has(action)).flatMap(memberIn)
      return { also, email: accessEmail({ company, lines, more: total - lines.length, emails, baseUrl }) }
    },
    Effect.mapError(({ _tag }) => new MailNotSent({ reason: `what was changed was not found out: ${_tag}` }))
  )

  return Effect.fnUntraced(function* (taken: TakenMail, { facts }: AccessMail) {
    const { also, email } = yield* contentOf(taken, facts)
    return yield* toTeam({ ownersAnd: also }, taken, email)
  })
})
