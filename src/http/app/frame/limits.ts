/** The limits of the customer's app: sizes of videos, and how long a browser keeps what it was sent. */
import { Duration } from "effect"

export const appLimits = {
  /** A video in one form: it is held in memory until it is in. */
  largestPlainVideoBytes: 25 * 2 ** 20,
  /** Videos in one form that a node reads at once, because each one is held in memory. Further ones are asked to come again. */
  plainVideosAtOnce: 8,
  /** How many of them may be of test journeys. */
  plainTestVideosAtOnce: 2,
  /** Digits of a part's number. */
  longestPartNumber: 6,
  /** A browser remembers the language that was chosen in it for this long. */
  languageKeptFor: Duration.days(365),
  /** Characters of the path of the page that a choice of language leads back to. A link has about 60. */
  longestBackPath: 200,
  /** A browser keeps a sample of the sandbox this long: its name stays the same. */
  samplesKeptFor: Duration.hours(1)
} as const
