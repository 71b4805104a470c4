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
