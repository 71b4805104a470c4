/**
 * The port to a company's wallets as the operator sees them: balances, credits bought, and the ledger. Holding and charging
 * credits for a journey is the work of the journeys' store.
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { CreditsBody, LedgerEntry, Wallet, WalletName } from "../../schema/company/Wallet.ts"
import type { PieceOf, PieceRequest, TimeSpan } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { CompanyId } from "../../schema/ids.ts"

/** Credits that the operator adds. `id` makes a request that comes twice one credit. */
export type Credit = CreditsBody & { readonly id: string; readonly wallet: WalletName }

export class WalletStore extends Context.Service<
  WalletStore,
  {
    /** Every wallet, also a wallet that never held a credit. */
    readonly wallets: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<Wallet>, StoreUnavailable>
    /**
     * The wallet with the credits in it. `isNew` is false where this very credit was added before: the wallet is as it is now. Null: the
     * id is another credit's.
     */
    readonly credit: (
      companyId: CompanyId,
      credit: Credit,
      line: AuditLine
    ) => Effect.Effect<{ readonly wallet: Wallet; readonly isNew: boolean } | null, StoreUnavailable | CommitUnknown>
    /** The newest first. A piece costs the same wherever it begins, and whatever the span is. */
    readonly ledger: (
      companyId: CompanyId,
      of: { readonly wallet: WalletName; readonly span: TimeSpan },
      piece: PieceRequest
    ) => Effect.Effect<PieceOf<LedgerEntry>, StoreUnavailable>
  }
>()("journeys/actors/WalletStore") {}
