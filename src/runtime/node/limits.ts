/** The limits of the HTTP server and of the process around it, each with its reason. Limits of request bodies are http's. */
import { Duration } from "effect"

const finishWithin = Duration.seconds(6)

export const nodeLimits = {
  /** Request line and headers together. */
  largestHeaderBytes: 16 * 1024,
  /** Until the headers are in. */
  headersWithin: Duration.seconds(10),
  /** Until the whole request is in, unless it is a customer's upload. A body of one byte a second ends here. */
  requestWithin: Duration.seconds(30),
  /** How often Node looks for requests that take too long. */
  checkConnectionsEvery: Duration.seconds(1),
  /** A connection that the server has answered and closed is cut after this, if its client still sends. */
  closeWithin: Duration.seconds(5),
  /** An idle connection is kept a little longer than the usual load balancer's minute, so that the balancer closes first. */
  keepAlive: Duration.seconds(65),
  /** Connections at once. At the bound silent and idle ones go first, the oldest of them before the others. */
  mostConnections: 10_000,
  /**
   * Connections of one address (IPv6: of one /64) at once. An office with one address stays far below it. Connections of a
   * trusted proxy (TRUSTED_PROXIES) are not counted apart.
   */
  mostConnectionsOfOneAddress: 1000,
  /**
   * Requests of one connection that wait for answers before them. Reading pauses while one waits, so only a piece full of the smallest
   * requests holds more: that connection is cut. A client that sends a key may send as many as it likes.
   */
  mostRequestsWaitingOfConnection: 1000,
  /** Requests of all connections that wait so, some kilobytes each. A connection that brings one more is cut. */
  mostRequestsWaitingBehindOthers: 10_000,
  /** Connections to the listener of health and metrics (OPS_PORT): a few probes and scrapers. */
  mostOpsConnections: 64,
  /** A connection on which nothing moves for this long, either way, is closed. A page's live stream says something more often. */
  standstill: Duration.minutes(2),
  /**
   * A stopping server lets requests run this long; what runs longer is answered TEMPORARILY_UNAVAILABLE. A stop ends within
   * 15 seconds, and the actors and the database need their part of them.
   */
  finishWithin,
  /** After this a stopping server closes every connection: one that sends a byte a second would hold the stop. */
  closeAllAfter: Duration.sum(finishWithin, Duration.millis(500)),
  /** How often a stopping server looks for connections that have become idle. */
  closeIdleEvery: Duration.millis(50),
  /** A large JSON body on its thread. Even beside photos one of 1 MB takes a fraction of a second. */
  largeJsonWithin: Duration.seconds(20),
  /** Large JSON bodies that wait for the thread. The room for bodies (`BodyBudget.ts`) is used up before so many have come. */
  mostLargeJsonWaiting: 16_384,
  /** Threads that read large JSON bodies. What they have read is copied to the event loop, so two would keep it twice as busy. */
  jsonThreads: 1,
  /** JavaScript's objects in the thread that reads large JSON bodies: one body at a time, and what the ones before it left. */
  jsonThreadHeapMegabytes: 64,
  /** Where cores are short, whoever sends small bodies comes first, as for photos. */
  jsonThreadNiceness: 5
} as const
