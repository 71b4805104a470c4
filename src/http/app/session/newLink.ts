/** Mails a customer who is not signed in a new link. Who may have it mailed is decided by the page that has the button. */
import { Effect } from "effect"
import { CustomerLinks } from "../../../actors/customer/CustomerLinks.ts"
import { isAskedAgain } from "../../../actors/customer/customerStep.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { stepAskedOf } from "../../../actors/journey/rules/state/waiting.ts"
import type { JourneyId } from "../../../schema/ids.ts"

/** The link is for the step that the journey asks for now. Mails nothing when the journey asks its customer for nothing. */
export const mailLinkNow = Effect.fnUntraced(function* (journeyId: JourneyId) {
  const store = yield* JourneyStore
  const mails = yield* CustomerLinks
  const stored = yield* store.load(journeyId)
  const step = stored === null ? null : stepAskedOf(stored.journey)
  if (stored !== null && step !== null) yield* mails.mailNew(stored.journey.id, step, isAskedAgain(stored.journey))
})
