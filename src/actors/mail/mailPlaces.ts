/**
 * The places of one node for mail that leaves through a server. One company has a share of them, a small one beside it for mail about
 * its test journeys, and only one place after a try that was slow, until one is quick or none was made for a while: a server that hangs on a company's recipients
 * keeps no other company's mail, and one that hangs on the administrator, to whom test mail goes, none of the company's live mail. The
 * last places are kept for mail that somebody asked for just now, in which a try is short. Which mail is due is not known here.
 */
import { Clock, Duration, Effect } from "effect"
import type { CompanyId } from "../../schema/ids.ts"
import { partyOf } from "../kernel/WorkFor.ts"
import { mailLimits } from "./limits.ts"

/** Whose a mail is, and of which mode. */
export interface MailSharer {
  readonly companyId: CompanyId
  readonly livemode: boolean
}

/** What the next look may take up. */
export interface MailRoom {
  /** Mails in all. */
  readonly most: number
  /** Live mails of each company that `leftOf` does not name. */
  readonly mostOfOne: number
  /** Mails about test journeys of each company that `leftOf` does not name with them. */
  readonly mostTestMailsOfOne: number
  /** Mails of those that have some in hand, or whose last try was slow. Below zero: they are beyond their share. */
  readonly leftOf: ReadonlyArray<MailSharer & { readonly left: number }>
  /** Mails that somebody asked for just now: so many more of each company. */
  readonly askedOnTop: number
  /** Only such mails, because only the kept places are free. */
  readonly isForAsked: boolean
  /** One try of what is taken up; null: the mailer ends each try itself. */
  readonly within: Duration.Duration | null
}

export interface MailPlaces {
  /** Places in all. */
  readonly count: number
  /** `free`: the places that nobody has. */
  readonly room: (free: number) => MailRoom
  readonly take: (sharer: MailSharer) => void
  readonly leave: (sharer: MailSharer) => void
  /** Notes how long the server takes for a sharer's mail. */
  readonly timed: <A, E>(sharer: MailSharer, trying: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Whether a sharer has all that it gets, or only kept places are free. */
  readonly isHeldBack: () => boolean
}

/** The built-in mailbox hangs on nobody: whoever owes mail has all places. */
export const unsharedPlaces: MailPlaces = {
  count: mailLimits.mostKeptAtOnce,
  room: (free) => ({
    most: free,
    mostOfOne: free,
    mostTestMailsOfOne: free,
    leftOf: [],
    askedOnTop: 0,
    isForAsked: false,
    // The statement that keeps a mail has a time-out. A second one for each mail would cost as much as the rest of the try.
    within: null
  }),
  take: () => {},
  leave: () => {},
  timed: (_sharer, trying) => trying,
  isHeldBack: () => false
}

const slowAfterMillis = Duration.toMillis(mailLimits.slowAfter)
const slowForMillis = Duration.toMillis(mailLimits.slowFor)

/** What is known of a sharer. */
interface Known extends MailSharer {
  readonly held: number
  /** When a try was slow, if the last one was; null: it was not. Epoch milliseconds. */
  readonly slowAt: number | null
}

const shareOf = ({ livemode, slowAt }: Known): number =>
  slowAt !== null
    ? mailLimits.mostWhileSlow
    : livemode
      ? mailLimits.mostOfOneCompany
      : mailLimits.mostTestMailsOfOneCompany

export const makeMailPlaces = (): MailPlaces => {
  const { askedOnTop, keptForAsked, keptSendWithin, mostInHand, mostOfOneCompany, sendWithin } = mailLimits
  /** Those that have mails in hand, or whose last try was slow and not long ago: no more than two for each company. */
  const known = new Map<string, Known>()
  let taken = 0

  const change = (sharer: MailSharer, by: (before: Known) => Partial<Known>): void => {
    const { companyId, livemode } = sharer
    const key = partyOf(sharer)
    const before = known.get(key) ?? { companyId, livemode, held: 0, slowAt: null }
    const after = { ...before, ...by(before) }
    if (after.held > 0 || after.slowAt !== null) known.set(key, after)
    else known.delete(key)
  }
  /** Whoever had no try for a while may never have one again. */
  const forgetSlow = (now: number): void => {
    for (const one of known.values()) {
      if (one.slowAt !== null && now - one.slowAt >= slowForMillis) change(one, () => ({ slowAt: null }))
    }
  }
  const isFull = () => taken >= mostInHand - keptForAsked

  return {
    count: mostInHand,
    room: (free) => {
      const isForAsked = isFull()
      return {
        most: isForAsked ? free : free - keptForAsked,
        mostOfOne: mostOfOneCompany,
        mostTestMailsOfOne: mailLimits.mostTestMailsOfOneCompany,
        leftOf: [...known.values()].map((one) => ({
          companyId: one.companyId,
          livemode: one.livemode,
          left: shareOf(one) - one.held
        })),
        askedOnTop,
        isForAsked,
        within: isForAsked ? keptSendWithin : sendWithin
      }
    },
    take: (sharer) => {
      taken += 1
      change(sharer, ({ held }) => ({ held: held + 1 }))
    },
    leave: (sharer) => {
      taken -= 1
      change(sharer, ({ held }) => ({ held: held - 1 }))
    },
    timed: (sharer, trying) =>
      Effect.flatMap(Clock.currentTimeMillis, (began) =>
        Effect.ensuring(
          trying,
          Effect.map(Clock.currentTimeMillis, (now) => {
            forgetSlow(now)
            change(sharer, () => ({ slowAt: now - began >= slowAfterMillis ? now : null }))
          })
        )
      ),
    isHeldBack: () => isFull() || [...known.values()].some((one) => one.held >= shareOf(one))
  }
}
