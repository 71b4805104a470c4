/**
 * Words a mail to a member of a company: the invitation and the link to sign in. When the mail is sent, the writer looks the
 * address up and makes the link. Mail about journeys and endpoints is written in `mailWriter.ts`.
 */
import { Clock, Duration, Effect } from "effect"
import type { MemberMail } from "../../../schema/mail/mailKinds.ts"
import type { CompanyId, MailId, MemberId } from "../../../schema/ids.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { consoleSignInPath } from "../../members/consolePaths.ts"
import { ConsoleLinks } from "../../members/ConsoleLinks.ts"
import { memberLimits } from "../../members/limits.ts"
import { Members } from "../../members/Members.ts"
import { actorInWords } from "./actorInWords.ts"
import { MailNotSent, type MailMessage } from "../Mailer.ts"
import type { TakenMail } from "../MailStore.ts"
import { ServiceAddress } from "../ServiceAddress.ts"
import type { WaitingMail } from "../WrittenMail.ts"
import { invitationEmail, signInEmail } from "../wording/member.ts"

type WrittenMemberMail = { readonly message: MailMessage } | { readonly outOfDate: string } | WaitingMail

const removed = "its member was removed"

const notSent = (what: string) =>
  Effect.mapError(({ _tag }: { readonly _tag: string }) => new MailNotSent({ reason: `${what}: ${_tag}` }))

const isTooLate = (mail: MemberMail) =>
  Effect.map(
    Clock.currentTimeMillis,
    (now) =>
      mail.kind === "SIGN_IN" && now - millisOf(mail.facts.askedAt) > Duration.toMillis(memberLimits.signInMailWorthFor)
  )

export const makeMemberMailWriter = Effect.gen(function* () {
  const links = yield* ConsoleLinks
  const members = yield* Members
  const { baseUrl } = yield* ServiceAddress

  const linkOf = Effect.fnUntraced(function* (mailId: MailId, { facts, kind }: MemberMail) {
    const lifetime = kind === "INVITATION" ? memberLimits.invitationLifetime : memberLimits.linkLifetime
    return yield* links.issue({ mailId, memberId: facts.memberId, lifetime })
  }, notSent("its link was not issued"))

  const isMember = (companyId: CompanyId, memberId: MemberId) =>
    Effect.map(members.find(companyId, memberId), (member) => member !== null).pipe(
      notSent("its member was not found out")
    )

  /** `hold` counts the mail. */
  return Effect.fnUntraced(function* (
    { company, id: mailId }: Pick<TakenMail, "company" | "id">,
    mail: MemberMail,
    hold: Effect.Effect<WaitingMail | null, MailNotSent>
  ): Effect.fn.Return<WrittenMemberMail, MailNotSent> {
    if (baseUrl === null) return yield* new MailNotSent({ reason: "the service's own address is not known" })
    if (yield* isTooLate(mail)) return { outOfDate: "nobody waits for its link any more" }
    // A mail that does not leave must not count for its address and its company.
    if (!(yield* isMember(company.id, mail.facts.memberId))) return { outOfDate: removed }
    const held = yield* hold
    if (held !== null) return held
    const issued = yield* linkOf(mailId, mail)
    if (issued === null) return { outOfDate: removed }
    const signInUrl = `${baseUrl}${consoleSignInPath}`
    const link = `${signInUrl}/${issued.token}`
    const email =
      mail.kind === "SIGN_IN"
        ? signInEmail(link)
        : invitationEmail({
            company: company.name,
            role: issued.role,
            by: yield* actorInWords(members, company.id, mail.facts.by).pipe(notSent("who invites was not found out")),
            link,
            until: (yield* Clock.currentTimeMillis) + Duration.toMillis(memberLimits.invitationLifetime),
            signInUrl
          })
    return { message: { mailId, to: issued.email, onBehalf: null, customerKey: null, email } }
  })
})
