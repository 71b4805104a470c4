/** The limits of the checks that the service makes itself: attempts, looks, uploads, and the frames that decide a video. */
import { Duration } from "effect"

export const checkLimits = {
  /** Attempts at the identity check that one customer has in a day (D3). */
  mostAttempts: 5,
  /**
   * Pairs of photos of one journey that the service looks at in a day. Unusable photos cost the customer no attempt, but
   * each look costs the service about a second of a core.
   */
  mostLooks: 20,
  attemptsCountedFor: Duration.days(1),
  /** A customer may continue an upload for this long after its beginning. Retention then removes what has arrived. */
  uploadOpenFor: Duration.hours(24),
  /** Frames that must agree before they decide a video: a single matching frame may be a photo held up for a moment. */
  fewestAgreeingFrames: 2
} as const
