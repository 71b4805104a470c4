/**
 * Every limit of the journey actor, in one place, with its unit and its reason.
 */
import { Schedule } from "effect"

/** A caller waits this long for an actor before hearing TEMPORARILY_UNAVAILABLE: the promise is an answer within 5 s. */
export const answerWithin = "4500 millis"

/** Messages waiting for one journey; beyond it callers hear TEMPORARILY_UNAVAILABLE instead of queueing for minutes. */
export const mailboxCapacity = 256

/** A journey nobody talks to leaves memory; its row stays. Long enough for a customer's next tap, short enough for load. */
export const idleTime = "10 seconds"

/** Journeys in memory at once, about 14 KB each. Beyond it new ones are refused for the moment. */
export const residentJourneys = 100_000

/** Messages one wake-up may work off, so that a journey whose alarms never end cannot hold its mailbox for ever. */
export const messagesPerWake = 16

/** A journey whose wake-ups keep failing is set aside after this many, with a loud line; reads and cancel go on. */
export const failedWakesBeforeAside = 5

/**
 * After a connection was lost during a commit, how often to try it again until its outcome is certain. Within
 * `answerWithin` in all: whoever asked is still waiting.
 */
export const tryUnknownAgain = Schedule.upTo(Schedule.spaced("250 millis"), { times: 14 })
