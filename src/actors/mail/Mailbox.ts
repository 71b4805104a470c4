/**
 * The port to the built-in mailbox: mail that was kept to be looked at because there is no server to give it to. Where
 * mail really leaves, there is none.
 */
import { Context, type Effect } from "effect"
import type { MailResource } from "../../schema/mail/MailResource.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface MailboxQuery extends PageRequest {
  readonly to: string | null
  readonly journeyId: string | null
}

type List = (query: MailboxQuery) => Effect.Effect<PageOf<MailResource>, StoreUnavailable>

export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** Newest first; null while mail leaves the service. */
    readonly list: List | null
  }
>()("journeys/actors/Mailbox") {}
