/** What one statement of a store may do at most. Times and batches of the connection itself are in `postgres/limits.ts`. */
import { Duration } from "effect"

export const storeLimits = {
  /** One page of events tests its filter on this many events: some milliseconds, however few of them pass. */
  eventsLookedAt: 1000,
  /** A list of events since a time begins at the smallest transaction of this many ids from then on: nodes may disagree about the time. */
  idsOfTime: 1000,
  /** One page of the delivery log looks at this many deliveries when few pass its filter: it must not read a whole log. */
  deliveriesLookedAt: 5000,
  /** The last deliveries among which an overview looks for one that arrived. */
  deliveriesOfOverview: 100,
  /** The latest attempts that a list shows of each delivery. A resend can add any number of attempts. */
  attemptsInList: 20,
  /** The latest attempts of each delivery that a timeline shows: the whole schedule of a delivery, and some resends. */
  attemptsInTimeline: 10,
  /** The latest attempts that a single delivery shows. */
  attemptsOfOneDelivery: 200,
  /** Deliveries that one statement parks: few enough to be quick, however many are pending. */
  deliveriesParkedAtOnce: 1000,
  /** Events that one statement of a resend looks at. */
  eventsPerResend: 500,
  /** A resend goes no further while this many of its deliveries wait to be sent: new events must not queue behind them. */
  waitingOfResend: 500,
  /**
   * Callbacks that are kept of one request. A check may fail five times a day for as long as its customer has to finish,
   * which is ninety days at most. A provider that signs more callbacks is broken and must not fill the disk.
   */
  callbacksOfRequest: 1000,
  /** Whether a table has rows of before marks is looked up once in this time at most, however many forged secrets and ids come. */
  unmarkedKnownFor: Duration.seconds(1),
  /** The pause before a change of unknown outcome is looked up again, of which its caller was told nothing. */
  lookUpEvery: Duration.seconds(1),
  /** Looks at a database that answers for a commit that it does not have. By then the commit waits nowhere any more. */
  mostLookUps: 30,
  /** The companies that one look for due mail goes through, one index look each; the next look goes on behind the last. */
  companiesInOneTurn: 200,
  /** The latest lines of the audit log in which the line of the same look is looked for. */
  auditLinesLookedAt: 200,
  /** Lines of the audit log that one check hashes: some hundredths of a second. */
  auditLinesChecked: 5000,
  /**
   * A part of a video is read and opened in pieces of this size, and others have their turn between two: the largest part in eight,
   * with what sealing adds to it.
   */
  sealedPieceBytes: 132 * 1024,
  /** The latest attempts, verdicts, uploads and photos that a case file shows of each. The timeline has them all. */
  entriesOfCase: 200
}

/** How the request log is written and read. How long it is kept, and what is counted, is in `schema/company/limits.ts`. */
export const requestLogStoreLimits = {
  /** The time whose requests share a slot of the table, and the slots that there are: two more than are kept. */
  slotLasts: Duration.days(1),
  slots: 32,
  /** Lines of one statement. */
  linesAtOnce: 1000,
  /** Lines that wait in memory, about 5 MB: some seconds of a busy node while the database is away. */
  mostWaiting: 10_000,
  /** Lines that one piece of a list looks at for a filter. */
  linesLookedAt: 2000
} as const
