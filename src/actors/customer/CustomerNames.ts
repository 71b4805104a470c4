/**
 * The port to the few words by which people of a company tell one customer from another in a list: name, registration, and the
 * language that the customer reads. They are opened with the customer's key for one answer. Who may read them, and that the
 * read is written down, is decided by the endpoints.
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { Language } from "../../schema/words/locale/languages.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface NamedCustomer {
  readonly firstName: string
  readonly lastName: string
  readonly registration: string
  /** The selling company, when the caller named another company. */
  readonly seller: string | null
  readonly language: Language
}

/** A customer's name as people of a company read it. */
export const fullName = ({ firstName, lastName }: Pick<NamedCustomer, "firstName" | "lastName">): string =>
  `${firstName} ${lastName}`

export class CustomerNames extends Context.Service<
  CustomerNames,
  {
    /** Of the customers of these journeys. A customer who was erased has no entry. */
    readonly of: (
      journeyIds: ReadonlyArray<JourneyId>
    ) => Effect.Effect<ReadonlyMap<JourneyId, NamedCustomer>, StoreUnavailable>
  }
>()("journeys/actors/CustomerNames") {}
