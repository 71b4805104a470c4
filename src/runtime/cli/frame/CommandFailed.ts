/** Why a command did not do its work, in words for whoever ran it. */
import { Data } from "effect"
import type { FieldError } from "../../../schema/problems.ts"

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  /** What the service answered, if it answered. */
  readonly refusal?: { readonly status: number; readonly errors: ReadonlyArray<FieldError>; readonly requestId: string }
}> {}

/** What to do where the thing of that name is missing. The settings API says only that it is. */
const cures: Readonly<Record<string, string>> = {
  company: 'no company has that id; see "companies list"',
  webhookEndpoint: 'the company has no endpoint of that mode; "webhooks set" makes one'
}

const cureOf = ({ code, field }: FieldError): ReadonlyArray<string> => {
  const cure = code === "NOT_FOUND" ? cures[field] : undefined
  return cure === undefined ? [] : [`  ${cure}`]
}

/** As text for a person. */
export const explained = ({ message, refusal }: CommandFailed): string =>
  refusal === undefined
    ? `journeys: ${message}`
    : [
        `journeys: the service refused (${refusal.status})`,
        ...refusal.errors.flatMap((error) => [`  ${error.code} ${error.field}: ${error.message}`, ...cureOf(error)]),
        `  Request-Id ${refusal.requestId}`
      ].join("\n")

/** As one JSON object for a program. */
export const encoded = ({ message, refusal }: CommandFailed): string => JSON.stringify({ message, ...refusal })
