/**
 * A customer's message to their own journey. The message says only what happened: what the customer sent is kept
 * elsewhere, sealed. A journey that has moved on refuses; each step says what the customer sees then.
 */
import { Effect } from "effect"
import { Ids } from "../../actors/kernel/Ids.ts"
import { askJourney } from "../../actors/journey/actor/askJourney.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { CustomerSession } from "./CustomerSession.ts"

/** `messageId`: of a message that may be sent more than once. */
export const askAsCustomer = (customer: CustomerSession, message: JourneyMessage, messageId?: string) =>
  Effect.flatMap(Ids, (ids) =>
    askJourney({
      journeyId: customer.journey.id,
      messageId: messageId ?? ids.next(),
      sender: "customer",
      scope: customer.session.scope,
      message
    })
  )
