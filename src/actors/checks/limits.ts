/** The limits of the checks that the service makes itself: attempts, looks, uploads, and the frames that decide a video. */
import { Duration } from "effect"

export const checkLimits = {
  /** Attempts at the built-in identity check that a customer has in a day on one journey (D3). */
  mostAttempts: 5,
  /**
   * Pairs of photos of one journey that the service looks at in a day. Unusable photos cost the customer no attempt, but
   * each look costs the service about a second of a core.
   */
  mostLooks: 20,
  attemptsCountedFor: Duration.days(1),
  /** Earlier attempts whose pictures a new attempt may not use again. Comparing with all of them takes some 0.05 seconds. */
  mostEarlierPrints: 10,
  /** A customer may continue an upload for this long after its beginning. Retention then removes what has arrived. */
  uploadOpenFor: Duration.hours(24),
  /**
   * A photo that waits for the check is kept for this long: a customer who was interrupted, or must take the other photo again,
   * comes back within the hour.
   */
  photosKeptFor: Duration.hours(1),
  /** Frames that must agree before they decide a video: a single matching frame may be a photo held up for a moment. */
  fewestAgreeingFrames: 2
} as const

/** What customers may upload in a day, videos and photos together (UTC). */
export const uploadBudget = {
  /** Of one journey: more than the looks that a customer has, with photos taken again in between. */
  mostUploads: 100,
  /** Of one journey: six of the largest videos. */
  mostBytesOfJourney: 600 * 2 ** 20,
  /** Of all journeys of a company: two thousand videos of a minute, and a few for whoever tries the sandbox. */
  mostBytesOfCompany: { LIVE: 40 * 2 ** 30, TEST: 2 * 2 ** 30 }
} as const

/** The limits of reading an identity document. */
export const documentLimits = {
  /** Letters of the shortest machine-readable line, which has 30, when the reader has missed two. */
  fewestLineLetters: 28,
  /** In words of so many letters the reader may mistake one: shorter names are too like each other. */
  longWord: 6,
  /** Reading takes two to four seconds of a core. What takes longer stays unread. */
  readWithin: Duration.seconds(20),
  /** Documents of one company that wait for the one reader; more stay unread. */
  mostWaiting: 8,
  /** Companies take turns, so the documents of so many of them may wait, live and test each. */
  queuesOfAll: 8,
  /** A reader takes 150 MB and a second to start, so it is kept for the next document for so long. */
  keptFor: Duration.minutes(5)
} as const
