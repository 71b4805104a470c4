/**
 * The port to the mail the service owes. Whoever owes one writes it in its own statement, once a cause, due at once;
 * from there on it is worked off here. A mail is taken for a time, so that two nodes do not send it at once and one
 * that dies with it in hand loses nothing. Times are epoch milliseconds, given by whoever asks.
 */
import { Context, type Effect } from "effect"
import type { CompanyMailKind } from "../../schema/mail.ts"
import type { Found } from "../company/CompanyStore.ts"
import type { CommitUnknown, StoreUnavailable } from "../journey/JourneyStore.ts"
import type { MailboxQuery } from "./Mailbox.ts"

/** A mail in hand. `tries` counts this one, and says which taking of the mail an outcome belongs to. */
export interface TakenMail {
  readonly id: string
  readonly kind: CompanyMailKind
  readonly facts: unknown
  readonly company: { readonly id: string; readonly name: string; readonly adminEmail: string }
  readonly tries: number
}

type Taking = Pick<TakenMail, "id" | "tries">

/** A rendered mail as the built-in mailbox keeps it: sealed, and found again by a keyed index of its address. */
export interface KeptMail {
  readonly id: string
  readonly kind: CompanyMailKind
  readonly companyId: string
  readonly journeyId: string | null
  readonly createdAt: number
  readonly sealed: Uint8Array
}

export interface KeptQuery extends Omit<MailboxQuery, "to"> {
  readonly toIndex: Uint8Array | null
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class MailStore extends Context.Service<
  MailStore,
  {
    /** The mail that has been due longest, of a kind this service knows; nobody else takes it before `until`. */
    readonly take: (ask: { readonly now: number; readonly until: number }) => Writing<TakenMail | null>
    readonly sent: (mailId: string, at: number) => Writing<void>
    /** Due again then, unless it was taken by someone else in between. */
    readonly again: (taking: Taking, dueAt: number) => Writing<void>
    /** Never tried again, unless as above. */
    readonly givenUp: (taking: Taking, at: number) => Writing<void>
    readonly kept: (mailId: string, toIndex: Uint8Array, sealed: Uint8Array) => Writing<void>
    /** Newest first. */
    readonly list: (query: KeptQuery) => Effect.Effect<Found<KeptMail>, StoreUnavailable>
  }
>()("journeys/actors/MailStore") {}
