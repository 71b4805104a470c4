/**
 * Why the service did not start, for whoever started it: one line for what they can do something about, such as a bad
 * setting or a port in use; everything there is for what should not have happened.
 */
import { Cause } from "effect"
import type { HttpServerError } from "effect/http"
import type { SocketServerError } from "effect/socket/SocketServer"

/** Failures that say in their message what is wrong. */
interface SelfExplained {
  readonly _tag:
    | "DatabaseError"
    | "DemoFileError"
    | "EmbeddedPostgresError"
    | "MigrationError"
    | "NoProgress"
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

/** Null when it was only told to stop. */
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
