/** A customer's message to their own journey. It says nothing but what happened: what they sent is kept elsewhere, sealed. */
import { Effect } from "effect"
import { Ids } from "../../actors/kernel/Ids.ts"
import { JourneyMailbox } from "../../actors/journey/actor/JourneyMailbox.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { Visit } from "./CustomerSession.ts"

/** `messageId`: of what may be told more than once. */
export const askAsCustomer = Effect.fnUntraced(function* (visit: Visit, message: JourneyMessage, messageId?: string) {
  const mailbox = yield* JourneyMailbox
  const ids = yield* Ids
  return yield* mailbox.ask(visit.journey.id, {
    messageId: messageId ?? ids.next(),
    sender: "customer",
    scope: visit.session.scope,
    message,
    sealedNote: null,
    sealedPhoto: null
  })
})
