/** The settings API, one line an endpoint. */
import type { HttpRouter } from "effect/http"
import type { CompanyStore } from "../../actors/company/CompanyStore.ts"
import type { Keyring } from "../../actors/company/Keyring.ts"
import type { WalletStore } from "../../actors/company/WalletStore.ts"
import type { Ids } from "../../actors/journey/Ids.ts"
import type { Vault } from "../../actors/journey/Vault.ts"
import type { Mailbox } from "../../actors/mail/Mailbox.ts"
import type { DeliveryLog } from "../../actors/webhook/DeliveryLog.ts"
import type { EndpointMailbox } from "../../actors/webhook/EndpointMailbox.ts"
import type { EndpointStore } from "../../actors/webhook/EndpointStore.ts"
import type { Resolver } from "../../actors/webhook/Resolver.ts"
import type { Route } from "../endpoint.ts"
import type { RateLimiter } from "../RateLimiter.ts"
import {
  createKeyEndpoint,
  listKeysEndpoint,
  patchKeyEndpoint,
  revokeKeyEndpoint,
  rotateKeyEndpoint
} from "./apiKeyEndpoints.ts"
import {
  auditEndpoint,
  createCompanyEndpoint,
  getCompanyEndpoint,
  listCompaniesEndpoint,
  patchCompanyEndpoint
} from "./companyEndpoints.ts"
import {
  getDeliveryEndpoint,
  getResendEndpoint,
  listDeliveriesEndpoint,
  listResendsEndpoint,
  resendDeliveryEndpoint,
  startResendEndpoint
} from "./deliveryEndpoints.ts"
import { pingEndpoint, sampleEndpoint } from "./endpointTests.ts"
import { listMailEndpoint } from "./mailEndpoint.ts"
import type { Operator, ProviderAddresses } from "./operatorEndpoint.ts"
import { creditEndpoint, ledgerEndpoint, listWalletsEndpoint } from "./walletEndpoints.ts"
import { getEndpoint, removeEndpoint, rollSecretEndpoint, saveEndpoint } from "./webhookEndpoints.ts"

type Services =
  | CompanyStore
  | DeliveryLog
  | EndpointMailbox
  | EndpointStore
  | HttpRouter.RouteContext
  | Ids
  | Keyring
  | Mailbox
  | Operator
  | ProviderAddresses
  | RateLimiter
  | Resolver
  | Vault
  | WalletStore

const companies = "/settings/v1/companies"
const company = `${companies}/:companyId` as const
const keys = `${company}/api-keys` as const
const key = `${keys}/:keyId` as const
const wallets = `${company}/wallets` as const
const endpoint = `${company}/webhook-endpoints/:mode` as const
const delivery = `${endpoint}/deliveries/:deliveryId` as const

export const settingsRoutes: ReadonlyArray<Route<Services>> = [
  { method: "POST", path: companies, handle: createCompanyEndpoint },
  { method: "GET", path: companies, handle: listCompaniesEndpoint },
  { method: "GET", path: company, handle: getCompanyEndpoint },
  { method: "PATCH", path: company, handle: patchCompanyEndpoint },
  { method: "POST", path: keys, handle: createKeyEndpoint },
  { method: "GET", path: keys, handle: listKeysEndpoint },
  { method: "PATCH", path: key, handle: patchKeyEndpoint },
  { method: "DELETE", path: key, handle: revokeKeyEndpoint },
  { method: "POST", path: `${key}/rotate`, handle: rotateKeyEndpoint },
  { method: "GET", path: wallets, handle: listWalletsEndpoint },
  { method: "POST", path: `${wallets}/:wallet/credits`, handle: creditEndpoint },
  { method: "GET", path: `${wallets}/:wallet/ledger`, handle: ledgerEndpoint },
  { method: "PUT", path: endpoint, handle: saveEndpoint },
  { method: "GET", path: endpoint, handle: getEndpoint },
  { method: "DELETE", path: endpoint, handle: removeEndpoint },
  { method: "POST", path: `${endpoint}/roll-secret`, handle: rollSecretEndpoint },
  { method: "POST", path: `${endpoint}/ping`, handle: pingEndpoint },
  { method: "POST", path: `${endpoint}/sample`, handle: sampleEndpoint },
  { method: "GET", path: `${endpoint}/deliveries`, handle: listDeliveriesEndpoint },
  { method: "GET", path: delivery, handle: getDeliveryEndpoint },
  { method: "POST", path: `${delivery}/resend`, handle: resendDeliveryEndpoint },
  { method: "POST", path: `${endpoint}/resend`, handle: startResendEndpoint },
  { method: "GET", path: `${endpoint}/resends`, handle: listResendsEndpoint },
  { method: "GET", path: `${endpoint}/resends/:taskId`, handle: getResendEndpoint },
  { method: "GET", path: `${company}/audit`, handle: auditEndpoint },
  { method: "GET", path: "/settings/v1/mail", handle: listMailEndpoint }
]
