/**
 * An address as its customer confirms it: what is missing or cannot be right is a problem, what is only unlikely is a doubt.
 * A doubt keeps nobody out: the customer confirms that the address is meant. Pure; nobody outside the service is asked.
 */
import { Result } from "effect"
import {
  decodeDeliveryAddress,
  type AddressProblems,
  type DeliveryAddress
} from "../../schema/requests/deliveryAddress.ts"
import { postcodeArea, ukPostcode } from "../../schema/requests/postcode.ts"

/**
 * OTHER_AREA: the postcode area is that of no address on file. UNUSUAL_POSTCODE: the postcode does not have the form of this
 * country's. PO_BOX: nobody can be met there.
 */
export const addressDoubts = ["UNUSUAL_POSTCODE", "OTHER_AREA", "PO_BOX"] as const
export type AddressDoubt = (typeof addressDoubts)[number]

export interface JudgedAddress {
  /** With its postcode in the usual form. */
  readonly address: DeliveryAddress
  readonly doubts: ReadonlyArray<AddressDoubt>
}

export const judgeAddress = (
  given: Readonly<Record<string, unknown>>,
  onFile: ReadonlyArray<DeliveryAddress>
): Result.Result<JudgedAddress, AddressProblems> => {
  const decoded = decodeDeliveryAddress(given)
  const problems = { ...(Result.isFailure(decoded) ? decoded.failure : {}), ...furtherProblems(given) }
  if (Result.isFailure(decoded) || Object.keys(problems).length > 0) return Result.fail(problems)
  const { postcode } = decoded.success
  const address = { ...decoded.success, postcode: ukPostcode(postcode) ?? postcode }
  return Result.succeed({ address, doubts: addressDoubts.filter((doubt) => isDoubtful[doubt](address, onFile)) })
}

const textIn = (given: Readonly<Record<string, unknown>>, field: string): string => {
  const value = given[field]
  return typeof value === "string" ? value.trim() : ""
}

/** Drivers look for a number or a name. Some callers put the number in front of the street. */
const furtherProblems = (given: Readonly<Record<string, unknown>>): AddressProblems => {
  const hasHouse =
    textIn(given, "buildingNumber") !== "" ||
    textIn(given, "buildingName") !== "" ||
    /^\d/.test(textIn(given, "street"))
  const postcode = textIn(given, "postcode")
  return {
    ...(hasHouse ? {} : { buildingNumber: { kind: "HOUSE_MISSING" } }),
    ...(postcode === "" || /^(?=.*\d)[\p{L}\d\s-]{3,}$/u.test(postcode) ? {} : { postcode: { kind: "NO_POSTCODE" } })
  }
}

type IsDoubtful = (address: DeliveryAddress, onFile: ReadonlyArray<DeliveryAddress>) => boolean

const isDoubtful: Readonly<Record<AddressDoubt, IsDoubtful>> = {
  // The caller gave the addresses on file: whatever they look like, they are meant.
  UNUSUAL_POSTCODE: ({ postcode }, onFile) =>
    ukPostcode(postcode) === null && onFile.every((known) => known.postcode !== postcode),
  OTHER_AREA: ({ postcode }, onFile) => {
    const area = postcodeArea(postcode)
    const known = onFile.map((address) => postcodeArea(address.postcode)).filter((one) => one !== null)
    return area !== null && known.length > 0 && !known.includes(area)
  },
  PO_BOX: (address) => Object.values(address).some((line) => /\bp\.?\s?o\.?\s?box\b/i.test(line))
}
