/** The port to the customer's mail that did not arrive, or was reported as spam: a journey that waits for a customer who does not read its mail goes on by nobody. Times are epoch milliseconds. */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { UndeliveredMailState } from "../../schema/journey/actions.ts"
import type { CustomerMailKind } from "../../schema/mail/mailKinds.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface UndeliveredMail {
  readonly kind: CustomerMailKind
  readonly state: UndeliveredMailState
  /** When the mail was sent, given up, or owed. */
  readonly at: number
}

export class UndeliveredMails extends Context.Service<
  UndeliveredMails,
  {
    /** The newest. Null: every mail has arrived as far as anybody knows, or a later one has. */
    readonly newest: (journeyId: JourneyId) => Effect.Effect<UndeliveredMail | null, StoreUnavailable>
  }
>()("journeys/actors/UndeliveredMails") {}
