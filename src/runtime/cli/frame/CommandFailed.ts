/** Why a command did not do its work, in words for whoever ran it. */
import { Data } from "effect"
import { errorCatalogue, type FieldError } from "../../../schema/problems.ts"

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  /** What the service answered, if it answered. */
  readonly refusal?: { readonly status: number; readonly errors: ReadonlyArray<FieldError>; readonly requestId: string }
}> {}

/** What to do where the thing of that name is missing. The settings API says only that it is. */
const cures: Readonly<Record<string, string>> = {
  apiKey: '"keys list" shows the ids of the company\'s keys',
  clock: '"clocks list" shows the ids of the company\'s clocks',
  company: 'no company has that id; see "companies list"',
  customer: 'a customer\'s id is the customerReference that "journeys show" shows',
  customerSession: '"customers sessions" shows the ids of the sessions',
  delivery: '"webhooks deliveries" shows the ids of the endpoint\'s deliveries',
  handover: '"handovers list" shows the ids of the journeys',
  journey: '"journeys list" shows the ids of a company\'s journeys',
  mail: "a mail's id is its Message-ID up to the @",
  member: '"members list" shows the ids of the company\'s members',
  operatorToken: '"operator-tokens list" shows the names and ids of the tokens',
  passkey: '"members passkeys" shows the ids of a member\'s passkeys',
  resend: '"webhooks resends" shows the ids of the endpoint\'s resends',
  review: '"reviews list" shows the ids of the reviews that wait, with --mode TEST those of test journeys',
  session: '"sessions list" shows the ids of the sessions',
  webhookEndpoint: 'the company has no endpoint of that mode; "webhooks set" makes one'
}

const tokenCure =
  "OPERATOR_TOKEN must be that of the service, or a named token of it; unset, it is read in DATA_DIR, which must be that of the service"

/** A message of its own says enough; that of the catalogue says only that the thing is missing. */
const cureOf = ({ code, field, message }: FieldError): ReadonlyArray<string> => {
  if (code === "INVALID_API_KEY") return [`  ${tokenCure}`]
  const isUnexplained = code === "NOT_FOUND" && message === errorCatalogue.NOT_FOUND.meaning
  const cure = isUnexplained ? cures[field] : undefined
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
