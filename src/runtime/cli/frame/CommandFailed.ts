/** Why a command did not do its work, in words for whoever ran it. */
import { Data } from "effect"
import type { FieldError } from "../../../schema/problems.ts"

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  /** What the service answered, if it answered. */
  readonly refusal?: { readonly status: number; readonly errors: ReadonlyArray<FieldError>; readonly requestId: string }
}> {}

/** As text for a person. */
export const explained = ({ message, refusal }: CommandFailed): string =>
  refusal === undefined
    ? `journeys: ${message}`
    : [
        `journeys: the service refused (${refusal.status})`,
        ...refusal.errors.map((error) => `  ${error.code} ${error.field}: ${error.message}`),
        `  Request-Id ${refusal.requestId}`
      ].join("\n")

/** As one JSON object for a program. */
export const encoded = ({ message, refusal }: CommandFailed): string => JSON.stringify({ message, ...refusal })
