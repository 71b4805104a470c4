/**
 * The places of one node for mail that leaves through a server. One company has a share of them, and only one place after a try
 * that was slow, until one is quick: a server that hangs on a company's recipients keeps no other company's mail. The last places
 * are kept for mail that somebody asked for just now, in which a try is short. Which mail is due is not known here.
 */
import { Clock, Duration, Effect } from "effect"
import type { CompanyId } from "../../schema/ids.ts"
import { mailLimits } from "./limits.ts"

/** What the next look may take up. */
export interface MailRoom {
  /** Mails in all. */
  readonly most: number
  /** Mails of each company that `leftOf` does not name. */
  readonly mostOfOne: number
  /** Mails of companies that have some in hand, or whose last try was slow. Below zero: the company is beyond its share. */
  readonly leftOf: ReadonlyMap<CompanyId, number>
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
  readonly take: (companyId: CompanyId) => void
  readonly leave: (companyId: CompanyId) => void
  /** Notes how long the server takes for a company's mail. */
  readonly timed: <A, E>(companyId: CompanyId, trying: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Whether a company has all that it gets, or only kept places are free. */
  readonly isHeldBack: () => boolean
}

/** The built-in mailbox hangs on nobody: whoever owes mail has all places. */
export const unsharedPlaces: MailPlaces = {
  count: mailLimits.mostKeptAtOnce,
  room: (free) => ({
    most: free,
    mostOfOne: free,
    leftOf: new Map(),
    askedOnTop: 0,
    isForAsked: false,
    // The statement that keeps a mail has a time-out. A second one for each mail would cost as much as the rest of the try.
    within: null
  }),
  take: () => {},
  leave: () => {},
  timed: (_companyId, trying) => trying,
  isHeldBack: () => false
}

const slowAfterMillis = Duration.toMillis(mailLimits.slowAfter)

export const makeMailPlaces = (): MailPlaces => {
  const { askedOnTop, keptForAsked, keptSendWithin, mostInHand, mostOfOneCompany, mostWhileSlow, sendWithin } =
    mailLimits
  const inHand = new Map<CompanyId, number>()
  /** The companies whose last try was slow: no more than there are companies. */
  const slow = new Set<CompanyId>()
  let taken = 0

  const shareOf = (companyId: CompanyId) => (slow.has(companyId) ? mostWhileSlow : mostOfOneCompany)
  const heldBy = (companyId: CompanyId) => inHand.get(companyId) ?? 0
  const isFull = () => taken >= mostInHand - keptForAsked

  return {
    count: mostInHand,
    room: (free) => {
      const isForAsked = isFull()
      const known = [...new Set([...inHand.keys(), ...slow])]
      return {
        most: isForAsked ? free : free - keptForAsked,
        mostOfOne: mostOfOneCompany,
        leftOf: new Map(known.map((id) => [id, shareOf(id) - heldBy(id)])),
        askedOnTop,
        isForAsked,
        within: isForAsked ? keptSendWithin : sendWithin
      }
    },
    take: (companyId) => {
      taken += 1
      inHand.set(companyId, heldBy(companyId) + 1)
    },
    leave: (companyId) => {
      taken -= 1
      const held = heldBy(companyId) - 1
      if (held > 0) inHand.set(companyId, held)
      else inHand.delete(companyId)
    },
    timed: (companyId, trying) =>
      Effect.flatMap(Clock.currentTimeMillis, (began) =>
        Effect.ensuring(
          trying,
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (now - began < slowAfterMillis) slow.delete(companyId)
            else slow.add(companyId)
          })
        )
      ),
    isHeldBack: () => isFull() || [...inHand].some(([companyId, held]) => held >= shareOf(companyId))
  }
}
