/**
 * The keyed hash by which a company's journeys are found when a vehicle's registration is searched for. A registration is
 * personal: outside the sealed record only this hash of it is kept, until the customer is erased. The hash of one vehicle
 * differs from company to company and between test and live journeys, so that equal hashes tell nobody anything.
 */
import type { Scope } from "../../../kernel/Scope.ts"
import type { Vault } from "../../../kernel/Vault.ts"

/** As people write it, so that "ab12 cde" is the same registration as "AB12CDE". */
const normalised = (registration: string): string => registration.replaceAll(/\s/gu, "").toUpperCase()

export const registrationIndex = (
  vault: Vault["Service"],
  { companyId, livemode }: Scope,
  registration: string
): Uint8Array => vault.index("registration", `${companyId}|${livemode}|${normalised(registration)}`)
