/**
 * A start as its journey's sealed record holds it. The start was judged by the rules of its time, so the form alone is read
 * here: a rule that came later makes no record unreadable.
 */
import { Result, Schema } from "effect"
import { Shape } from "../journey/statuses.ts"
import { AddressHistory, EmploymentHistory } from "./application.ts"
import { SubmitViaMiraFinance } from "./finance.ts"
import { memberOf } from "../decoding/record.ts"
import { startBodies, type StartRequest } from "./startBodies.ts"

/** An application, or what is left of it: what it said of the customer is erased some time after a decline. */
const storedApplication = Schema.Struct({
  ...startBodies.FINANCE_SUBMIT_VIA_MIRA.fields,
  finance: Schema.Struct({
    ...SubmitViaMiraFinance.fields,
    drivingLicenceType: Schema.optionalKey(SubmitViaMiraFinance.fields.drivingLicenceType),
    employmentHistory: Schema.optionalKey(EmploymentHistory),
    addressHistory: Schema.optionalKey(AddressHistory)
  })
})

export type StoredStart =
  | Exclude<StartRequest, { readonly shape: "FINANCE_SUBMIT_VIA_MIRA" }>
  | ({ readonly shape: "FINANCE_SUBMIT_VIA_MIRA" } & typeof storedApplication.Type)

const isShape = Schema.is(Shape)

const decode = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const read = Schema.decodeUnknownResult(schema, { disableChecks: true })
  return (record: unknown): A | null => Result.getOrNull(read(record))
}

const decoders: Readonly<Record<Shape, (record: unknown) => object | null>> = {
  FINANCE_ALREADY_SUBMITTED: decode(startBodies.FINANCE_ALREADY_SUBMITTED),
  FINANCE_SUBMIT_VIA_MIRA: decode(storedApplication),
  IDENTITY_DELIVERY: decode(startBodies.IDENTITY_DELIVERY),
  CASH_SALE: decode(startBodies.CASH_SALE),
  FINANCE_SALE: decode(startBodies.FINANCE_SALE)
}

/** Null when the record is no start. The report of the schema would hold personal data. */
export const storedStart = (record: unknown): StoredStart | null => {
  const shape = memberOf(record, "shape")
  if (!isShape(shape)) return null
  const decoded = decoders[shape](record)
  // The decoder of a shape makes the body of that shape.
  return decoded && ({ shape, ...decoded } as StoredStart)
}
