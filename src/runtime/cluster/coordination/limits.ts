/** The limits that all runners must agree on: the shards that they share out, and when a runner is fit to hold some. */
import { Duration } from "effect"

export const shardLimits = {
  /** Spread evenly over some ten runners, and few enough to renew all of them in one step of Redis. The same on all nodes. */
  shards: 300
} as const

export const fitnessLimits = {
  /** The look has a connection of its own: a pool that is full is no reason to let journeys go. */
  connections: 1,
  /** The pause between looks whether the database answers. */
  lookEvery: Duration.millis(500),
  /** An answer that takes longer is none: a database 2 s away is of no use to anybody who waits for a journey. */
  answerWithin: Duration.millis(1500),
  /**
   * Answers of the other kind for this long change a runner's mind. With an answer that does not come, the next renewal of
   * leases and the next tries of the others its journeys go on elsewhere within 8 s; 10 s are promised.
   */
  changesAfter: Duration.seconds(2),
  /**
   * A runner hands over only to one that has been fit for this long. When a database that was away for all comes back, the
   * first who sees it must not get everything from those who see it a second later.
   */
  settledAfter: Duration.seconds(5)
} as const
