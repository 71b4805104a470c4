/**
 * Explains why the service did not start. A problem that the operator can solve, such as a bad setting or a port in
 * use, becomes one line. Anything else is a mistake of ours and is printed with all its causes.
 */
import { Cause } from "effect"
import type { SocketServerError } from "effect/socket/SocketServer"
import { listenProblem } from "./ListenError.ts"

/** Failures whose message says what is wrong. */
interface SelfExplained {
  readonly _tag:
    | "DatabaseError"
    | "DemoFileError"
    | "EmbeddedPostgresError"
    | "ListenError"
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
    case "SocketServerError":
      return `cannot listen for other nodes: ${listenProblem(failure.reason.cause, ofOtherNodes)}`
    case "StoreUnavailable":
    case "CommitUnknown":
      return "the database went away during the start; try again"
    default:
      return failure.message
  }
}

const ofOtherNodes = { host: "RUNNER_ADDRESS", port: "RUNNER_ADDRESS", takesAnyPort: false }
