/** The limits of what nodes keep in Redis: the connections to it, leadership, and wake-ups. */
import { Duration } from "effect"

export const redisLimits = {
  /** One command of the patient client, which waits through a short reconnect: a reconnect must not lose leases. */
  patientWithin: Duration.millis(1500),
  /** One command of the prompt client, for which a late answer is worth nothing. */
  promptWithin: Duration.millis(250),
  connectWithin: Duration.seconds(1),
  /** The pause between attempts to connect. It never grows, because every node is useful the moment Redis is back. */
  reconnectEvery: Duration.millis(250),
  /**
   * Commands in a row without an answer, after which the connection is made anew: its other end may have vanished without a
   * word, and TCP notices that a quarter of an hour later.
   */
  mostUnanswered: 4,
  /** After a failure the rate limiter asks Redis again after this pause, with one request that does not wait. */
  rateLimitAgainAfter: Duration.seconds(1),
  /** Rate limits of one call: far more than one tick asks for, and few enough that Redis is not kept from others. */
  mostLimitsAtOnce: 1000,
  /** Names of buckets that are remembered instead of hashed anew. Beyond it the memory starts anew. */
  mostBucketNames: 10_000,
  /** The pause between looks whether the connection that hears of changed keys is alive: TCP does not tell. */
  hearingProvedEvery: Duration.seconds(1)
} as const

export const leadershipLimits = {
  /** Leadership lasts this long unless the leader asks again: a few looks, so that a slow look does not lose it. */
  lasts: Duration.seconds(2),
  /** A node that stepped down does not ask for this long: long enough for each other node to ask once. */
  stepsDownFor: Duration.seconds(1)
} as const

export const wakeUpLimits = {
  /** Alarms farther ahead are left to the look at the rows: nobody notices a second after an hour. */
  announcedAhead: Duration.hours(1),
  /** Alarms that wait to be announced. Beyond it the oldest are left to the look at the rows. */
  mostWaiting: 10_000,
  /** Alarms of one command. */
  announcedAtOnce: 500,
  /**
   * The pause between claims when nothing is known to be due sooner: another node may announce something. What this node announces
   * itself ends the pause. A shorter pause is most of what a node does that has nothing to do.
   */
  claimEvery: Duration.millis(500),
  /** The pause after a claim that Redis did not answer. */
  claimAgainAfter: Duration.millis(500),
  /** Wake-ups at once. Most wait for other nodes, and the wake-ups of a dead node wait until the node is replaced. */
  wakesAtOnce: 256,
  /** A claim of a wake-up. The wake-up is answered or given up before that (`journeyActorLimits.answerWithin`). */
  claimLasts: Duration.seconds(6)
} as const
