/**
 * The limits of due work: how often this node looks for work of each kind, and how much of it runs at once. The limits of
 * mail stand in `actors/mail/limits.ts`.
 */
import { Duration } from "effect"
import { mailLimits } from "../../actors/mail/limits.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"

export const journeyAlarmLimits = {
  /** An alarm rings at most this late. */
  lookEvery: Duration.millis(500),
  /** Alarms of one look; the rest comes with the next look. */
  batch: 500,
  /**
   * The leader wakes alarms that are overdue by more than this: nodes forgot them, or wake them already. A shorter time
   * would find many of the latter and wake some journeys a second time.
   */
  forgottenAfter: Duration.millis(500),
  /** Wake-ups at once: enough to fill the group commit, few enough to leave callers their turn. */
  concurrency: 64,
  /** Prompt wake-ups that wait. Beyond it the oldest wait for the next look. */
  mostPrompts: 10_000
} as const

export const deliveryAlarmLimits = {
  /** An attempt at a webhook delivery begins at most this late. */
  lookEvery: Duration.millis(500),
  /** Endpoints with something due in one look: all of them, because the statement costs one probe for each. */
  batch: Infinity,
  /**
   * An endpoint that still has something due is woken again after this time. Most likely its attempts are under way, and a
   * thousand silent endpoints must not make two thousand messages a second.
   */
  wakeAgainAfter: Duration.seconds(2),
  /** Wake-ups at once. */
  concurrency: 64
} as const

export const erasureLimits = {
  /** An erasure that was interrupted goes on at most this late. */
  lookEvery: Duration.seconds(5),
  /** Erasures of one look: so many that some that fail each time hide no others. */
  batch: 1000,
  /** Erasures at once: one that hangs does not delay the others, and the database keeps room for callers. */
  concurrency: 2
} as const

export const retentionLimits = {
  /** Nobody waits for a removal; a look at everything costs several statements. */
  lookEvery: Duration.minutes(10),
  /** Kinds of data in one look: all of them. */
  batch: Infinity,
  /** Removals are heavy statements: one at a time. */
  concurrency: 1,
  /** Test data, from the start of its journey (decision S9). */
  testDataKeptFor: Duration.days(30),
  /** An attempt at a check, from its beginning: its journey has heard of it by then, if the journey ever does. */
  attemptRunsFor: Duration.hours(1),
  /** How much mail an address got, from its last mail: the longest time in which a mail counts (decision M9). */
  mailsCountedFor: Duration.days(1),
  /** What was uploaded counts on its own day only. */
  uploadsCountedFor: Duration.days(1),
  /** The counts of a company's mail by hour: a day longer than they count. */
  mailHoursKeptFor: Duration.sum(mailLimits.standingOver, Duration.days(1)),
  /** The counts of an endpoint's hour: a day longer than statistics go back. */
  endpointHoursKeptFor: Duration.sum(Duration.hours(webhookLimits.mostStatisticsHours), Duration.days(1)),
  /** The number of a form that may be sent once: longer than any session in which the form was shown. */
  sentFormsKeptFor: Duration.days(90),
  /** Who had a review open: nobody is told any more a few minutes later. */
  reviewLooksKeptFor: Duration.hours(1),
  /** A link, from its end. One that was shown as a QR code stays as long as one that was mailed. */
  linksKeptFor: Duration.days(30),
  /** Unfinished uploads of one statement, which takes a tenth of a second for each video. */
  videosAtOnce: 5,
  /** Photos that waited for a check, of one statement. */
  photosAtOnce: 50,
  /** Journeys whose photos and videos go with one statement, which takes a tenth of a second for each video. */
  journeysAtOnce: 10
} as const

export const monthLimits = {
  /** Months are made two months ahead, and an empty one is in nobody's way. A lock that was not to be had is tried again after this time. */
  lookEvery: Duration.minutes(10),
  /** Tables of one look: all of them. */
  batch: Infinity,
  /** A table's locks are held alone: two tables would wait for each other's readers. */
  concurrency: 1
} as const

export const walletCheckLimits = {
  /** A wallet that does not agree is known within this time. */
  lookEvery: Duration.hours(1),
  /** Things of one look: there is one, all wallets. */
  batch: 1,
  /** One statement at a time: nobody waits for the outcome. */
  concurrency: 1,
  /** Wallets of one statement: it reads each line of their ledgers, some hundred thousand in a tenth of a second. */
  walletsAtOnce: 20
} as const

export const fillInLimits = {
  /** Older journeys that one statement fills in: some ten milliseconds of work, so that callers do not wait behind it. */
  batch: 100,
  /** Between two statements: most of the time the database works for callers. A million journeys take about an hour. */
  pause: Duration.millis(300),
  /** After a failure, most likely of the database. */
  againAfter: Duration.seconds(30)
} as const
