/**
 * The correction of a customer's data (decision D9): what may be corrected when, what a record becomes, and the port that writes it.
 * Who may ask for it, and how it is refused, is the endpoint's business.
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { CorrectedField, CustomerCorrection } from "../../schema/customer/CustomerCorrection.ts"
import type { CompanyId } from "../../schema/ids.ts"
import { isRecord, memberOf } from "../../schema/decoding/record.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** VERIFIED: an identity was verified with it. SENT: the service has sent it to a lender. */
export type Fixed = "VERIFIED" | "SENT"

/** Who somebody is, as a document or a lender was asked about. How to reach them may change at any time. */
const ofIdentity: ReadonlySet<CorrectedField> = new Set(["firstName", "lastName", "title", "dateOfBirth"])

/** Why one of these fields stays as it is; null: all may be corrected. */
export const fixedBy = (
  fields: ReadonlyArray<CorrectedField>,
  journeys: ReadonlyArray<Pick<Journey, "shape" | "identity">>
): { readonly field: CorrectedField; readonly by: Fixed } | null => {
  const field = fields.find((one) => ofIdentity.has(one))
  if (field === undefined) return null
  if (journeys.some(({ identity }) => identity?.status === "VERIFIED")) return { field, by: "VERIFIED" }
  return journeys.some(({ shape }) => shape === "FINANCE_SUBMIT_VIA_MIRA") ? { field, by: "SENT" } : null
}

/** The fields of a correction whose value a record does not have yet. */
export const newIn = (correction: CustomerCorrection, record: unknown): ReadonlyArray<CorrectedField> =>
  (Object.keys(correction) as ReadonlyArray<CorrectedField>).filter(
    (field) => memberOf(memberOf(record, "customer"), field) !== correction[field]
  )

/** The record of a start with the corrected customer; nothing of the values before is in it. */
export const correctedRecord = (record: unknown, correction: CustomerCorrection): unknown => {
  const customer = memberOf(record, "customer")
  return isRecord(record) && isRecord(customer) ? { ...record, customer: { ...customer, ...correction } } : record
}

export type Correcting =
  | {
      readonly _tag: "CORRECTED"
      readonly fields: ReadonlyArray<CorrectedField>
      readonly journeys: number
      readonly linksMailed: number
    }
  /** Every record has these values already: nothing was written. */
  | { readonly _tag: "SAME"; readonly journeys: number }
  | { readonly _tag: "FIXED"; readonly field: CorrectedField; readonly by: Fixed }
  /** Another customer of the company has the address. */
  | { readonly _tag: "ADDRESS_TAKEN" }
  | { readonly _tag: "TOO_MANY"; readonly most: number }
  /** There is no such customer, or they were erased. */
  | { readonly _tag: "NOBODY" }

export class CustomerCorrections extends Context.Service<
  CustomerCorrections,
  {
    /** Corrects every record of the customer in one transaction, with the line made of the fields that changed. */
    readonly correct: (
      customer: { readonly companyId: CompanyId; readonly customerId: string },
      correction: CustomerCorrection,
      lineOf: (fields: ReadonlyArray<CorrectedField>) => AuditLine
    ) => Effect.Effect<Correcting, StoreUnavailable | CommitUnknown>
  }
>()("journeys/customer/CustomerCorrections") {}
