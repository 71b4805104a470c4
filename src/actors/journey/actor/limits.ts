/** The limits of a journey's actor, of starts, and of the attempts at external effects. */
import { Duration } from "effect"

export const journeyActorLimits = {
  /** A caller waits this long for an actor: the promise is an answer within 5 s. */
  answerWithin: Duration.millis(4200),
  /** A caller hears by so much later that there is no answer: all who wait are looked at together. */
  lateAfter: Duration.millis(100),
  /** The pause before a message that nobody answered is sent again; `answerWithin` ends the attempts. */
  sendAgainEvery: Duration.millis(100),
  /** Messages that wait for one journey. Beyond it callers hear TEMPORARILY_UNAVAILABLE instead of waiting for minutes. */
  mailboxCapacity: 256,
  /** An actor that gets no message leaves memory; its row stays. Long enough for a customer's next tap, short enough for load. */
  idleTime: Duration.seconds(10),
  /** Journeys in memory at once, about 14 KB each. Beyond it the one that was used longest ago leaves. */
  mostInMemory: 100_000,
  /** Messages that are being handled get this long to end when a node stops: a commit is known after 4 s. */
  messagesEndWithin: Duration.seconds(5),
  /** Due messages that one wake-up handles, so that a journey whose alarms never end cannot occupy its mailbox for ever. */
  messagesPerWake: 16,
  /** How often one message is decided: once, and again while actors of other nodes are faster, each with a message of its own. */
  mostDecisions: 5,
  /** A journey whose wake-ups fail this often in a row is set aside, with an error in the log; reads and cancel go on. */
  failedWakesBeforeAside: 5
} as const

export const startLimits = {
  /** A customer's row may appear while a start is written: the next try uses it. One more try covers its erasure in between. */
  mostTries: 3
} as const

export const effectLimits = {
  /** Attempts at external effects at once on a node: each holds a connection to a provider. */
  attemptsAtOnce: 128,
  /** Attempts of one kind for one company, an eighth of all: seven that fall silent at once leave room for an eighth. */
  attemptsAtOneDestination: 16,
  /** The same after an attempt has failed, until one succeeds: enough to notice that somebody answers again. */
  attemptsWhileFailing: 2,
  /** The part of an attempt's time in which it waits for a place; what it does not wait is the attempt's. */
  waitForPlace: 0.25,
  /** The part of an attempt's time that is left for sending its result to the journey. */
  reportWithin: Duration.seconds(10),
  /** The pause before a result that did not arrive is sent again. */
  reportAgainEvery: Duration.millis(250)
} as const
