/** The limits of moving what is sealed from one master key to another, of saying which key seals, of a key service, and of random bytes. */
import { Duration } from "effect"

export const rewrapLimits = {
  /** Values begin to move at most this late after a node has started with another key. */
  lookEvery: Duration.seconds(5),
  /** Columns of one look: all of them. */
  batch: Infinity,
  /** One column after another: nobody waits for it, and the database works for callers. */
  concurrency: 1,
  /** Rows that one statement looks at, and so the most that one writes: some ten milliseconds of work. */
  rowsAtOnce: 200,
  /** After a statement that wrote: most of the time the database works for callers. A million customers take about ten minutes. */
  pause: Duration.millis(100),
  /** A column in which nothing was left to move is looked through again after this time: older nodes may still seal. */
  againAfter: Duration.minutes(10)
} as const

export const stillSealingLimits = {
  /** So long after another node has forgotten the key of this one, at most, it is known again. A look at a list of a few rows. */
  saidEvery: Duration.seconds(5),
  /** While keys change, a node writes its key down so often, in one row for all nodes with that key. */
  writtenEvery: Duration.seconds(10),
  /** A key that nobody has written down for this time is in use by no node that reaches the database: a slow statement of each node fits in. */
  inUseFor: Duration.seconds(30)
} as const

export const keyServiceLimits = {
  /** A key service that has not answered by then is away: who asks is told to come again. Requests end within 10 s. */
  answerWithin: Duration.seconds(2)
} as const

export const randomLimits = {
  /** Random bytes that are drawn at once: a draw costs the same for twelve bytes as for thousands. */
  randomPoolBytes: 8192
} as const
