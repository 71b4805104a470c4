/**
 * The port to a company's wallets as its owner sees them: what is in them, credits bought, and the ledger, whose lines
 * add up to the balance. Holding and charging credits for a journey is the journey store's business.
 */
import { Context, type Effect } from "effect"
import type { WalletName, WalletResource } from "../../schema/company/Company.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AuditLine } from "./CompanyStore.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"

export interface LedgerEntry {
  readonly id: string
  readonly amount: number
  readonly journeyId: string | null
  readonly note: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface Credit {
  readonly wallet: WalletName
  readonly amount: number
  readonly note: string
}

export class WalletStore extends Context.Service<
  WalletStore,
  {
    /** Every wallet, also those that never held a credit. */
    readonly wallets: (companyId: string) => Effect.Effect<ReadonlyArray<WalletResource>, StoreUnavailable>
    /** The wallet with the credits in it. */
    readonly credit: (
      companyId: string,
      credit: Credit,
      line: AuditLine
    ) => Effect.Effect<WalletResource, StoreUnavailable | CommitUnknown>
    /** Newest first. */
    readonly ledger: (
      companyId: string,
      wallet: WalletName,
      page: PageRequest
    ) => Effect.Effect<PageOf<LedgerEntry>, StoreUnavailable>
  }
>()("journeys/actors/WalletStore") {}
