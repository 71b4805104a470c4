/**
 * Finds who of a company's own people gets a mail, and finishes it: each of them has a mail of their own, and the first who looks at
 * a mail shares it out. What the mail says is decided in `wording`, and when it is owed by the journey, the endpoint or the stores.
 */
import { Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { Members } from "../../members/Members.ts"
import { MailNotSent, type MailMessage } from "../Mailer.ts"
import { endedAddress } from "./endedAddress.ts"
import { MailStore, type MailCircle, type TakenMail } from "../MailStore.ts"
import type { Email } from "../wording/Email.ts"
import { markedTest } from "../wording/markedTest.ts"

type WrittenTeamMail = { readonly message: MailMessage; readonly isTest: boolean } | { readonly outOfDate: string }

export const makeTeamMailWriter = Effect.gen(function* () {
  const store = yield* MailStore
  const members = yield* Members

  /** The first who looks shares the mail out. */
  const shareOf = ({ id, memberId }: TakenMail, to: MailCircle) =>
    memberId === null ? store.share(id, to) : Effect.succeed({ memberId })

  const addressOf = Effect.fnUntraced(
    function* (
      taken: TakenMail,
      to: MailCircle
    ): Effect.fn.Return<{ readonly to: string } | { readonly outOfDate: string }, StoreUnavailable | CommitUnknown> {
      const share = yield* shareOf(taken, to)
      if (share === "NOBODY") return { outOfDate: "nobody of the company wants mail to the team" }
      if (share === "ADMINISTRATOR") {
        const { adminEmail } = taken.company
        return adminEmail === endedAddress ? { outOfDate: "the administrator's address has ended" } : { to: adminEmail }
      }
      const address = (yield* members.emailsOf(taken.company.id, [share.memberId])).get(share.memberId)
      return address === undefined ? { outOfDate: "its member was removed" } : { to: address }
    },
    Effect.mapError(({ _tag }) => new MailNotSent({ reason: `who gets it was not found out: ${_tag}` }))
  )

  /** `journey`: the one that the mail is about, if it is about one. */
  return Effect.fnUntraced(function* (
    to: MailCircle,
    taken: TakenMail,
    email: Email,
    journey: Pick<Journey, "livemode"> | null = null
  ): Effect.fn.Return<WrittenTeamMail, MailNotSent> {
    const address = yield* addressOf(taken, to)
    if ("outOfDate" in address) return address
    const isTest = journey?.livemode === false
    const marked = isTest ? markedTest(email, "the company's team") : email
    const message = { mailId: taken.id, ...address, onBehalf: null, email: marked, customerKey: null }
    return { message, isTest }
  })
})
