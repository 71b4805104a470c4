/**
 * Every limit of the journey actor, in one place, with its unit and its reason.
 */
import { Schedule } from "effect"

/** A caller waits this long for an actor: the promise is an answer within 5 s. */
export const answerWithin = "4200 millis"

/** After a try that nobody answered, when to ask again; `answerWithin` ends it. */
export const askAgain = Schedule.spaced("100 millis")

/** Messages waiting for one journey; beyond it callers hear TEMPORARILY_UNAVAILABLE instead of queueing for minutes. */
export const mailboxCapacity = 256

/** A journey nobody talks to leaves memory; its row stays. Long enough for a customer's next tap, short enough for load. */
export const idleTime = "10 seconds"

/** Journeys in memory at once, about 14 KB each. Beyond it new ones are refused for the moment. */
export const mostJourneysInMemory = 100_000

/** Messages one wake-up may work off, so that a journey whose alarms never end cannot hold its mailbox for ever. */
export const messagesPerWake = 16

/** How often a message is decided: once, and once more when another actor of the journey was faster. */
export const mostDecisions = 2

/** A journey whose wake-ups keep failing is set aside after this many, with a loud line; reads and cancel go on. */
export const failedWakesBeforeAside = 5

/**
 * A commit's outcome is certain after this long or stays unknown. Less than `answerWithin`: whoever asked is waiting,
 * and hears better from the actor than from the clock.
 */
export const certainWithin = "4 seconds"

/** After a connection was lost during a commit, when to try it again; `certainWithin` ends it. */
export const tryUnknownAgain = Schedule.spaced("250 millis")
