/**
 * The port to the built-in mailbox: mail that is kept to be read because no SMTP server is set. A service that sends its
 * mail has no such mailbox.
 */
import { Context, type Effect } from "effect"
import type { MailResource } from "../../schema/mail/MailResource.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { JourneyId } from "../../schema/ids.ts"

export interface MailboxQuery extends PageRequest {
  readonly to: string | null
  readonly journeyId: JourneyId | null
}

type List = (query: MailboxQuery) => Effect.Effect<PageOf<MailResource>, StoreUnavailable>

export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** Newest first. Null: the service sends its mail and keeps none. */
    readonly list: List | null
  }
>()("journeys/actors/Mailbox") {}

/**
 * Whether mail to customers goes straight into the built-in mailbox with the commit that owes it. Nobody has to take it up and send it
 * then, and it is written when somebody reads the mailbox.
 */
export const IsMailKept = Context.Reference("journeys/actors/IsMailKept", { defaultValue: () => false })
