/**
 * The dealer of this service whose team hands the vehicle over, when a broker has named one (decision V7). A test key may name
 * any id, so of a test journey nobody is told.
 */
import type { KnownKey } from "../../company/Keyring.ts"

export const dealerNamed = (
  { company, livemode }: { readonly company: Pick<KnownKey["company"], "kind">; readonly livemode: boolean },
  vehicle: { readonly dealerCompanyId?: string | undefined }
): string | null => (livemode && company.kind === "BROKER" ? (vehicle.dealerCompanyId?.toLowerCase() ?? null) : null)
