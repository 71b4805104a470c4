/**
 * Companies, their API keys and what is configured for them: the shapes of the settings API and of what a key may do.
 */
import { Schema } from "effect"
import { SandboxSwitches } from "../journey/sandbox.ts"

export const CompanyKind = Schema.Literals(["DEALER", "BROKER"])
export type CompanyKind = typeof CompanyKind.Type

export const Mode = Schema.Literals(["LIVE", "TEST"])
export type Mode = typeof Mode.Type

/** What a key may do (decision A2). */
export const KeyScope = Schema.Literals(["journeys:read", "journeys:write", "journeys:simulate"])
export type KeyScope = typeof KeyScope.Type

/** As callers of the settings API read it: the provider's secret stays inside. */
export const IdentityProviderResource = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("BUILT_IN") }),
  Schema.Struct({ kind: Schema.Literal("HTTP"), url: Schema.String })
])
export const FinancePanelResource = Schema.Struct({ name: Schema.String, url: Schema.String })

export const CompanyResource = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  kind: CompanyKind,
  adminEmail: Schema.String,
  active: Schema.Boolean,
  identityProvider: Schema.NullOr(IdentityProviderResource),
  financePanel: Schema.NullOr(FinancePanelResource),
  identityWindowDays: Schema.Int,
  handoverWindowDays: Schema.Int,
  mediaRetentionDays: Schema.Int,
  sandbox: SandboxSwitches,
  createdAt: Schema.String
}).annotate({ identifier: "Company" })
export type CompanyResource = typeof CompanyResource.Type

export const ApiKeyResource = Schema.Struct({
  id: Schema.String,
  mode: Mode,
  name: Schema.String,
  last4: Schema.String,
  scopes: Schema.Array(KeyScope),
  developer: Schema.Boolean,
  expiresAt: Schema.NullOr(Schema.String),
  revokedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({ identifier: "ApiKey" })
export type ApiKeyResource = typeof ApiKeyResource.Type

/** The answer that makes a key: the only one that ever holds its text. */
export const NewApiKeyResource = Schema.Struct({ ...ApiKeyResource.fields, key: Schema.String }).annotate({
  identifier: "NewApiKey"
})
export type NewApiKeyResource = typeof NewApiKeyResource.Type

/** The wallets that pay for checks: applications sent to a panel, and identity checks. */
export const WalletName = Schema.Literals(["APPLICATION", "IDENTITY"])
export type WalletName = typeof WalletName.Type

/** `balance` counts credits bought and not yet charged; `held` is the part of it promised to running journeys. */
export const WalletResource = Schema.Struct({
  wallet: WalletName,
  balance: Schema.Int,
  held: Schema.Int
}).annotate({ identifier: "Wallet" })
export type WalletResource = typeof WalletResource.Type

export const LedgerEntryResource = Schema.Struct({
  id: Schema.String,
  amount: Schema.Int,
  journeyId: Schema.NullOr(Schema.String),
  note: Schema.String,
  at: Schema.String
}).annotate({ identifier: "LedgerEntry" })
export type LedgerEntryResource = typeof LedgerEntryResource.Type

export const AuditEntryResource = Schema.Struct({
  id: Schema.String,
  actor: Schema.String,
  action: Schema.String,
  details: Schema.Record(Schema.String, Schema.Unknown),
  at: Schema.String
}).annotate({ identifier: "AuditEntry" })
export type AuditEntryResource = typeof AuditEntryResource.Type
