/** The limits of the client package: how long it waits and how often it tries again. The package imports nothing of the service. */

export const clientLimits = {
  /** Milliseconds that one attempt may take: three times what a start with a photo takes on a busy service. */
  timeoutMillis: 30_000,
  /** The longest that a timer of Node takes, some 24 days: it would end a longer one at once. */
  longestTimeoutMillis: 2_147_483_647,
  /** Attempts after the first. With the pauses below they cover half a minute, in which a node is replaced. */
  mostRetries: 5,
  /** The first pause when the service does not say how long to wait; each further one is twice as long. */
  shortestPauseMillis: 500,
  /** The longest pause of its own choosing. */
  longestPauseMillis: 8_000,
  /** A Retry-After above this is told as an error and not waited for: the limit of a key counts one minute. */
  longestRetryAfterMillis: 60_000,
  /** The pause between two looks for events: two requests a second, 120 of the 500 a minute that a key has. */
  betweenLooksMillis: 500
} as const

/** The limits of `listen`, which forwards test events to a local server. */
export const listenLimits = {
  /** Events that are asked for at once: as many as a page may have. */
  eventsAtOnce: 100,
  /** The pause between two looks for events, as of every program that follows them. */
  betweenLooksMillis: clientLimits.betweenLooksMillis,
  /** The wait after RATE_LIMITED when the answer does not say how long. */
  usualRetryAfterMillis: 1_000,
  /** The first pause while the service or the local server is away; each further one is twice as long. */
  shortestPauseMillis: 1_000,
  /** The longest pause: whoever starts the local server again waits for half a minute at most. */
  longestPauseMillis: 30_000,
  /** The time that a receiver has to answer a delivery. */
  answerMillis: 10_000,
  /** Random bytes of a secret, as many as an endpoint's has. */
  secretBytes: 32
} as const
