/**
 * New companies and new API keys with everything that nobody said: defaults, ids and the key's text. The text leaves
 * here once; what is stored of it is a hash and the last four characters.
 */
import { SecureRandom } from "effect/crypto"
import { KeyScope, type CompanyKind } from "../../schema/company/Company.ts"
import { defaultSandboxSwitches } from "../../schema/journey/sandbox.ts"
import { hashApiKey, makeApiKey } from "./apiKey.ts"
import type { ApiKey, ApiKeyChange, Company, KeyTrace } from "./CompanyStore.ts"

/** Decision X4 allows 1 to 90; X1 and X2 name 30. */
const windowDays = 30

/** As long as a customer may come back with a question. */
const mediaRetentionDays = 30

/** Bytes that always suffice for a key, but for the case `makeApiKey` names. */
const randomBytes = 64

export const newCompany = (
  id: string,
  { adminEmail, kind, name }: { readonly name: string; readonly kind: CompanyKind; readonly adminEmail: string },
  now: number
): Company => ({
  id,
  name,
  kind,
  adminEmail,
  active: true,
  identityProvider: null,
  financePanel: null,
  identityWindowDays: windowDays,
  handoverWindowDays: windowDays,
  mediaRetentionDays,
  sandbox: defaultSandboxSwitches,
  createdAt: now
})

export const newKeyText = (livemode: boolean): string =>
  makeApiKey(livemode, SecureRandom.randomBytesUnsafe(randomBytes)) ?? newKeyText(livemode)

export const keyTrace = (text: string): KeyTrace => ({ hash: hashApiKey(text), last4: text.slice(-4) })

export const newApiKey = (
  id: string,
  companyId: string,
  livemode: boolean,
  last4: string,
  chosen: ApiKeyChange,
  now: number
): ApiKey => ({
  id,
  companyId,
  livemode,
  name: chosen.name ?? (livemode ? "Live key" : "Test key"),
  last4,
  scopes: chosen.scopes ?? KeyScope.literals,
  developer: chosen.developer ?? true,
  expiresAt: chosen.expiresAt ?? null,
  revokedAt: null,
  createdAt: now
})
