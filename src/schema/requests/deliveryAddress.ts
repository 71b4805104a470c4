/**
 * The address of a handover, as the customer confirms it: the address fields of a start, with the same rules. Which address
 * the page suggests is decided elsewhere.
 */
import { Result, Schema } from "effect"
import { postalAddress } from "../start/application.ts"
import { normaliserOf } from "../start/normalise.ts"
import { problemsOf } from "../start/problems.ts"

export const DeliveryAddress = Schema.Struct(postalAddress).annotate({ identifier: "DeliveryAddress" })
export type DeliveryAddress = typeof DeliveryAddress.Type
export type AddressField = keyof DeliveryAddress

export const addressFields = Object.keys(postalAddress) as ReadonlyArray<AddressField>

/** For each field that breaks its rule, the rest of a sentence that begins with the field: "is required". */
export type AddressProblems = Readonly<Partial<Record<AddressField, string>>>

const normalise = normaliserOf(DeliveryAddress)
const decode = Schema.decodeUnknownResult(DeliveryAddress, { errors: "all", reportInput: true })

/** A blank field counts as missing, as everywhere. */
export const decodeDeliveryAddress = (
  given: Readonly<Record<string, unknown>>
): Result.Result<DeliveryAddress, AddressProblems> =>
  Result.mapError(decode(normalise(given)), ({ issue }) =>
    Object.fromEntries(problemsOf(issue).map(({ field, rule }) => [field, rule]))
  )

/** The lines in the order in which they stand on an envelope. */
export const addressLines = (address: DeliveryAddress): ReadonlyArray<string> =>
  [
    address.organisationName,
    address.subBuildingName,
    address.buildingName,
    [address.buildingNumber, address.street].filter((part) => part !== undefined).join(" "),
    address.city,
    address.county,
    address.postcode
  ].filter((line) => line !== undefined)
