/** The limits of a node's health: when it counts as stuck, how long its checks may take, and how long a stop may take. */
import { Duration } from "effect"

export const healthLimits = {
  /** How often overdue work is looked at. */
  lookEvery: Duration.seconds(2),
  /** Work that has been due for less than this is being done: alarms are looked for twice a second. */
  overdueAfter: Duration.seconds(2),
  /** The look at overdue work has a connection of its own, beside the pool. */
  connections: 1,
  /** Overdue rows of each kind in one look. The oldest come first, and they show whether anything moves. */
  mostOverdueRows: 500,
  /** A node that owns overdue work and moves none of it for this long is suspected (INV-17). */
  stuckAfter: Duration.seconds(30),
  /** Actors that a suspected node asks, those with the oldest work first. */
  mostAsked: 3,
  /** An answer of the pool or of an actor to a suspected node: longer than any statement may take, with a look at the tables. */
  answerWithin: Duration.seconds(8),
  /** Whoever asks for readiness again within this time gets the same answer. */
  readinessKeptFor: Duration.seconds(1),
  /** Without anybody who asks, the checks are made this often: since when one is not well is known that exactly. */
  readinessLookEvery: Duration.seconds(5),
  /** The readiness check of the database. */
  databaseWithin: Duration.seconds(1),
  /** The readiness check of Redis. */
  redisWithin: Duration.millis(500)
} as const

export const stopLimits = {
  /**
   * A node of several goes on taking requests for this long after `/health/ready` has begun to say no, until load balancers
   * have seen it. A node that closed its door at once would reset connections that are just being made.
   */
  lettingGo: Duration.seconds(2),
  /** From the signal to the end. Supervisors are told 15 s, and some of that passes on the way. */
  stopWithin: Duration.millis(14_500),
  /** Signals within this time are one signal: Ctrl-C reaches the process from the terminal and again from npm. */
  sameSignalWithin: Duration.seconds(1),
  /** The event loop gives a beat this often, and the thread that watches it waits this long before it counts a missed beat. */
  beatEvery: Duration.seconds(1),
  /** Beats that may be missed one after another. Other nodes have taken over long before: this only tidies up. */
  mostBeatsMissed: 20
} as const
