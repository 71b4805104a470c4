/**
 * Every limit of the connection to PostgreSQL, of group commit and of group reading. Limits of what a statement may do
 * (rows deleted at once, deliveries looked at) stand beside that statement in its store.
 */
import { Duration } from "effect"
import { commitLimits } from "../../actors/kernel/limits.ts"

export const databaseLimits = {
  /**
   * Few connections that are well used: writes are gathered into batches, and a read takes a millisecond. More connections
   * only make the database's own queue longer, and several nodes must fit under its `max_connections`. A listener keeps
   * one connection for itself.
   */
  poolSize: 10,
  /** After this time without a free connection a caller hears that the database is unavailable. */
  acquireTimeout: Duration.seconds(3),
  connectTimeout: Duration.seconds(3),
  /** After this silence a connection is asked whether the other end is still there. */
  keepAlive: Duration.seconds(15),
  /** PostgreSQL ends a statement after this time. Our longest takes well under a second: a longer one has lost its caller. */
  statementTimeout: Duration.seconds(5),
  /** PostgreSQL stops waiting for a lock after this time. An answer and a second attempt are better than a longer wait. */
  lockTimeout: Duration.seconds(2),
  /** A process that is frozen inside a transaction loses its locks after this time. */
  idleInTransactionTimeout: Duration.seconds(10),
  /** We give a statement up a little after PostgreSQL would have ended it, so that the statements behind it go on. */
  silenceTimeout: Duration.seconds(6),
  /** A caller who reads hears "later" after this time. */
  readTimeout: Duration.seconds(3),
  /** What the database refuses is said in the log this often, however many statements it refuses. */
  troubleSaidEvery: Duration.minutes(1),
  /** A refusal counts this long for the health of the node: what is due is tried again within seconds. */
  troubleRememberedFor: Duration.minutes(1),
  /** A statement that was certainly rolled back runs again this often, after a pause that doubles each time. */
  rollbackRetries: 4,
  firstRollbackRetry: Duration.millis(5),
  /** Clocks of a node and the database that are farther apart are not kept in time. Signatures and due times bear a few seconds. */
  mostClockSkew: Duration.seconds(2),
  /** A process waits this long for another process that migrates the same database. */
  migrationTurnTimeout: Duration.minutes(10),
  /** A migration waits this long for readers of a table that it changes. */
  migrationLockTimeout: Duration.seconds(30)
}

/** How many batches of one kind run at once (`fibers`), and how many items one statement takes. */
export interface BatchLimits {
  readonly fibers: number
  readonly largestBatch: number
  /**
   * The first fiber takes what waits. The other fibers begin when so many items wait, because a statement has a cost of its own and
   * two small batches cost more than a large one; or when one item waits for so long, because the first statement may be held up by
   * a lock. Without it they take what waits too.
   */
  readonly othersBegin?: { readonly items: number; readonly after: Duration.Duration }
  /** The first fiber waits this long after the first item for more. Only where no request waits for the answer. */
  readonly gatherFor?: Duration.Duration
  /** A caller hears after this time that there is no answer yet. Without it callers wait as long as the statement takes. */
  readonly answerWithin?: Duration.Duration
}

/**
 * Items that wait for one batcher. At a few thousand items a second, more of them take longer than any caller waits for
 * an answer. The next caller hears at once that there is no room.
 */
export const mostWaiting = 10_000

export const batchLimits = {
  /** Two statements keep the disk busy while the next batch gathers. Larger ones gain nothing and make everyone wait. */
  journeyWrite: {
    fibers: 2,
    largestBatch: 128,
    othersBegin: { items: 32, after: Duration.millis(50) },
    answerWithin: commitLimits.knownWithin
  },
  /** A photo makes a statement take longer: starts without one do not wait for it. Photos are few. */
  journeyStartWithPhoto: { fibers: 2, largestBatch: 8, answerWithin: commitLimits.knownWithin },
  /** A start whose neighbours in a batch may be the reason why it failed runs alone. */
  journeyStartAlone: { fibers: 1, largestBatch: 1, answerWithin: commitLimits.knownWithin },
  /** Single rows by their ids. What comes while two statements are under way shares the next one. */
  journeyRead: { fibers: 2, largestBatch: 64, answerWithin: databaseLimits.readTimeout },
  /** Endpoints whose due deliveries one statement reads. */
  endpointRead: { fibers: 2, largestBatch: 64, answerWithin: databaseLimits.readTimeout },
  /**
   * Groups of attempts, each of which has a limit of its own. A fast endpoint's attempts end in bursts of some thirty: what ends
   * within five milliseconds costs a third less together.
   */
  attemptWrite: {
    fibers: 2,
    largestBatch: 32,
    gatherFor: Duration.millis(5),
    othersBegin: { items: 32, after: Duration.millis(50) }
  },
  /** Mail goes out far more slowly than one statement at a time records it. */
  mailWrite: { fibers: 1, largestBatch: 64 },
  /** To whom mails go: as few at once as mails are written down. */
  recipientRead: { fibers: 1, largestBatch: 64, answerWithin: databaseLimits.readTimeout },
  /** Keys that are not in memory: one look-up for all requests that wait. */
  apiKeyRead: { fibers: 2, largestBatch: 64, answerWithin: databaseLimits.readTimeout },
  /** The links of the mails that leave: as few at once as mails are written down. */
  signInLinkWrite: { fibers: 1, largestBatch: 64 }
} satisfies Record<string, BatchLimits>
