/**
 * The port to what the pages of a journey may show its customer, opened with the customer's own key, and to the delivery
 * address that the customer confirms, sealed with that key. None of it may get into a log, a URL or a journey's state.
 */
import { Context, type Effect } from "effect"
import type { Brand } from "../../schema/company/Brand.ts"
import type { DeliveryAddress } from "../../schema/requests/deliveryAddress.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { JourneyId } from "../../schema/ids.ts"

export interface Details {
  /** The company whose journey it is. */
  readonly companyName: string
  /** Days that photos and videos are kept after the journey's end. */
  readonly mediaRetentionDays: number
  /** How pages show that company. */
  readonly brand: Brand
  /** The selling company, when the caller named another company. */
  readonly sellerName: string | null
  readonly firstName: string
  readonly registration: string
  /** Make and model, as far as the start named them. */
  readonly vehicle: string | null
  /** The address that the customer confirmed; null before. */
  readonly confirmedAddress: DeliveryAddress | null
  /** The addresses of the application, the present one first. None is there twice. */
  readonly addressesOnFile: ReadonlyArray<DeliveryAddress>
  /** The team's reason, when the team rejected the last identity check that failed (D4). */
  readonly rejection: string | null
  /** Whether the customer has sent a video before: the page then asks for another one. */
  readonly hasSentVideo: boolean
}

export class CustomerDetails extends Context.Service<
  CustomerDetails,
  {
    /** Null when the customer was erased. */
    readonly read: (journeyId: JourneyId) => Effect.Effect<Details | null, StoreUnavailable>
    /**
     * Keeps the confirmed address in place of the address before, and writes a line of the audit log when there was one. False:
     * the journey has gone past the step at which its address may change, or the customer was erased.
     */
    readonly keepAddress: (journeyId: JourneyId, address: DeliveryAddress) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("journeys/customer/CustomerDetails") {}

/** The place for which a journey's delivery address is sealed. */
export const addressPlace = (journeyId: JourneyId): string => `delivery_addresses|${journeyId}`
