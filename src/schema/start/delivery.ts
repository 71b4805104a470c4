/**
 * How the vehicle is handed over. Only a DELIVERY says which kind of sale it was; the other journeys are finance sales.
 */
import { Schema } from "effect"
import { HandoverType } from "../journey/statuses.ts"
import { multilineText } from "../decoding/text.ts"

const handover = {
  type: HandoverType.annotate({ description: "HOME_DELIVERY asks the customer to confirm the address in the app" }),
  notes: Schema.optionalKey(
    multilineText(1000).annotate({
      description: "For the company's team, never shown to the customer. Line breaks and tabs are allowed"
    })
  )
}

export const Delivery = Schema.Struct(handover).annotate({ identifier: "Delivery" })

export const CashSaleDelivery = Schema.Struct({ saleType: Schema.Literal("CASH_SALE"), ...handover }).annotate({
  identifier: "CashSaleDelivery"
})

export const FinanceSaleDelivery = Schema.Struct({ saleType: Schema.Literal("FINANCE_SALE"), ...handover }).annotate({
  identifier: "FinanceSaleDelivery"
})

/** For a DELIVERY whose sale type is missing or unknown: the rest of it can still be judged. */
export const UndecidedDelivery = Schema.Struct({
  saleType: Schema.Literals(["CASH_SALE", "FINANCE_SALE"]),
  ...handover
})
