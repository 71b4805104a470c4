/**
 * What the body of a PATCH changes at a company: the change as the store writes it, with sealed secrets and the digest of
 * the logo, and what the audit log says about it. Pure but for the vault, which seals.
 */
import { Schema } from "effect"
import type { BrandChange, BrandPatch, KeptLogo } from "../../schema/company/Brand.ts"
import { Company, type CompanyPatch } from "../../schema/company/Company.ts"
import type { Vault } from "../kernel/Vault.ts"
import type { CompanyChange } from "./CompanyStore.ts"
import type { CleanLogo } from "./LogoCheck.ts"
import { providerPlace, type ProviderKind } from "./providers.ts"
import type { CompanyId } from "../../schema/ids.ts"

/** `logo`: what became of the image in the body; null takes the logo away, undefined leaves it. */
export const companyChange = (
  companyId: CompanyId,
  patch: CompanyPatch,
  vault: Pick<Vault["Service"], "sealSecret">,
  logo?: CleanLogo | null
): CompanyChange => {
  const { brand, financePanel: panel, identityProvider: provider, ...rest } = patch
  const seal = (kind: ProviderKind, secret: string) =>
    Buffer.from(vault.sealSecret(providerPlace(kind, companyId), secret)).toString("base64")
  return {
    ...rest,
    ...(brand === undefined ? {} : { brand: brandChange(brand, logo) }),
    ...(provider === undefined
      ? {}
      : {
          identityProvider:
            provider === null || provider.kind === "BUILT_IN"
              ? provider
              : { kind: "HTTP", url: provider.url, sealedSecret: seal("identity_provider", provider.secret) }
        }),
    ...(panel === undefined
      ? {}
      : {
          financePanel:
            panel === null
              ? null
              : { name: panel.name, url: panel.url, sealedSecret: seal("finance_panel", panel.secret) }
        })
  }
}

/** The brand names the cleaned logo by its digest. */
const brandChange = (patch: BrandPatch, logo?: CleanLogo | null): BrandChange => {
  const { logo: _, ...rest } = patch
  return logo === undefined ? rest : { ...rest, logo: logo === null ? null : keptLogo(logo) }
}

const keptLogo = ({ digest, height, type, width }: CleanLogo): KeptLogo => ({ digest, type, width, height })

const { financePanel: shownPanel, identityProvider: shownProvider } = Company.shown.fields
const showProvider = Schema.encodeSync(shownProvider)
const showPanel = Schema.encodeSync(shownPanel)

/** The names of all changed fields, and the new values that are neither secret nor anyone's address. */
export const auditDetailsOf = (patch: CompanyPatch, change: CompanyChange) => {
  const { adminEmail: _, financePanel, identityProvider, ...values } = change
  return {
    fields: Object.keys(patch),
    values: {
      ...values,
      ...(identityProvider === undefined ? {} : { identityProvider: originOnly(showProvider(identityProvider)) }),
      ...(financePanel === undefined ? {} : { financePanel: originOnly(showPanel(financePanel)) })
    }
  }
}

/** A path or query may be somebody's secret. */
const originOnly = <Provider extends object | null>(provider: Provider): Provider =>
  provider !== null && "url" in provider ? { ...provider, url: new URL(String(provider.url)).origin } : provider
