/**
 * How an operation of a caller becomes a message to its journey, and the journey's answer an answer of HTTP. What the
 * message says, and what must hold before it is sent, is each operation's own.
 */
import { Effect } from "effect"
import {
  askJourney,
  askJourneyWith,
  type JourneyRefused,
  type Personal
} from "../../../actors/journey/actor/askJourney.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Caller } from "../../server/authentication.ts"
import { problem, success } from "../../server/problems.ts"
import { notFound, scopeOf } from "./readEndpoints.ts"

/** Which journey, and the id that makes a repeated message one. */
export interface Addressed {
  readonly id: string
  readonly messageId: string
}

/** `personal`: what goes along under the customer's key; `said`: the message of the answer when the journey did it. */
export const askAsCaller = (
  { id, messageId }: Addressed,
  caller: Caller,
  message: JourneyMessage,
  said: string,
  personal: Personal | null = null
) => {
  const ask = { journeyId: id, messageId, sender: caller.sender, scope: scopeOf(caller), message }
  return (personal === null ? askJourney(ask) : askJourneyWith(ask, personal)).pipe(
    Effect.map((journey) => success(200, journey, said)),
    Effect.catchTag("JourneyRefused", refused)
  )
}

/** What a message says that the journal may not hold: equal texts, and no others, have equal fingerprints (I8). */
export const fingerprintOf = (text: string) =>
  Effect.map(Vault, (vault) => Buffer.from(vault.index("request", `message body|${text}`)).toString("base64"))

const refused = ({ refusal }: JourneyRefused) => {
  switch (refusal._tag) {
    case "NoJourney":
      return Effect.fail(notFound())
    case "IdReused":
      return Effect.fail(problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"))
    case "Refused":
      return Effect.fail(problem(refusal.code, "journey", refusal.message))
    case "Ignored":
      // Callers' messages are decided or refused, never ignored.
      return Effect.die(new Error(`a caller's message was ignored: ${refusal.reason}`))
  }
}
