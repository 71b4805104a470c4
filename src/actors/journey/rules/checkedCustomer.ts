/**
 * The customer as an outside identity provider is told of them, made from what the start said: pure. The provider compares
 * these names and the date of birth with the document (D6), and needs nothing else.
 */
import { Result, Schema } from "effect"
import { isRecord } from "../../../schema/decoding/record.ts"
import { Customer } from "../../../schema/start/customer.ts"

export interface CheckedCustomer {
  readonly firstName: string
  readonly lastName: string
  /** Null: the start did not say it. */
  readonly dateOfBirth: string | null
}

const { dateOfBirth, firstName, lastName } = Customer.fields

/** The start was judged by the rules of its time: a rule that came later does not make its record unfit. */
const decode = Schema.decodeUnknownResult(Schema.Struct({ firstName, lastName, dateOfBirth }), { disableChecks: true })

/** From the personal record of a journey; null when the record does not name its customer. */
export const checkedCustomer = (record: unknown): CheckedCustomer | null => {
  const decoded = decode(isRecord(record) ? record["customer"] : null)
  if (Result.isFailure(decoded)) return null
  const { dateOfBirth: born = null, ...names } = decoded.success
  return { ...names, dateOfBirth: born }
}
