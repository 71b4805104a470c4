/**
 * A customer's message to their own journey. The message says only what happened: what the customer sent is kept
 * elsewhere, sealed. A journey that has moved on refuses; each step says what the customer sees then.
 */
import { Effect } from "effect"
import type { Session } from "../../../actors/customer/Sessions.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { askJourney } from "../../../actors/journey/actor/askJourney.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"

/** The part of a customer's session that says who asks which journey. */
interface Asking {
  readonly journey: Pick<Journey, "id">
  readonly session: Pick<Session, "scope">
}

/** `messageId`: of a message that may be sent more than once. */
export const askAsCustomer = (customer: Asking, message: JourneyMessage, messageId?: string) =>
  Effect.flatMap(Ids, (ids) =>
    askJourney({
      journeyId: customer.journey.id,
      messageId: messageId ?? ids.next(),
      sender: "customer",
      scope: customer.session.scope,
      message
    })
  )
