/**
 * Writes the mail to somebody who was removed from a company's members: finds whose it is, and who removed them, when the mail is sent.
 * The words stand in `wording/member.ts`.
 */
import { Effect } from "effect"
import type { MemberRemoved } from "../../../schema/mail/mailKinds.ts"
import { Members } from "../../members/Members.ts"
import { actorInWords } from "./actorInWords.ts"
import { MailNotSent, type MailMessage } from "../Mailer.ts"
import type { TakenMail } from "../MailStore.ts"
import { removalEmail } from "../wording/member.ts"

type WrittenRemoval = { readonly message: MailMessage } | { readonly outOfDate: string }

export const makeRemovalMailWriter = Effect.gen(function* () {
  const members = yield* Members
  return Effect.fnUntraced(
    function* ({ company, id: mailId }: TakenMail, { facts: { by, role } }: MemberRemoved) {
      const to = yield* members.removedAddress(mailId)
      if (to === null) return { outOfDate: "its address is gone" } satisfies WrittenRemoval
      const remover = yield* actorInWords(members, company.id, by)
      const email = removalEmail({ company: company.name, role, by: remover })
      return { message: { mailId, to, onBehalf: null, customerKey: null, email } } satisfies WrittenRemoval
    },
    Effect.mapError(({ _tag }) => new MailNotSent({ reason: `who was removed was not found out: ${_tag}` }))
  )
})
