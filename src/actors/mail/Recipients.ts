/**
 * The port to what a mail about a journey is written from: the journey as it is now, and what the mail needs to know about
 * the customer, opened with the customer's own key. It is looked up when a mail is sent and is kept nowhere.
 */
import { Context, type Effect } from "effect"
import type { Language } from "../../schema/words/locale/languages.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { JourneyUnreadable, StoreUnavailable, Unopenable } from "../kernel/StoreError.ts"
import type { DataKey } from "../kernel/Vault.ts"
import type { MailId } from "../../schema/ids.ts"

export interface MailRecipient {
  readonly email: string
  /** The address was corrected after the backup that the database was restored from: nothing is mailed to it. */
  readonly isAddressEnded: boolean
  readonly firstName: string
  readonly registration: string
  /** The selling company, when the caller named another company. */
  readonly seller: string | null
  /** The language in which the customer reads mail: their own, or else the company's. */
  readonly language: Language
  readonly key: DataKey
}

export interface MailContext {
  readonly journey: Journey
  /** The name of the company whose journey it is. */
  readonly companyName: string
  /** The review that the mail asks for, while it waits. Null: the mail asks for none, or it is over. */
  readonly reviewId: string | null
  /** Null when the customer was erased. */
  readonly customer: MailRecipient | null
  /** A later mail asks for the same thing, so this mail is out of date. */
  readonly isSuperseded: boolean
  /** When the customer last asked for a page. Null: the customer is not signed in. */
  readonly lastSeen: number | null
}

export class Recipients extends Context.Service<
  Recipients,
  {
    /** Null: the mail is about a journey that does not exist. */
    readonly find: (
      mailId: MailId
    ) => Effect.Effect<MailContext | null, StoreUnavailable | JourneyUnreadable | Unopenable>
  }
>()("journeys/mail/Recipients") {}
