/** Every limit of an endpoint's actor, in one place, with its unit and its reason. */

/** Attempts under way at once at an endpoint that answers: enough to keep a fast receiver busy, few enough not to flood it. */
export const mostInFlight = 32

/**
 * Attempts at once at an endpoint nobody has heard of yet, and the least at one that fails. Each answer makes it one
 * more, each failure half as many: a thousand endpoints that never answer hold a thousand connections, not thousands.
 */
export const firstInFlight = 2

/** An endpoint with this many attempts at once is quick: what comes next is read before it is needed. */
export const readAheadFrom = 8

/** Due deliveries taken into memory at once: a few round trips' worth. */
export const deliveriesInHand = 512

/** What was taken into memory longer ago is looked up again, with the endpoint's settings, before it is sent. */
export const handKeptMillis = 1000

/** Attempts that have ended and are not in the log yet; beyond it nothing new is sent until the database follows. */
export const mostUnrecorded = 2048

/** Attempts of one endpoint that are recorded together at most; what others have meanwhile goes along. */
export const attemptsPerRecord = 64

/** When a record could not be written, how long until it is tried again, in milliseconds. */
export const recordAgainMillis = 500

/** An actor nobody talks to leaves memory, with its connections. Longer than the longest attempt. */
export const idleTime = "60 seconds"

/** Endpoints in memory at once, beside the journeys. Beyond it the deliveries of others wait until one leaves. */
export const residentEndpoints = 10_000

/** Messages waiting for one endpoint: wake-ups are folded, so this many mean that something is stuck. */
export const mailboxCapacity = 256

/** Test attempts at once at one endpoint, asked for by its owner; the next one is refused for the moment. */
export const testsAtOnce = 4

/** A stopping node waits this long for attempts under way; what is cut off is sent again by whoever takes over. */
export const stopWithin = "5 seconds"

/** A message to an actor of another node gets through in this time or is given up. */
export const wokenWithin = "2 seconds"

/** Longer than an exchange and its record take. */
export const attemptAnsweredWithin = "14 seconds"

/** After a failure of the service's own, when the attempt is made again, in milliseconds. It counts for nothing. */
export const ownFailureAgainMillis = 60_000

/** During a streak of failures the time of the last one is written this often, in milliseconds: its gaps are hours. */
export const healthWrittenMillis = 60_000
