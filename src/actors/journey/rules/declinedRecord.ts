/**
 * The record of a start without what its application says of the customer, for a journey that was declined: pure. The list names every
 * member of an application; a new one does not compile until the list says whether it stays. When a record is rewritten is the
 * retention's to say.
 */
import { isRecord, memberOf } from "../../../schema/decoding/record.ts"
import type { AlreadySubmittedFinance, SubmitViaMiraFinance } from "../../../schema/start/finance.ts"

type MemberName = keyof typeof AlreadySubmittedFinance.Type | keyof typeof SubmitViaMiraFinance.Type

/** The deal stays, and how the customer consented to its lender being asked: a complaint asks about both. */
const stays = {
  panelSubmission: true,
  panelName: true,
  panelReference: true,
  decision: true,
  lender: true,
  vehiclePrice: true,
  loanTerm: true,
  depositAmount: true,
  consents: true,
  monthlyBudget: false,
  maritalStatus: false,
  validUkPassport: false,
  drivingLicenceType: false,
  employmentHistory: false,
  addressHistory: false
} satisfies Readonly<Record<MemberName, boolean>>

/** A record without an application is as it was. */
export const declinedRecord = (record: unknown): unknown => {
  const finance = memberOf(record, "finance")
  if (!isRecord(record) || !isRecord(finance)) return record
  const kept = Object.entries(finance).filter(
    ([name]) => Object.hasOwn(stays, name) && stays[name as keyof typeof stays]
  )
  return { ...record, finance: Object.fromEntries(kept) }
}
