/**
 * What is known of a message on its way to an actor: how often it may have arrived there. Only while it certainly has
 * not may whoever asked be told that nothing was changed. The mailbox asks, and the cluster counts, for it alone knows.
 */
import { Context } from "effect"

export interface Passage {
  /** Times the message may have arrived; one for each try that was not refused at the actor's door. */
  arrivals: number
}

/** The one of the message that is being sent; null for messages nobody asks about. */
export const CurrentPassage = Context.Reference<Passage | null>("journeys/actors/CurrentPassage", {
  defaultValue: () => null
})
