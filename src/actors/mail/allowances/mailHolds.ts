/**
 * Whether a mail to somebody outside waits because its address, or its company, has had enough mail for now (decision M9). It is asked when
 * the mail would leave otherwise, because the answer counts the mail, and before its link is made, because a new link voids the one that the
 * customer has.
 */
import { Clock, Duration, Effect, Random } from "effect"
import { isMailToOthers } from "../../../schema/mail/mailKinds.ts"
import { mailLimits } from "../limits.ts"
import { MailAllowances, type CompanyHold } from "./MailAllowances.ts"
import { Mailbox } from "../Mailbox.ts"
import { MailNotSent } from "../Mailer.ts"
import type { TakenMail } from "../MailStore.ts"
import { nextPlace } from "./nextPlace.ts"
import { waits, type WaitingMail } from "../WrittenMail.ts"

const hourOfStopped = Duration.toMillis(mailLimits.stoppedAsksEvery)
const spread = Duration.toMillis(mailLimits.heldSpreadOver)

/** Mails that wait for one moment do not all come back at it. */
const heldUntil = (held: CompanyHold, now: number): Effect.Effect<WaitingMail> =>
  Effect.map(Effect.map(Random.nextBetween(0, spread), Math.floor), (later) =>
    held._tag === "Stopped"
      ? waits(now + hourOfStopped + later, "the mail of its company was stopped")
      : waits(Math.max(held.freeAt, now) + later, "its company has sent the mails of the day")
  )

export const makeMailHolds = Effect.gen(function* () {
  const allowances = yield* MailAllowances
  const { list: mailbox } = yield* Mailbox

  /** Null: the mail may leave now. */
  const holdOf = Effect.fnUntraced(function* ({
    id,
    kind
  }: Pick<TakenMail, "id" | "kind">): Effect.fn.Return<WaitingMail | null, MailNotSent> {
    // Mail in the built-in mailbox floods nobody: neither an address nor a company has too much of it.
    if (mailbox !== null || !isMailToOthers(kind)) return null
    const now = yield* Clock.currentTimeMillis
    const allowance = yield* allowances
      .admit(id, now)
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its address was not counted: ${_tag}` })))
    if (allowance === null || allowance.isAdmitted) return null
    if (allowance.held?._tag === "Behind") return waits(allowance.held.until, "an earlier mail of its journey waits")
    if (allowance.held !== null) return yield* heldUntil(allowance.held, now)
    return waits(nextPlace(allowance.counted), "its address has had enough mail for now")
  })
  return holdOf
})
