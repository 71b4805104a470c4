/**
 * The port to the mail the service owes. Whoever owes one writes it in its own statement, once a cause, due at once;
 * from there on it is worked off here. A mail is taken for a time, so that two nodes do not send it at once and one
 * that dies with it in hand loses nothing. Times are epoch milliseconds, given by whoever asks.
 */
import { Context, type Effect } from "effect"
import type { CustomerMailKind, MailKind } from "../../schema/mail/mailKinds.ts"
import type { PageOf } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { MailboxQuery } from "./Mailbox.ts"

/** A mail in hand. `tries` counts this one, and says which taking of the mail an outcome belongs to. */
export interface TakenMail {
  readonly id: string
  readonly kind: MailKind
  readonly facts: unknown
  readonly company: { readonly id: string; readonly name: string; readonly adminEmail: string }
  readonly tries: number
}

type Taking = Pick<TakenMail, "id" | "tries">

/** What the team is told when a customer's mail of a live journey is given up. */
export interface UndeliveredNote {
  readonly id: string
  readonly mail: CustomerMailKind
}

/** A rendered mail as the built-in mailbox keeps it: sealed, and found again by a keyed index of its address. */
export interface KeptMail {
  readonly id: string
  readonly kind: MailKind
  readonly companyId: string
  readonly journeyId: string | null
  readonly createdAt: number
  readonly sealed: Uint8Array
  /** The customer's key under the master key, for a mail that is sealed with it. */
  readonly wrappedKey: Uint8Array | null
}

/** A rendered mail on its way into the mailbox. */
export interface KeptNow {
  readonly id: string
  readonly toIndex: Uint8Array
  readonly sealed: Uint8Array
  readonly at: number
}

export interface KeptQuery extends Omit<MailboxQuery, "to"> {
  readonly toIndex: Uint8Array | null
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class MailStore extends Context.Service<
  MailStore,
  {
    /**
     * Mails of these kinds, `most` of them, those that have been due longest; nobody else takes them before `until`.
     * Mails of one journey to one recipient come in the order they were owed in, the next when the one before it has
     * left (decision M2).
     */
    readonly take: (ask: {
      readonly now: number
      readonly until: number
      readonly kinds: ReadonlyArray<MailKind>
      readonly most: number
    }) => Writing<ReadonlyArray<TakenMail>>
    readonly sent: (mailId: string, at: number) => Writing<void>
    /** Due again then, unless it was taken by someone else in between. */
    readonly again: (taking: Taking, dueAt: number) => Writing<void>
    /** Never tried again, unless as above; with a note, the team is owed a mail about it. */
    readonly givenUp: (taking: Taking, at: number, note: UndeliveredNote | null) => Writing<void>
    /** Never sent, because what it says is no longer so; unless as above. */
    readonly struckOff: (taking: Taking, at: number) => Writing<void>
    /** Keeps a mail for the built-in mailbox, and records it as sent. */
    readonly kept: (mail: KeptNow) => Writing<void>
    /** Newest first, without those whose customer was erased. */
    readonly list: (query: KeptQuery) => Effect.Effect<PageOf<KeptMail>, StoreUnavailable>
  }
>()("journeys/actors/MailStore") {}
