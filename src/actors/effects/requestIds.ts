/**
 * The ids by which outside providers know what they were asked: of a submission, or of an identity check. Every attempt at the same
 * effect of a journey has the same id. The last twelve digits of an id are a mark that only the installation can make, so
 * a callback with a forged id is refused without asking the database.
 */
import { timingSafeEqual } from "node:crypto"
import type { JourneyId } from "../../schema/ids.ts"
import { derivedId } from "../journey/rules/derivedId.ts"
import type { Vault } from "../kernel/Vault.ts"

type Marking = Pick<Vault["Service"], "index">

/** `unmarked`: the id that versions before there were marks derive. A provider that was asked under it knows no other. */
export interface RequestIds {
  readonly marked: string
  readonly unmarked: string
}

/** Of the 16 bytes of an id six are the mark: whoever tries ids needs 2^48 requests for one look-up. */
const markDigits = 12

const markOf = (beginning: string, vault: Marking): string =>
  Buffer.from(vault.index("request", `mark|${beginning}`))
    .toString("hex")
    .slice(0, markDigits)

export const requestIdsOf = (
  vault: Marking,
  effect: "SUBMIT_APPLICATION" | "START_IDENTITY_CHECK",
  journeyId: JourneyId,
  serial: number
): RequestIds => {
  const unmarked = derivedId(vault, effect, journeyId, serial)
  const beginning = unmarked.slice(0, -markDigits)
  return { marked: `${beginning}${markOf(beginning, vault)}`, unmarked }
}

/** Whether this installation has made the id, for a text that has the form of an id, in lower case. */
export const isMarkedRequestId = (id: string, vault: Marking): boolean => {
  const mark = Buffer.from(markOf(id.slice(0, -markDigits), vault))
  const given = Buffer.from(id.slice(-markDigits))
  return given.length === mark.length && timingSafeEqual(given, mark)
}
