/**
 * The limits of what all actors rest on: commits in doubt, shared places, looks for due work, and secrets that people carry. The limits of
 * each kind of actor stand in its own folder.
 */
import { Duration } from "effect"

export const commitLimits = {
  /**
   * The outcome of a commit is known after this time, or stays unknown. It is shorter than the time in which an actor must
   * answer: the caller waits, and the actor can say more than a timeout can.
   */
  knownWithin: Duration.seconds(4),
  /** The pause before a commit whose connection was lost is submitted again. */
  retryEvery: Duration.millis(250)
} as const

export const dueWorkLimits = {
  /**
   * The pause after a look that took up everything that was due: what becomes due meanwhile shares the next look. Without it
   * each mail of a service with little to do would cost looks of its own. Nobody notices a tenth of a second.
   */
  gatherFor: Duration.millis(100)
} as const

export const queueLimits = {
  /** While both wait, test work has one turn after so many of live work: a sandbox slows down, but it does not stand still. */
  liveTurnsForOneTestTurn: 4
} as const

export const carriedSecretLimits = {
  /** 256 bits: nobody can try them all. */
  secretBytes: 32,
  /**
   * As many of them are a mark that only the installation can make. Whoever tries marks needs 2^64 requests for one look-up, and what is
   * left of the secret is random: 192 bits.
   */
  markBytes: 8
} as const
