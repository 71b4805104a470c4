/**
 * What a failed statement means to whoever sent it: is the database unavailable, may the statement simply run again,
 * and can it have been committed all the same. Pure questions about a `SqlError`; the answers callers get are theirs.
 *
 * | what happened                                              | unavailable | outcome unknown | retryable |
 * |------------------------------------------------------------|-------------|-----------------|-----------|
 * | no connection: refused, password, no free one in the pool  | yes         | no              | no        |
 * | the connection broke, or closed, while a statement ran     | yes         | yes             | no        |
 * | the server ended the session (severity FATAL or PANIC)     | yes         | yes             | no        |
 * | 08 connection exception reported by the server             | yes         | yes             | no        |
 * | 53 out of resources, 57 cancelled or shutting down         | yes         | no              | no        |
 * | 55P03 lock timeout                                         | yes         | no              | no        |
 * | 40001 serialization failure, 40P01 deadlock                | no          | no              | yes       |
 * | 40003 statement completion unknown                         | no          | yes             | no        |
 * | any other SQLSTATE: a constraint or our mistake            | no          | no              | no        |
 * | a value the client could not encode: our mistake, not sent | no          | no              | no        |
 * | an answer we could not read, no SQLSTATE                   | no          | yes             | no        |
 *
 * A timeout of `Effect` itself (`TimeoutError`, interruption) is no `SqlError`; its outcome is unknown as well.
 */
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** The operation named by an error of ours: no connection was free in time. */
export const acquireOperation = "acquire"

/** Nothing can be said to the caller but "later": a 503. */
export const isUnavailable = (error: SqlError): boolean => {
  const state = sqlState(error)
  return (
    error.reason._tag === "ConnectionError" ||
    neverSent(error) ||
    sessionEnded(error) ||
    hasClass(state, "08") ||
    hasClass(state, "53") ||
    hasClass(state, "57") ||
    state === "55P03"
  )
}

/**
 * Nobody knows whether the statement took effect: look before answering. It is certain that it did not when it never
 * left, or when the server, in a session that goes on, said what was wrong with it (severity ERROR): that aborts the
 * transaction. A session the server ended may have committed first.
 */
export const outcomeUnknown = (error: SqlError): boolean => {
  const state = sqlState(error)
  if (neverSent(error) || notEncoded(error) || refusedToCommit(error)) return false
  return state === undefined || sessionEnded(error) || hasClass(state, "08") || state === "40003"
}

/** Certainly rolled back for reasons of timing alone: the same statement may run again at once. */
export const isRetryable = (error: SqlError): boolean => {
  const state = sqlState(error)
  return (state === "40001" || state === "40P01") && !outcomeUnknown(error)
}

/** The server read the statement and would not have it. A lost connection is none, and so is what nobody knows. */
export const isRefusal = (error: SqlError): boolean => !isUnavailable(error) && !outcomeUnknown(error)

const neverSent = (error: SqlError): boolean =>
  error.reason.operation === "connect" || error.reason.operation === acquireOperation

/** The client tells what it could not write from what it could not read by this text alone ("rows that share a statement"). */
const notEncoded = (error: SqlError): boolean =>
  error.reason._tag === "UnknownError" && error.reason.message === "PgConnection: Failed to encode query"

/** `COMMIT` of a transaction that had already failed answers `ROLLBACK`; the client makes an error of that. */
const refusedToCommit = (error: SqlError): boolean =>
  error.reason._tag === "UnknownError" && error.reason.operation === "commit"

const sqlState = (error: SqlError): string | undefined => field(error, "code")

const sessionEnded = (error: SqlError): boolean => {
  // `severity` comes in the server's language, this one does not.
  const severity = field(error, "severityUnlocalized")
  return severity === "FATAL" || severity === "PANIC"
}

/** A field of the server's report. Errors of the socket have codes as well (`ECONNRESET`), but no severity. */
const field = (error: SqlError, name: "code" | "severityUnlocalized"): string | undefined => {
  const report = error.reason.cause
  if (!Predicate.hasProperty(report, "severityUnlocalized") || !Predicate.hasProperty(report, name)) return undefined
  return Predicate.isString(report[name]) ? report[name] : undefined
}

const hasClass = (state: string | undefined, sqlClass: string): boolean => state?.startsWith(sqlClass) === true
