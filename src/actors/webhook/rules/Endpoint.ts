/**
 * A webhook endpoint as the service keeps it: where a company's events of one mode go, how they are signed, and whether
 * anything reaches the endpoint. Who may change an endpoint is the business of the settings API.
 */
import type { OffReason } from "../../../schema/webhook/Endpoint.ts"
import type { EndpointHealth } from "./EndpointHealth.ts"
import type { CompanyId, EndpointId } from "../../../schema/ids.ts"

/** Times are epoch milliseconds. */
export interface Endpoint {
  readonly id: EndpointId
  readonly companyId: CompanyId
  readonly livemode: boolean
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly offReason: OffReason | null
  readonly offSince: number | null
  /** Sealed by the vault for `secretPlace`. */
  readonly sealedSecret: Uint8Array
  /** The newest first. Those that have ended may be among them. */
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
  /** Every save and removal raises it. A judgement about an earlier revision is not written over a later one. */
  readonly revision: number
  readonly health: EndpointHealth
  readonly createdAt: number
  readonly removedAt: number | null
}

/** A secret that was rolled and signs beside the present one until its end. */
export interface PreviousSecret {
  /** Sealed as the present one. */
  readonly sealed: Uint8Array
  readonly until: number
}

export const stillSigning = <Secret extends { readonly until: number }>(
  previous: ReadonlyArray<Secret>,
  at: number
): ReadonlyArray<Secret> => previous.filter(({ until }) => at < until)

/** The place that an endpoint's sealed secrets are bound to. */
export const secretPlace = (endpointId: EndpointId): string => `webhook_endpoints|${endpointId}`
