/**
 * A company's outside providers when they are used: where their secrets are sealed, how the secrets are opened, and whether
 * an identity check can be started at all. How the providers are configured is in `schema/company/providerSettings.ts`; how
 * they are called is decided by their ports.
 */
import { Effect, Redacted } from "effect"
import type { CheckPossible } from "../../schema/journey/messages.ts"
import type { Vault } from "../kernel/Vault.ts"
import type { Unopenable } from "../kernel/StoreError.ts"
import type { Company } from "../../schema/company/Company.ts"
import type { CompanyId } from "../../schema/ids.ts"

/** The address of a provider, and the secret with which both sides sign. */
export interface Provider {
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** The names of the columns that hold the settings of the providers. */
export const providerKinds = ["identity_provider", "finance_panel"] as const
export type ProviderKind = (typeof providerKinds)[number]

/** The place for which a provider's secret is sealed. */
export const providerPlace = (kind: ProviderKind, companyId: CompanyId): string => `${kind}|${companyId}`

const opened = (
  vault: Pick<Vault["Service"], "openSecret">,
  place: string,
  { sealedSecret, url }: { readonly url: string; readonly sealedSecret: string }
): Effect.Effect<Provider, Unopenable> =>
  Effect.map(vault.openSecret(place, Buffer.from(sealedSecret, "base64")), (secret) => ({
    url,
    secret: Redacted.make(secret)
  }))

type Configured = Pick<Company, "id" | "identityProvider" | "financePanel">

/** The company's finance panel; null when the company has none. */
export const panelOf = (
  vault: Pick<Vault["Service"], "openSecret">,
  { financePanel, id }: Configured
): Effect.Effect<Provider | null, Unopenable> =>
  financePanel === null ? Effect.succeed(null) : opened(vault, providerPlace("finance_panel", id), financePanel)

/** The company's outside identity provider; null when the company has none, or has its customers checked here. */
export const identityProviderOf = (
  vault: Pick<Vault["Service"], "openSecret">,
  { id, identityProvider }: Configured
): Effect.Effect<Provider | null, Unopenable> =>
  identityProvider === null || identityProvider.kind === "BUILT_IN"
    ? Effect.succeed(null)
    : opened(vault, providerPlace("identity_provider", id), identityProvider)

export const checkPossible = ({ identityProvider }: Pick<Company, "identityProvider">): CheckPossible =>
  identityProvider === null
    ? { possible: false, reason: "EKYC_NOT_CONFIGURED" }
    : { possible: true, by: identityProvider.kind }
