/** The limits of what an operator configures for a company. Limits of wallets, keys and the sandbox stand here as well. */
import { Duration } from "effect"

export const companyLimits = {
  /** As long as the names in a start. */
  longestCompanyName: 255,
  longestKeyName: 100,
  /** Offices, data centres and their backups, each by IPv4 and IPv6. */
  mostKeyAddresses: 50,
  /** A key of which its maker says no end: long enough to plan for, short enough that a forgotten one ends. */
  usualKeyDays: 365,
  /** How long the address stands beside a line of the audit log from which it was asked: whoever looks into a theft looks within weeks. */
  askersAddressDays: 90,
  longestPanelName: 100,
  /** 128 bits, if the secret is hexadecimal. */
  shortestProviderSecret: 16,
  longestProviderSecret: 255,

  /** X4: the days of the identity window and of the handover window. */
  shortestWindowDays: 1,
  longestWindowDays: 90,
  /** X1, X2. */
  usualWindowDays: 30,

  /** How long photos and videos of live journeys are kept after the end of their journey. */
  shortestRetentionDays: 1,
  longestRetentionDays: 365,
  /** As long as a customer may come back with a question. */
  usualRetentionDays: 30,
  /** How long customers' data is kept after their last journey; 0: until they are erased by hand. Ten years are more than any law asks for. */
  longestCustomerDays: 3650,
  /** How long a declined application is kept: as long as a customer may complain of it, half a year. */
  usualApplicationDays: 180,

  /** The pace of a sandbox, per step. A person watches it: a minute is long enough. */
  fastestPaceSeconds: 1,
  slowestPaceSeconds: 60,

  /** A logo as it is sent: what a designer exports for a web page, and so little that every page can wait for it. */
  largestLogoBytes: 256 * 1024,
  longestLogoSidePixels: 1600,
  /** A logo as it is kept: three pixels of a telephone for each pixel of the page, in a box of 160 by 48. */
  widestKeptLogoPixels: 480,
  highestKeptLogoPixels: 144,
  /** A kept logo is loaded by every page, also over the slowest line. */
  largestKeptLogoBytes: 48 * 1024,
  /** The contrast of text in the brand's colour with its ground (WCAG 2.2, 1.4.3). */
  leastContrast: 4.5,
  /** The steps in which a colour is darkened or lightened: fine enough that nobody sees a step. */
  shadesOfAColour: 64,
  /** The digits of a telephone number with its country code (E.164 allows 15), and the characters around them. */
  leastTelephoneDigits: 7,
  mostTelephoneDigits: 15,
  longestTelephone: 30,
  /** A line for each day of the week, and one for holidays. */
  mostHoursLines: 8,
  longestHours: 400,
  longestReturnUrl: 500,
  /** A body that changes a company: a logo in base64, and everything else with room to spare. */
  largestChangeBytes: 512 * 1024,

  /** What an overview counts of each thing: beyond that a person wants to know only that it is more. */
  mostCounted: 1000,
  /** The last events of each mode that an overview shows: what somebody who looks for the last one sees at a glance. */
  eventsOfOverview: 10,
  /** What the audit log is filtered by: a member is the longest actor, and no action is half as long. */
  longestActor: 100,
  longestAuditAction: 100,
  /** The largest number of a line of the audit log that a check goes on from: no log grows as long. */
  mostAuditLines: 999_999_999,
  /** A place in the stock: a vehicle's id of a hundred characters of four bytes, and a timestamp, in base64. */
  longestStockCursor: 640,

  /** Credits in one purchase. A larger number is a typing error. */
  largestCredit: 1_000_000,
  longestCreditNote: 255,

  longestPasskeyName: 60,
  /** An authenticator's answer in JSON: without attestation it is below two kilobytes. */
  longestPasskeyAnswer: 16 * 1024
} as const

/** Of a reason in somebody's own words: of a cancellation, of a review, and of those that a company keeps ready. */
export const reasonTextLimits = {
  /** V22. Ten characters keep "ok" from being a reason. */
  shortestReason: 10,
  longestReason: 500,
  /** Reasons that a company keeps ready for each decision: what somebody can look through. */
  mostReadyReasons: 20
} as const

export const requestLogLimits = {
  /** How long a request stays in the log. */
  keptFor: Duration.days(30),
  /** How often what has gathered is written. Whoever looks for a request that was just answered waits a second. */
  writtenEvery: Duration.seconds(1),
  /** A request is in the log within this time: until it is written, and as long again for the write. */
  shownWithin: Duration.seconds(2),
  /** How far back refusals are counted by code: what an integrator looks at after a change, over a weekend. */
  countedFor: Duration.days(7),
  /** The newest lines that such a count looks at, some hundredths of a second; of a busier company it covers less time, and says so. */
  linesCounted: 10_000
} as const

export const journeyListLimits = {
  /** Characters of a search in a URL: those of the longest external reference, and no id is longer. */
  longestReferenceSearch: 100,
  /** Characters of any search: those of the longest address. */
  longestSearch: 254,
  /**
   * Journeys, live and test each, whose external reference begins with what is searched for: the first so many in the order of
   * their references are looked at, each by a probe of its row. Who gets more searches by more characters.
   */
  mostByBeginning: 200
} as const
