/**
 * The port to the language of a customer. The language is kept beside the customer's key. Every journey and every mail of this
 * customer at this company uses it, and an erasure of the customer deletes it. A language says nothing about a person that
 * would have to be sealed. Which language a page is in is decided by the pages.
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { Language } from "../../schema/words/locale/languages.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

/** What is on file about the language of a journey's customer. */
export interface KnownLanguages {
  /** Null: the customer has never signed in. */
  readonly customer: Language | null
  /** The customer chose it on a page. Otherwise it is what their browser asked for at a sign-in. */
  readonly isChosen: boolean
  /** The language of the company, for customers who have said nothing. */
  readonly company: Language
}

export class CustomerLanguage extends Context.Service<
  CustomerLanguage,
  {
    /** What a browser asks for never replaces what the customer has chosen. */
    readonly remember: (
      journeyId: JourneyId,
      language: Language,
      isChosen: boolean
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/customer/CustomerLanguage") {}
