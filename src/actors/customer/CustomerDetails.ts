/**
 * The port to what a journey's pages may show its customer of themselves, opened with the customer's own key, and to the
 * delivery address they confirm, sealed with it. Nothing here ever leaves for a log, a URL or a journey's state.
 */
import { Context, type Effect } from "effect"
import type { DeliveryAddress } from "../../schema/journey/deliveryAddress.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface Details {
  /** Whose page it is. */
  readonly companyName: string
  /** The selling company, when the caller named another. */
  readonly sellerName: string | null
  readonly firstName: string
  readonly registration: string
  /** Make and model, as far as they are known. */
  readonly vehicle: string | null
  /** What the customer confirmed, else the present address of the application; null when no address is on file. */
  readonly address: DeliveryAddress | null
  /** Why the team rejected the last identity check that failed (D4); null when nobody of the team did. */
  readonly rejection: string | null
  /** A video has been sent before: one that is asked for now is asked for again. */
  readonly hasSentVideo: boolean
}

export class CustomerDetails extends Context.Service<
  CustomerDetails,
  {
    /** Null when the customer was erased. */
    readonly read: (journeyId: string) => Effect.Effect<Details | null, StoreUnavailable>
    /** Keeps the address the customer confirmed in place of the one before; false when the customer was erased. */
    readonly keepAddress: (journeyId: string, address: DeliveryAddress) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("journeys/customer/CustomerDetails") {}

/** Where a journey's sealed delivery address belongs. */
export const addressPlace = (journeyId: string): string => `delivery_addresses|${journeyId}`
