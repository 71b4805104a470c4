/**
 * The port to where companies and their API keys are kept. Every change is written together with its line in the audit
 * log or not at all. Who may change what, and what a change means for keys that are remembered, is decided elsewhere.
 */
import { Context, type Effect } from "effect"
import type { CompanyKind, KeyScope } from "../../schema/company/Company.ts"
import type { SandboxSwitches } from "../../schema/journey/sandbox.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** Secrets are base64 of what the vault sealed for `identity_provider|<company>` and `finance_panel|<company>`. */
export type IdentityProvider =
  | { readonly kind: "BUILT_IN" }
  | { readonly kind: "HTTP"; readonly url: string; readonly sealedSecret: string }

export interface FinancePanel {
  readonly name: string
  readonly url: string
  readonly sealedSecret: string
}

/** Times are epoch milliseconds, here and below. */
export interface Company {
  readonly id: string
  readonly name: string
  readonly kind: CompanyKind
  readonly adminEmail: string
  readonly active: boolean
  readonly identityProvider: IdentityProvider | null
  readonly financePanel: FinancePanel | null
  readonly identityWindowDays: number
  readonly handoverWindowDays: number
  /** Photos and videos are removed so long after their journey's end. */
  readonly mediaRetentionDays: number
  readonly sandbox: SandboxSwitches
  readonly createdAt: number
}

/** What a change names is set; of the sandbox, `pace: null` goes back to the service's own pace. */
export type CompanyChange = Partial<Omit<Company, "id" | "kind" | "sandbox" | "createdAt">> & {
  readonly sandbox?: Partial<Omit<SandboxSwitches, "pace">> & { readonly pace?: SandboxSwitches["pace"] | null }
}

export interface ApiKey {
  readonly id: string
  readonly companyId: string
  readonly livemode: boolean
  readonly name: string
  readonly last4: string
  readonly scopes: ReadonlyArray<KeyScope>
  readonly developer: boolean
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly createdAt: number
}

export type ApiKeyChange = Partial<Pick<ApiKey, "name" | "scopes" | "developer" | "expiresAt">>

/** Of a key's text only this is kept. */
export interface KeyTrace {
  readonly hash: Uint8Array
  readonly last4: string
}

/** One line of the audit log: who did what, when, and with what. Never a secret, never personal data. */
export interface AuditLine {
  readonly actor: string
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
  readonly at: number
}

export interface NewCompany {
  readonly company: Company
  readonly line: AuditLine
  readonly keys: ReadonlyArray<NewApiKey>
}

export interface NewApiKey {
  readonly key: ApiKey
  readonly hash: Uint8Array
  readonly line: AuditLine
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class CompanyStore extends Context.Service<
  CompanyStore,
  {
    /** All of them or none. */
    readonly add: (companies: ReadonlyArray<NewCompany>) => Writing<void>
    readonly find: (companyId: string) => Reading<Company | null>
    readonly list: (page: PageRequest) => Reading<PageOf<Company>>
    /** The company after the change, or null when there is none. */
    readonly change: (companyId: string, change: CompanyChange, line: AuditLine) => Writing<Company | null>
    readonly addKey: (key: NewApiKey) => Writing<void>
    readonly findKey: (companyId: string, keyId: string) => Reading<ApiKey | null>
    readonly keys: (companyId: string, page: PageRequest) => Reading<PageOf<ApiKey>>
    /** The key after the change; null when there is none, or when it is revoked and therefore stays as it is. */
    readonly changeKey: (
      companyId: string,
      keyId: string,
      change: ApiKeyChange,
      line: AuditLine
    ) => Writing<ApiKey | null>
    /** Puts another text in place of the key's; null as above. */
    readonly rotateKey: (companyId: string, keyId: string, trace: KeyTrace, line: AuditLine) => Writing<ApiKey | null>
    /** The revoked key; null as above. */
    readonly revokeKey: (companyId: string, keyId: string, line: AuditLine) => Writing<ApiKey | null>
    readonly audit: (companyId: string, page: PageRequest) => Reading<PageOf<AuditLine & { readonly id: string }>>
  }
>()("journeys/actors/CompanyStore") {}
