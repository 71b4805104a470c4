/** The limits of what outside providers call back with, and of the sandbox's clocks. The limits of bodies are the server's. */
import { Duration } from "effect"

export const callbackLimits = {
  /** A provider's own id of its callback, which this service keeps as a hash. */
  longestCallbackId: 255,
  /** A UUID, which this service gave the provider. */
  longestRequestId: 36,
  /** A portrait before its encoding. The chip of a passport holds about 20 KB; a provider's own photo has a few hundred. */
  largestPortraitBytes: 1024 * 1024
} as const

export const clockLimits = {
  /** A journey has two windows of at most 90 days, and ends after 180: more than that shows nothing new. */
  largestAdvance: Duration.days(190),
  /** How far ahead a clock may begin: a year has every date that a program may stumble over. */
  latestStart: Duration.days(366),
  /** How far behind the present a start may lie: the clocks of two machines differ. */
  startSlack: Duration.minutes(5),
  /** A clock ends after this long in real time: a test takes seconds, and looking at what it left takes days. */
  livesFor: Duration.days(7),
  /** Clocks of one company that have not ended: one for each of the tests that run at once. */
  mostOfCompany: 20,
  /** Journeys on one clock: an advance looks at all of them at each of its steps. */
  mostJourneys: 20
} as const
