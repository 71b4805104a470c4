/**
 * How often one message may have arrived at its actor. A sender may hear "nothing was changed" only while the message has
 * certainly not arrived. The cluster counts, because only the cluster sees the attempts; the mailbox reads the count.
 */
import { Context } from "effect"

export interface SendAttempts {
  /** Attempts that may have arrived: every attempt that the actor's node did not refuse. */
  mayHaveArrived: number
}

/** The attempts of the messages that are being sent: several go to another node together. Empty where no sender counts. */
export const CurrentSendAttempts = Context.Reference<ReadonlyArray<SendAttempts>>(
  "journeys/actors/CurrentSendAttempts",
  { defaultValue: () => [] }
)
