/** Companies and keys as the settings API shows them: what is sealed or hashed is not among it. */
import type { ApiKeyResource, CompanyResource } from "../../schema/company/Company.ts"
import type { ApiKey, Company } from "./CompanyStore.ts"

export const timestamp = (millis: number): string => new Date(millis).toISOString()

export const timestampOrNull = (millis: number | null): string | null => (millis === null ? null : timestamp(millis))

export const identityProviderResource = (provider: Company["identityProvider"]): CompanyResource["identityProvider"] =>
  provider === null || provider.kind === "BUILT_IN" ? provider : { kind: "HTTP", url: provider.url }

export const financePanelResource = (panel: Company["financePanel"]): CompanyResource["financePanel"] =>
  panel === null ? null : { name: panel.name, url: panel.url }

export const companyResource = (company: Company): CompanyResource => ({
  id: company.id,
  name: company.name,
  kind: company.kind,
  adminEmail: company.adminEmail,
  active: company.active,
  identityProvider: identityProviderResource(company.identityProvider),
  financePanel: financePanelResource(company.financePanel),
  identityWindowDays: company.identityWindowDays,
  handoverWindowDays: company.handoverWindowDays,
  mediaRetentionDays: company.mediaRetentionDays,
  sandbox: company.sandbox,
  createdAt: timestamp(company.createdAt)
})

export const apiKeyResource = (key: ApiKey): ApiKeyResource => ({
  id: key.id,
  mode: key.livemode ? "LIVE" : "TEST",
  name: key.name,
  last4: key.last4,
  scopes: key.scopes,
  developer: key.developer,
  expiresAt: timestampOrNull(key.expiresAt),
  revokedAt: timestampOrNull(key.revokedAt),
  createdAt: timestamp(key.createdAt)
})
