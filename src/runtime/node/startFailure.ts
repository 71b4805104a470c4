/**
 * Explains why the service did not start. A problem that the operator can solve, such as a bad setting or a port in
 * use, becomes one line. Anything else is a mistake of ours and is printed with all its causes.
 */
import { Cause } from "effect"
import type { HttpServerError } from "effect/http"
import type { SocketServerError } from "effect/socket/SocketServer"

/** Failures whose message says what is wrong. */
interface SelfExplained {
  readonly _tag:
    | "DatabaseError"
    | "DemoFileError"
    | "EmbeddedPostgresError"
    | "MigrationError"
    | "NoProgress"
    | "ProofRefused"
    | "RedisError"
    | "SecretsError"
    | "SettingsError"
  readonly message: string
}

type StartFailure =
  | SelfExplained
  | HttpServerError.ServeError
  | SocketServerError
  | { readonly _tag: "StoreUnavailable" | "CommitUnknown"; readonly cause: unknown }

/** Null when the start was only interrupted. */
export const startFailure = (cause: Cause.Cause<StartFailure>): string | null => {
  if (Cause.hasInterruptsOnly(cause)) return null
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  return failure === undefined ? Cause.pretty(cause) : sentence(failure)
}

const sentence = (failure: StartFailure): string => {
  switch (failure._tag) {
    case "ServeError":
      return `cannot listen: ${listenProblem(failure.cause, "PORT to another port, or 0 for any free one")}`
    case "SocketServerError":
      return `cannot listen for other nodes: ${listenProblem(failure.reason.cause, "RUNNER_ADDRESS to another port")}`
    case "StoreUnavailable":
    case "CommitUnknown":
      return "the database went away during the start; try again"
    default:
      return failure.message
  }
}

const listenProblem = (cause: unknown, remedy: string): string => {
  if (!(cause instanceof Error)) return String(cause)
  return "code" in cause && cause.code === "EADDRINUSE"
    ? `${cause.message.replace(/^listen EADDRINUSE: /, "")}; set ${remedy}`
    : cause.message
}
