/**
 * A webhook endpoint as the service keeps it: where a company's events of one mode go, how they are signed, and whether
 * anything reaches it. Who may change it is the settings' business.
 */
import type { OffReason } from "../../../schema/webhook/Endpoint.ts"
import type { Health } from "../rules/health.ts"

/** Times are epoch milliseconds. */
export interface Endpoint {
  readonly id: string
  readonly companyId: string
  readonly livemode: boolean
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly offReason: OffReason | null
  readonly offSince: number | null
  /** Sealed by the vault for `secretPlace`. */
  readonly sealedSecret: Uint8Array
  readonly sealedPreviousSecret: Uint8Array | null
  readonly previousUntil: number | null
  /** Raised by every save and removal: what was judged of an earlier endpoint is not written over a later one. */
  readonly revision: number
  readonly health: Health
  readonly createdAt: number
  readonly removedAt: number | null
}

/** Where an endpoint's sealed secrets belong. */
export const secretPlace = (endpointId: string): string => `webhook_endpoints|${endpointId}`
