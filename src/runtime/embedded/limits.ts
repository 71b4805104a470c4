/** The limits of the embedded PostgreSQL, each with its reason. What the server itself may use is set in postmaster.ts. */
import * as Duration from "effect/Duration"

export const embeddedLimits = {
  /** A start takes about a second. After a crash the server may first have to replay up to a gigabyte of its log. */
  readyWithin: Duration.minutes(2),
  /** Another program can take the free port before the server gets it. After this many tries the start fails. */
  mostPortTries: 3,
  /** One connection of the start to a server on the same machine. */
  connectWithin: Duration.seconds(5),
  /** How often a running service looks whether its server has ended. */
  watchEvery: Duration.seconds(1),
  /** How often a wait looks again: a server answers within a second, and a look costs little. */
  lookEvery: Duration.millis(20),
  /** A stop with SIGINT writes a checkpoint. A server that needs longer is ended with SIGQUIT. */
  fastStopWithin: Duration.seconds(10),
  /** A stop with SIGQUIT writes nothing. A server that needs longer is left to the next start. */
  immediateStopWithin: Duration.seconds(5),
  /** How often the removal of an unfinished folder is tried, while an `initdb` may still be writing there. */
  mostRemovalTries: 20,
  removalRetryMillis: 50,
  /** Random bytes of the server's password: nobody types it, so it can be longer than anybody could guess. */
  passwordBytes: 24
} as const
