/**
 * The port to what the pages of a journey may show its customer, opened with the customer's own key, and to the delivery
 * address that the customer confirms, sealed with that key. None of it may get into a log, a URL or a journey's state.
 */
import { Context, type Effect } from "effect"
import type { DeliveryAddress } from "../../schema/requests/deliveryAddress.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface Details {
  /** The company whose journey it is. */
  readonly companyName: string
  /** The selling company, when the caller named another company. */
  readonly sellerName: string | null
  readonly firstName: string
  readonly registration: string
  /** Make and model, as far as the start named them. */
  readonly vehicle: string | null
  /** The address that the customer confirmed, or else the present address of the application; null when there is neither. */
  readonly address: DeliveryAddress | null
  /** The team's reason, when the team rejected the last identity check that failed (D4). */
  readonly rejection: string | null
  /** Whether the customer has sent a video before: the page then asks for another one. */
  readonly hasSentVideo: boolean
}

export class CustomerDetails extends Context.Service<
  CustomerDetails,
  {
    /** Null when the customer was erased. */
    readonly read: (journeyId: string) => Effect.Effect<Details | null, StoreUnavailable>
    /** Keeps the confirmed address in place of the address before. False when the customer was erased. */
    readonly keepAddress: (journeyId: string, address: DeliveryAddress) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("journeys/customer/CustomerDetails") {}

/** The place for which a journey's delivery address is sealed. */
export const addressPlace = (journeyId: string): string => `delivery_addresses|${journeyId}`
