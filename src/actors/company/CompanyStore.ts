/**
 * The port to where companies and their API keys are kept. A change and its line in the audit log are written together or
 * not at all. Who may change what, and when remembered keys are forgotten, is decided by the callers.
 */
import { Context, type Effect } from "effect"
import type { ApiKey, ApiKeyPatch } from "../../schema/company/ApiKey.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { BrandChange } from "../../schema/company/Brand.ts"
import type { Company, CompanyPatch } from "../../schema/company/Company.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { CleanLogo } from "./LogoCheck.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { ApiKeyId, CompanyId } from "../../schema/ids.ts"

/**
 * The fields to set. The secrets of providers are sealed. In the sandbox, `pace: null` means the service's own pace. Of the
 * brand, what is not named stays.
 */
export type CompanyChange = Partial<Pick<Company, Exclude<keyof CompanyPatch, "sandbox" | "brand">>> &
  Pick<CompanyPatch, "sandbox"> & { readonly brand?: BrandChange }

/** The fields to set. */
export type ApiKeyChange = Partial<Pick<ApiKey, keyof ApiKeyPatch>>

/** What is kept of a key's text. */
export interface KeyTrace {
  readonly hash: Uint8Array
  readonly last4: string
  /** Whether the text has the mark of this installation. */
  readonly isMarked: boolean
}

export interface NewCompany {
  readonly company: Company
  readonly line: AuditLine
  readonly keys: ReadonlyArray<NewApiKey>
  /** Who invites the administrator, as the audit log names them. Null: the administrator becomes the first owner unasked. */
  readonly invitedBy: string | null
}

export interface NewApiKey {
  readonly key: ApiKey
  readonly trace: KeyTrace
  readonly line: AuditLine
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class CompanyStore extends Context.Service<
  CompanyStore,
  {
    /** All of them or none, each with its administrator as the first owner. */
    readonly add: (companies: ReadonlyArray<NewCompany>) => Writing<void>
    readonly find: (companyId: CompanyId) => Reading<Company | null>
    /** The newest first. `search`: only the company with this id, and those whose name begins so, in any case. */
    readonly list: (page: PageRequest, search?: string) => Reading<PageOf<Company>>
    /** The company after the change, or null when there is no such company. `logo` is the image that the brand names from now on. */
    readonly change: (
      companyId: CompanyId,
      change: CompanyChange,
      line: AuditLine,
      logo?: CleanLogo | null
    ) => Writing<Company | null>
    readonly addKey: (key: NewApiKey) => Writing<void>
    readonly findKey: (companyId: CompanyId, keyId: ApiKeyId) => Reading<ApiKey | null>
    /** The newest first, revoked keys included. */
    readonly keys: (companyId: CompanyId, page: PageRequest) => Reading<PageOf<ApiKey>>
    /** The key after the change; null when there is no such key, or when the key is revoked and stays as it is. */
    readonly changeKey: (
      companyId: CompanyId,
      keyId: ApiKeyId,
      change: ApiKeyChange,
      line: AuditLine
    ) => Writing<ApiKey | null>
    /** Replaces the key's text; null in the same cases as `changeKey`. */
    readonly rotateKey: (
      companyId: CompanyId,
      keyId: ApiKeyId,
      trace: KeyTrace,
      line: AuditLine
    ) => Writing<ApiKey | null>
    /** The key, now revoked; null in the same cases as `changeKey`. */
    readonly revokeKey: (companyId: CompanyId, keyId: ApiKeyId, line: AuditLine) => Writing<ApiKey | null>
  }
>()("journeys/actors/CompanyStore") {}
