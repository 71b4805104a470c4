/**
 * Whether the dealer that a broker names in a start is a dealer of this service (decision V7). A test key may name any id. What
 * is said of an id that names no dealer, and when, is decided by the rules of the start.
 */
import { Effect } from "effect"
import { uuid } from "../../schema/uuid.ts"
import { memberOf } from "../../schema/decoding/record.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import { CompanyStore } from "./CompanyStore.ts"
import type { KnownKey } from "./Keyring.ts"
import { CompanyId } from "../../schema/ids.ts"

/** True also when there is nothing to look up. A broker and a company that was turned off are as unknown as no company. */
export const isDealerKnown = (
  { company, livemode }: Pick<KnownKey, "company" | "livemode">,
  body: unknown
): Effect.Effect<boolean, StoreUnavailable, CompanyStore> => {
  // Most starts name no dealer, and every start comes this way.
  if (!livemode || company.kind !== "BROKER") return nothingToLookUp
  const named = memberOf(memberOf(body, "vehicle"), "dealerCompanyId")
  const id = typeof named === "string" ? named.trim().toLowerCase() : ""
  // The schema of the body refuses what is no id.
  return uuid.test(id) ? isDealer(CompanyId.make(id)) : nothingToLookUp
}

const nothingToLookUp = Effect.succeed(true)

const isDealer = (id: CompanyId) =>
  Effect.flatMap(CompanyStore, (companies) =>
    Effect.map(companies.find(id), (found) => found !== null && found.active && found.kind === "DEALER")
  )
