/**
 * The port to the mail that the service owes. The journey or the endpoint that owes a mail writes it within its own
 * statement, one mail for each cause, due at once. A node takes a mail for a limited time: two nodes do not send it at once,
 * and a node that dies loses nothing. Times are epoch milliseconds and come from the caller.
 */
import { Context, type Effect } from "effect"
import type { Brand } from "../../schema/company/Brand.ts"
import type { CustomerMailKind, MailKind } from "../../schema/mail/mailKinds.ts"
import type { PageOf } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { MailboxQuery } from "./Mailbox.ts"
import type { MailRoom, MailSharer } from "./mailPlaces.ts"
import type { CompanyId, JourneyId, MailId, MemberId } from "../../schema/ids.ts"

/** A mail that a node has taken. `tries` counts this try, too; with it the store knows to which taking an outcome belongs. */
export interface TakenMail {
  readonly id: MailId
  readonly kind: MailKind
  readonly facts: unknown
  readonly company: {
    readonly id: CompanyId
    readonly name: string
    readonly adminEmail: string
    readonly brand: Brand
  }
  /** False for mail about a test journey. Mail that is about no journey is live. */
  readonly livemode: boolean
  readonly tries: number
  /** The member whom the mail is for; null: the mail is for nobody of the company, or nobody has been found yet. */
  readonly memberId: MemberId | null
  /** Null when the mail is about no journey. */
  readonly journeyId: JourneyId | null
  /** The span that caused the mail; null without a tracer. */
  readonly traceparent: string | null
}

/** Whose places a mail takes. */
export const sharerOf = ({ company, livemode }: TakenMail): MailSharer => ({ companyId: company.id, livemode })

type Taking = Pick<TakenMail, "id" | "tries">

/** To whom of a company's people a mail goes. `ownersAnd`: every owner, and the members with these ids. */
export type MailCircle = "OWNERS" | "TEAM" | { readonly ownersAnd: ReadonlyArray<string> }

/** Whose a shared mail is. ADMINISTRATOR: the company has no such member. NOBODY: no member wants it. */
export type ShareOfMail = { readonly memberId: MemberId } | "ADMINISTRATOR" | "NOBODY"

/** The mail to the team about a customer's mail that was given up. Only live journeys have it. */
export interface UndeliveredNote {
  readonly id: MailId
  readonly mail: CustomerMailKind
}

export interface GivenUp {
  /** The team is owed this mail about it. */
  readonly note: UndeliveredNote | null
  /** The mail server refused the mail for good: that counts against its company (decision M9). */
  readonly isRefused: boolean
}

interface MailInMailbox {
  readonly id: MailId
  readonly kind: MailKind
  readonly companyId: CompanyId
  readonly journeyId: JourneyId | null
  readonly createdAt: number
}

/** A written mail as the built-in mailbox keeps it: sealed. */
export interface KeptMail extends MailInMailbox {
  readonly sealed: Uint8Array
  /** The customer's key under the master key, if the mail is sealed with the customer's key. */
  readonly wrappedKey: Uint8Array | null
}

/** A mail to a customer that went straight into the mailbox and that nobody has read: it is not written yet. */
export interface UnreadMail extends MailInMailbox, Pick<TakenMail, "company" | "facts"> {
  readonly sealed: null
}

/** A written mail on its way into the mailbox. `toIndex` is the keyed index of its address. */
export interface KeptNow {
  readonly id: MailId
  readonly toIndex: Uint8Array
  readonly sealed: Uint8Array
  readonly at: number
}

export interface KeptQuery extends MailboxQuery {
  /** The keyed index of the address `to`. */
  readonly toIndex: Uint8Array | null
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class MailStore extends Context.Service<
  MailStore,
  {
    /**
     * Takes mails of these kinds that are due, as many as there is room for. No other node takes them before `until`.
     * The mails of one journey to one recipient come in the order in which they were owed: the next one comes when the mail
     * before it has left (decision M2).
     */
    readonly take: (ask: {
      readonly now: number
      readonly until: number
      readonly kinds: ReadonlyArray<MailKind>
      readonly room: MailRoom
    }) => Writing<ReadonlyArray<TakenMail>>
    /**
     * Makes of a mail to the company's people one for each of them: this one becomes the first one's, and the others are due now. Mail to
     * owners goes to every owner, mail to the team to every member who wants it; that of a test journey stays the administrator's. One
     * cause makes one mail for each of them, whoever shares it out and however often.
     */
    readonly share: (mailId: MailId, to: MailCircle) => Writing<ShareOfMail>
    readonly sent: (mailId: MailId, at: number) => Writing<void>
    /** The mail is due again at `dueAt`, unless another node has taken it since. */
    readonly again: (taking: Taking, dueAt: number) => Writing<void>
    /** The mail was not tried: it waits until `dueAt`, unless another node has taken it since. The taking was no try. */
    readonly postponed: (taking: Taking, dueAt: number) => Writing<void>
    /** The mail is never tried again, unless another node has taken it since. */
    readonly givenUp: (taking: Taking, at: number, why: GivenUp) => Writing<void>
    /** The mail is out of date and never sent, unless another node has taken it since. */
    readonly struckOff: (taking: Taking, at: number) => Writing<void>
    /** Keeps the written mail in the built-in mailbox, and records it as sent. */
    readonly kept: (mail: KeptNow) => Writing<void>
    /** Newest first, without the mails of erased customers. */
    readonly list: (query: KeptQuery) => Effect.Effect<PageOf<KeptMail | UnreadMail>, StoreUnavailable>
  }
>()("journeys/actors/MailStore") {}
