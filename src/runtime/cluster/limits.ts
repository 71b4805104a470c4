/** The limits of the cluster: leases and looks of the runners, connections to Redis, leadership, wake-ups, and memory. */
import { Duration } from "effect"
import { journeyActorLimits } from "../../actors/journey/actor/limits.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"

export const memoryLimits = {
  /** Actors that a node keeps in memory, of both kinds together. */
  mostActors: journeyActorLimits.mostInMemory + webhookLimits.residentEndpoints
} as const

export const clusterLimits = {
  /** Spread evenly over some ten runners, and few enough to renew all of them in one step of Redis. The same on all nodes. */
  shards: 300,
  /** Short enough for a take-over within 10 s, long enough to outlive a pause of the process or a reconnect. */
  leaseLasts: Duration.seconds(6),
  /** Four times in the life of a lease. A call that takes longer has failed, and the actors stop before the lease ends. */
  leaseRefreshEvery: Duration.millis(1500),
  /** The pause between looks at who the runners are. */
  lookEvery: Duration.millis(500),
  /** The pause between tries for shards that another runner still holds, and after a try that failed. */
  tryShardsEvery: Duration.seconds(1),
  /** The pause between checks whether runners can be reached by others. A dead runner loses its lease anyway. */
  pingEvery: Duration.seconds(2),
  /** A ping that takes longer has failed. A busy node answers late, and moving its shards would make it worse. */
  pingWithin: Duration.seconds(2),
  /** Pings after the first that must fail before a runner that renews its leases counts as unreachable. */
  pingRetries: 2,
  /** Actors get this long to finish their message when a node stops: a commit is known after 4 s, an attempt is cut off after 5. */
  actorsEndWithin: journeyActorLimits.messagesEndWithin,
  /** The pause between tries to send a message whose shard is between two runners. */
  sendAgainEvery: Duration.millis(100),
  /** One message between nodes. A photo of 5 MB is 6.7 MB in base64; the clean photo is smaller. */
  largestMessageBytes: 8 * 1024 * 1024,
  /** A connection to another node is open after this time, or the node counts as unavailable for the moment. */
  openWithin: Duration.seconds(1),
  /** A connection that is silent for this long is given up; pings come more often. */
  silentFor: Duration.millis(5500)
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

export const proofLimits = {
  /** Of the key that both ends of a connection have: as many as the cipher's own key has (ChaCha20). */
  keyBytes: 32,
  /** Of the name of a key: two keys never share a name by chance, and two names fit into one hint of TLS (128 characters). */
  identityBytes: 16,
  /** From the connection to the proof. Two nodes need milliseconds; a busy one some hundred. */
  proveWithin: Duration.seconds(5),
  /** Connections that have proven nothing yet. A new one puts out the oldest, so that silent ones keep no node out. */
  mostUnproven: 256,
  /** Refused connections are counted in one line of the log. Whoever knocks all the time fills no log. */
  refusalsLoggedEvery: Duration.minutes(1)
} as const

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
  /** The pause between claims when nothing is known to be due sooner: another node may announce something. */
  claimEvery: Duration.millis(100),
  /** The pause after a claim that Redis did not answer. */
  claimAgainAfter: Duration.millis(500),
  /** Wake-ups at once. Most wait for other nodes, and the wake-ups of a dead node wait until the node is replaced. */
  wakesAtOnce: 256,
  /** A claim of a wake-up. The wake-up is answered or given up before that (`journeyActorLimits.answerWithin`). */
  claimLasts: Duration.seconds(6)
} as const
