/** The settings API, one line an endpoint. */
import type { HttpRouter } from "effect/http"
import type { CompanyStore } from "../../actors/company/CompanyStore.ts"
import type { Keyring } from "../../actors/company/Keyring.ts"
import type { WalletStore } from "../../actors/company/WalletStore.ts"
import type { Ids } from "../../actors/journey/Ids.ts"
import type { Vault } from "../../actors/journey/Vault.ts"
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
import type { Operator, ProviderAddresses } from "./operatorEndpoint.ts"
import { creditEndpoint, ledgerEndpoint, listWalletsEndpoint } from "./walletEndpoints.ts"

type Services =
  | CompanyStore
  | HttpRouter.RouteContext
  | Ids
  | Keyring
  | Operator
  | ProviderAddresses
  | RateLimiter
  | Vault
  | WalletStore

const companies = "/settings/v1/companies"
const company = `${companies}/:companyId` as const
const keys = `${company}/api-keys` as const
const key = `${keys}/:keyId` as const
const wallets = `${company}/wallets` as const

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
  { method: "GET", path: `${company}/audit`, handle: auditEndpoint }
]
