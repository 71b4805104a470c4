/** The limits of a customer's sign-in: how long a link and a session live, and how often a new link is mailed. */
import { Duration } from "effect"

export const customerLimits = {
  /** X5: a car buyer reads mail at weekends. */
  linkLifetime: Duration.hours(72),
  /** X5: a link that is shown as a QR code is used at once, by somebody who stands before the screen. */
  telephoneLinkLifetime: Duration.minutes(10),
  /** Links that may be issued for one journey in `telephoneLinksCountedFor` before no more are shown as a QR code. */
  mostTelephoneLinks: 10,
  telephoneLinksCountedFor: Duration.hours(1),
  /** X5: a session ends after this long without a request. */
  sessionIdleTime: Duration.minutes(30),
  /** X5: a session ends after this long in any case. */
  sessionLifetime: Duration.hours(12),
  /** The row of a session stays this long, so that a browser that comes back at a weekend has a button for a new link. It opens nothing. */
  sessionRowKeptFor: Duration.hours(72),
  /** Sessions of one journey: the computer, the telephone that its QR code opened, and some to spare for browsers that forget. */
  mostSessions: 5,
  /** Sessions that the team is shown: more than one journey has. */
  mostSessionsShown: 100,
  /** That a session is used is written this often. A video comes in a hundred requests, and each need not be a write. */
  sessionSeenEvery: Duration.minutes(1),
  /** Mails with a new link that may be asked for, for one journey, in `linkMailsCountedFor`. */
  mostLinkMails: 3,
  linkMailsCountedFor: Duration.hours(1),
  /** Journeys of one customer whose records one correction replaces: more than anybody buys cars, few enough for one transaction. */
  mostJourneysCorrected: 200
} as const
