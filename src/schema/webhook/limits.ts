/**
 * Every limit of webhooks: how fast an endpoint is served, how long anything may take, how much of an answer is kept, and
 * what the settings accept. The table stands in schema because the contract, the actors and the sender all read it. What
 * happens at a limit is the business of the file that applies it.
 */
import { Duration } from "effect"

export const webhookLimits = {
  // ── Pace at one endpoint ──────────────────────────────────────────────────────────────────────────────────────────
  /** Attempts in flight at an endpoint that answers, and its connections: a fast receiver stays busy, and is not flooded. */
  mostInFlight: 32,
  /**
   * Attempts in flight at an endpoint that the actor has not tried yet. Each success adds one, each failure halves the
   * number: a thousand endpoints that never answer hold a thousand connections, not thousands.
   */
  firstInFlight: 2,
  /** With so many attempts in flight an endpoint is fast: the actor reads the next deliveries before it needs them. */
  readAheadFrom: 8,
  /** Test attempts of the owner in flight at one endpoint. They come on top of the others; the next one is refused. */
  mostTestsInFlight: 4,

  // ── Memory of the endpoint's actor ────────────────────────────────────────────────────────────────────────────────
  /** Due deliveries that one read takes: a few round trips' worth. */
  largestRead: 512,
  /** A read takes so many deliveries for each attempt that may be in flight: a slow endpoint needs few in memory. */
  readForEachInFlight: 16,
  /** Deliveries in memory and the endpoint's settings are read again after this time, because others may change them. */
  bufferKept: Duration.seconds(1),
  /** Attempts that have ended and are not recorded. Beyond it nothing new is sent until the database follows. */
  mostUnrecorded: 2048,
  /** Messages that wait for one endpoint's actor. Wake-ups are folded into one, so this many mean that the actor hangs. */
  mailboxCapacity: 256,
  /** An actor without messages leaves memory, with its connections. Longer than the longest attempt. */
  idleTime: Duration.seconds(60),
  /** Endpoints in memory at once, beside the journeys. The deliveries of further endpoints wait until one leaves. */
  residentEndpoints: 10_000,

  // ── Recording ─────────────────────────────────────────────────────────────────────────────────────────────────────
  /**
   * Attempts of one endpoint that stand together when they are recorded. One statement records many such groups, of any endpoints: how
   * many, and how long it waits for them, is the store's limit `attemptWrite`.
   */
  attemptsPerRecord: 64,
  /** A record that failed is tried again after this time, for as long as the database is away. */
  recordRetryDelay: Duration.millis(500),
  /** During failures the time of the last one is written so often. The rules compare it with hours. */
  healthWriteInterval: Duration.seconds(60),

  // ── Messages to an actor ──────────────────────────────────────────────────────────────────────────────────────────
  /** A wake-up or a change that does not reach its actor in this time is dropped: the next look at the tables repeats it. */
  wakeTimeout: Duration.seconds(2),
  /** The caller of a test attempt waits so long: longer than an exchange and its record take. */
  testAttemptTimeout: Duration.seconds(14),
  /** A stopping node waits so long for attempts in flight. The next node sends again what was cut off. */
  stopTimeout: Duration.seconds(5),

  // ── Retries and switch-off (§6.3.4, §6.3.6, W5) ───────────────────────────────────────────────────────────────────
  /** The delay after each failed attempt. After the attempt that follows the last delay the delivery is given up. */
  retryDelays: [
    Duration.minutes(1),
    Duration.minutes(5),
    Duration.minutes(30),
    Duration.hours(2),
    Duration.hours(6),
    Duration.hours(12),
    Duration.hours(24)
  ],
  /** The delay after a failure of the service itself. Such a failure uses up none of the retries. */
  ownFailureRetryDelay: Duration.seconds(60),
  /** An attempt that fails so long after the first failure turns the endpoint off. */
  turnedOffAfter: Duration.hours(72),
  /** Hours after the first failure at which the owners get a warning, in order. */
  warningHours: [1, 24] as const,
  /** Without an attempt for the longest retry delay and this time, the next failure counts as a first failure. */
  silenceBeyondLongestDelay: Duration.hours(1),

  // ── One exchange with an endpoint ─────────────────────────────────────────────────────────────────────────────────
  /** A whole exchange, from the look-up of the host to the status of the answer (§6.3.3). */
  exchangeTimeout: Duration.seconds(10),
  /** How often the sender looks for exchanges that are over time: an exchange runs over by this much at most. */
  deadlineCheckInterval: Duration.millis(250),
  /** A look that comes later than this was delayed by the service itself: the receiver gets no blame. */
  deadlineCheckDelay: Duration.seconds(1),
  /** A connection without an exchange stays open so long, unless the receiver says less. */
  connectionIdleTime: Duration.seconds(30),
  /** The headers of an answer. A receiver has no reason to send more. */
  largestAnswerHeadersBytes: 16_384,
  /** The beginning of an answer's body that the log keeps: enough for a message of an error. */
  keptAnswerBytes: 4096,
  /** What is read of an answer's body. A receiver that sends more loses the connection. */
  readAnswerBytes: 65_536,
  /**
   * All that a connection brings for one exchange: interim answers, headers, body, and what frames the chunks of a body. A body of 64 KB in
   * chunks of one byte fits. A receiver that sends more, such as an extension of a chunk without end, loses the connection.
   */
  mostBytesOfExchange: 524_288,
  /** An address must take the connection in this time while there is another address to try. */
  connectTimeout: Duration.seconds(2),
  /** Addresses that are tried for one connection: a name may have hundreds. */
  mostAddresses: 4,

  // ── A check of a receiver ─────────────────────────────────────────────────────────────────────────────────────────
  /** No probe begins after this time: whoever asked waits for the answer. One more exchange may follow. */
  checkWithin: Duration.seconds(15),
  /** How old the old probe's signature is: twelve times what our verifiers take. */
  checkStaleBy: Duration.hours(1),
  /** The pieces of a body that arrives slowly, and the pause between two: a bad line, and far from a receiver's time-out. */
  slowPieces: 4,
  slowPiecesEvery: Duration.millis(300),

  // ── Looking up a host ─────────────────────────────────────────────────────────────────────────────────────────────
  /** The first question to a name server. The wait for the second answer is twice as long. */
  nameServerTimeout: Duration.seconds(1),
  /** Questions to one name server: one datagram may get lost. */
  nameServerTries: 2,
  /** A whole look-up, however many name servers there are. */
  lookupTimeout: Duration.seconds(4),
  /** When the IPv4 or the IPv6 addresses are known, the others get this time: a host need not have both. */
  otherAddressKindTimeout: Duration.seconds(1),

  // ── Statistics ────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Attempts of so long are counted together. The statement that counts them truncates to the hour. */
  countedTogether: Duration.hours(1),
  /** Hours of an endpoint's statistics unless its owner asks for others: today and last night. */
  usualStatisticsHours: 24,
  /** Hours of an endpoint's statistics at most: a week shows a rhythm, and is some thousand rows. */
  mostStatisticsHours: 168,

  // ── Settings and secrets ──────────────────────────────────────────────────────────────────────────────────────────
  /** Characters of an endpoint's URL (W13). */
  longestUrl: 2048,
  /** Characters of a host name (RFC 1035). */
  longestHostName: 253,
  /** Random bytes in an endpoint's secret (W16): as many as the HMAC's hash has. */
  secretBytes: 32,
  /** Hours for which the previous secret may go on signing after a roll: not at all, a day, a week. */
  overlapHours: [0, 24, 168] as const,
  /** Secrets of before that sign beside the present one, each until its own end. Each costs a delivery one more HMAC and a `v1`. */
  mostPreviousSecrets: 3,
  /** Days for which a missed event can be sent again (W7). */
  resendableDays: 90
}
