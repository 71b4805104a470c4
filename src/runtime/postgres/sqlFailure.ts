/**
 * What a failed statement means to its sender: is the database unavailable, may the statement simply run again, and may it
 * have been committed all the same? These are pure questions about a `SqlError`; what a caller hears is decided elsewhere.
 *
 * | what happened                                              | unavailable | outcome unknown | retryable |
 * |------------------------------------------------------------|-------------|-----------------|-----------|
 * | no connection: refused, password, no free one in the pool  | yes         | no              | no        |
 * | the connection broke, or closed, while a statement ran     | yes         | yes             | no        |
 * | the server ended the session (severity FATAL or PANIC)     | yes         | yes             | no        |
 * | 08 connection exception reported by the server             | yes         | yes             | no        |
 * | 53 out of resources, 57 cancelled or shutting down         | yes         | no              | no        |
 * | 55P03 lock timeout                                         | yes         | no              | no        |
 * | 25006 a database that may only be read, such as a standby  | yes         | no              | no        |
 * | 40001 serialization failure, 40P01 deadlock                | no          | no              | yes       |
 * | 40003 statement completion unknown                         | no          | yes             | no        |
 * | any other SQLSTATE: a constraint or our mistake            | no          | no              | no        |
 * | a value the client could not encode: our mistake, not sent | no          | no              | no        |
 * | an answer we could not read, no SQLSTATE                   | no          | yes             | no        |
 *
 * A time-out or an interruption of `Effect` is not a `SqlError`. Its outcome is unknown as well.
 */
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** The operation that our own errors name when no connection was free in time. */
export const acquireOperation = "acquire"

/** The caller can only be told to come back later: a 503. */
export const isUnavailable = (error: SqlError): boolean => {
  const state = sqlState(error)
  return (
    error.reason._tag === "ConnectionError" ||
    neverSent(error) ||
    sessionEnded(error) ||
    hasClass(state, "08") ||
    hasClass(state, "53") ||
    hasClass(state, "57") ||
    state === "25006" ||
    state === "55P03"
  )
}

/**
 * Nobody knows whether the statement took effect: look before you answer. The statement certainly took no effect when it was
 * never sent, or when the server said what was wrong with it (severity ERROR) in a session that goes on, because that aborts
 * the transaction. A session that the server ended may have committed first.
 */
export const outcomeUnknown = (error: SqlError): boolean => {
  const state = sqlState(error)
  if (neverSent(error) || notEncoded(error) || refusedToCommit(error)) return false
  return state === undefined || sessionEnded(error) || hasClass(state, "08") || state === "40003"
}

/** The statement was certainly rolled back, and only because of its timing: it may run again at once. */
export const isRetryable = (error: SqlError): boolean => {
  const state = sqlState(error)
  return (state === "40001" || state === "40P01") && !outcomeUnknown(error)
}

/** The server read the statement and refused it. A lost connection and an unknown outcome are no refusals. */
export const isRefusal = (error: SqlError): boolean => !isUnavailable(error) && !outcomeUnknown(error)

const neverSent = (error: SqlError): boolean =>
  error.reason.operation === "connect" || error.reason.operation === acquireOperation

/** Only this text tells a value that the client could not write from one that it could not read ("rows that share a statement"). */
const notEncoded = (error: SqlError): boolean =>
  error.reason._tag === "UnknownError" && error.reason.message === "PgConnection: Failed to encode query"

/** The server answers `ROLLBACK` to the `COMMIT` of a transaction that has failed; `pool.ts` makes an error of that. */
const refusedToCommit = (error: SqlError): boolean =>
  error.reason._tag === "UnknownError" && error.reason.operation === "commit"

/** The SQLSTATE of a failure that the server reported. */
export const sqlState = (error: SqlError): string | undefined => field(error, "code")

const sessionEnded = (error: SqlError): boolean => {
  // The field `severity` is in the server's language; this field is always English.
  const severity = field(error, "severityUnlocalized")
  return severity === "FATAL" || severity === "PANIC"
}

/** A field of the server's report. Errors of the socket have a code as well (`ECONNRESET`), but no severity. */
const field = (error: SqlError, name: "code" | "severityUnlocalized"): string | undefined => {
  const report = error.reason.cause
  if (!Predicate.hasProperty(report, "severityUnlocalized") || !Predicate.hasProperty(report, name)) return undefined
  return Predicate.isString(report[name]) ? report[name] : undefined
}

const hasClass = (state: string | undefined, sqlClass: string): boolean => state?.startsWith(sqlClass) === true
