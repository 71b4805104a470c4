/**
 * The address of a handover, as the customer confirms it: the address fields of a start, with the same rules. Which address
 * the page suggests is decided elsewhere.
 */
import { Result, Schema } from "effect"
import { addressLengths, postalAddress } from "../start/application.ts"
import { normaliserOf } from "../decoding/normalise.ts"

export const DeliveryAddress = Schema.Struct(postalAddress).annotate({ identifier: "DeliveryAddress" })
export type DeliveryAddress = typeof DeliveryAddress.Type
export type AddressField = keyof DeliveryAddress

export const addressFields = Object.keys(postalAddress) as ReadonlyArray<AddressField>

/**
 * What is wrong with a field of an address. HOUSE_MISSING: neither a number nor a name says which house. NO_POSTCODE: the
 * text can be the postcode of no country. UNUSABLE: the text holds characters that no address has.
 */
export type AddressProblem =
  | { readonly kind: "MISSING" | "HOUSE_MISSING" | "NO_POSTCODE" | "UNUSABLE" }
  | { readonly kind: "TOO_LONG"; readonly limit: number }

export type AddressProblems = Readonly<Partial<Record<AddressField, AddressProblem>>>

const normalise = normaliserOf(DeliveryAddress)
const decode = Schema.decodeUnknownResult(DeliveryAddress, { errors: "all", reportInput: true })

/** A blank field counts as missing, as everywhere. */
export const decodeDeliveryAddress = (
  given: Readonly<Record<string, unknown>>
): Result.Result<DeliveryAddress, AddressProblems> => {
  const normalised = normalise(given) as Readonly<Record<string, unknown>>
  return Result.mapError(decode(normalised), () =>
    Object.fromEntries(
      addressFields.flatMap((field) => {
        const problem = problemOf(field, normalised[field])
        return problem === null ? [] : [[field, problem] as const]
      })
    )
  )
}

const isField = (field: AddressField) => Schema.is(postalAddress[field])

const problemOf = (field: AddressField, value: unknown): AddressProblem | null => {
  if (value === undefined) return isRequired(field) ? { kind: "MISSING" } : null
  if (isField(field)(value)) return null
  const limit = addressLengths[field]
  return typeof value === "string" && Array.from(value).length > limit
    ? { kind: "TOO_LONG", limit }
    : { kind: "UNUSABLE" }
}

export const isRequired = (field: AddressField): boolean => postalAddress[field].ast.context?.isOptional !== true

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

export const isSameAddress = (one: DeliveryAddress, other: DeliveryAddress): boolean =>
  addressFields.every((field) => one[field] === other[field])
