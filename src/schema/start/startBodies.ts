/**
 * The five bodies that start a journey (§4.2, §4.3), put together from their sections. They are closed: decode them
 * with `onExcessProperty: "error"`. They do not transform text, so their JSON Schema describes what callers send.
 */
import { Schema } from "effect"
import type { Shape } from "../journey/statuses.ts"
import { listLimits } from "../limits.ts"
import { Applicant, Customer } from "./customer.ts"
import { CustomerFace } from "./customerFace.ts"
import { CashSaleDelivery, Delivery, FinanceSaleDelivery, UndecidedDelivery } from "./delivery.ts"
import { AlreadySubmittedFinance, ApprovedFinance, SubmitViaMiraFinance, UndecidedFinance } from "./finance.ts"
import { nameText, withoutLinks } from "./nameText.ts"
import { referenceText } from "./referenceText.ts"
import { Vehicle } from "./vehicle.ts"

const deal = {
  externalReference: Schema.optionalKey(
    referenceText(listLimits.longestExternalReference).annotate({
      description:
        "The caller's own deal id; the list can be filtered by it. No personal data: a mail address or a telephone number is refused"
    })
  ),
  externalCompanyName: Schema.optionalKey(
    nameText(255).annotate({
      description: `The selling company's name, for example the dealer a broker works with. ${withoutLinks}`
    })
  )
}

const FinanceAlreadySubmitted = Schema.Struct({
  type: Schema.Literal("FINANCE_IDENTITY_DELIVERY"),
  ...deal,
  customer: Customer,
  vehicle: Vehicle,
  delivery: Delivery,
  finance: AlreadySubmittedFinance
}).annotate({
  identifier: "StartFinanceAlreadySubmitted",
  title: "FINANCE_IDENTITY_DELIVERY, ALREADY_SUBMITTED",
  description: "The deal is already on the caller's own finance panel; the caller reports the lender's decision"
})

const FinanceSubmitViaMira = Schema.Struct({
  type: Schema.Literal("FINANCE_IDENTITY_DELIVERY"),
  ...deal,
  customer: Applicant,
  vehicle: Vehicle,
  delivery: Delivery,
  finance: SubmitViaMiraFinance
}).annotate({
  identifier: "StartFinanceSubmitViaMira",
  title: "FINANCE_IDENTITY_DELIVERY, SUBMIT_VIA_MIRA",
  description: "A full application, which the service submits to the company's finance panel as soon as it is accepted"
})

const IdentityDelivery = Schema.Struct({
  type: Schema.Literal("IDENTITY_DELIVERY"),
  ...deal,
  customer: Customer,
  vehicle: Vehicle,
  delivery: Delivery,
  finance: Schema.optionalKey(ApprovedFinance)
}).annotate({
  identifier: "StartIdentityDelivery",
  title: "IDENTITY_DELIVERY",
  description: "Finance was approved on the caller's own panel; identity check and handover remain"
})

const CashSale = Schema.Struct({
  type: Schema.Literal("DELIVERY"),
  ...deal,
  customer: Customer,
  vehicle: Vehicle,
  delivery: CashSaleDelivery
}).annotate({
  identifier: "StartCashSale",
  title: "DELIVERY, CASH_SALE",
  description: "Identity check and handover without finance; dealer keys only"
})

const FinanceSale = Schema.Struct({
  type: Schema.Literal("DELIVERY"),
  ...deal,
  customer: Customer,
  vehicle: Vehicle,
  delivery: FinanceSaleDelivery,
  customerFace: CustomerFace
}).annotate({
  identifier: "StartFinanceSale",
  title: "DELIVERY, FINANCE_SALE",
  description: "The journey part of a multipart request whose other part, customerFace, is the photo"
})

export const startBodies = {
  FINANCE_ALREADY_SUBMITTED: FinanceAlreadySubmitted,
  FINANCE_SUBMIT_VIA_MIRA: FinanceSubmitViaMira,
  IDENTITY_DELIVERY: IdentityDelivery,
  CASH_SALE: CashSale,
  FINANCE_SALE: FinanceSale
} as const satisfies Record<Shape, Schema.Constraint>

type Tagged<S extends Shape> = S extends Shape ? { readonly shape: S } & (typeof startBodies)[S]["Type"] : never

/** A start request that passed every check, with its text in form. */
export type StartRequest = Tagged<Shape>

/**
 * Bodies whose own fields leave their shape open. No body ever satisfies them, because the deciding field is missing or
 * unknown. They serve to find what else is wrong.
 */
export const undecidedBodies = {
  FINANCE_UNDECIDED: Schema.Struct({ ...FinanceAlreadySubmitted.fields, finance: UndecidedFinance }),
  DELIVERY_UNDECIDED: Schema.Struct({
    ...FinanceSale.fields,
    delivery: UndecidedDelivery,
    customerFace: Schema.optionalKey(CustomerFace)
  })
}

/** A shape, or as much of a shape as the body tells. */
export type Reading = Shape | keyof typeof undecidedBodies
