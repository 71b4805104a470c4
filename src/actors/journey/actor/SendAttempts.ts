/**
 * How often one message may have arrived at its actor. A sender may hear "nothing was changed" only while the message has
 * certainly not arrived. The cluster counts, because only the cluster sees the attempts; the mailbox reads the count.
 */
import { Context } from "effect"

export interface SendAttempts {
  /** Attempts that may have arrived: every attempt that the actor's node did not refuse. */
  mayHaveArrived: number
}

/** The attempts of the message that is being sent; null for a message whose sender does not count. */
export const CurrentSendAttempts = Context.Reference<SendAttempts | null>("journeys/actors/CurrentSendAttempts", {
  defaultValue: () => null
})
