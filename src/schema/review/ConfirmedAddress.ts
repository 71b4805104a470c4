/** Where a vehicle must go, as its customer confirmed it: what the company's team and a named dealer read of it. */
import { Schema } from "effect"
import { timestamp } from "../moment.ts"
import { addressFields, addressLines, type DeliveryAddress } from "../requests/deliveryAddress.ts"

/** A member for each field of an address. */
const eachField = <A>(of: (field: (typeof addressFields)[number]) => A) =>
  Object.fromEntries(addressFields.map((field) => [field, of(field)])) as Readonly<
    Record<(typeof addressFields)[number], A>
  >

export const ConfirmedAddress = Schema.Struct({
  ...eachField(() => Schema.NullOr(Schema.String)),
  lines: Schema.Array(Schema.String).annotate({ description: "The address as it stands on an envelope" }),
  confirmedAt: Schema.String
})
export type ConfirmedAddress = typeof ConfirmedAddress.Type

/** `at`: epoch milliseconds. */
export const confirmedAddress = (address: DeliveryAddress, at: number): ConfirmedAddress => ({
  ...eachField((field) => address[field] ?? null),
  lines: addressLines(address),
  confirmedAt: timestamp(at)
})
