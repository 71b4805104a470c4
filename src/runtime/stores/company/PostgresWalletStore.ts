/**
 * Wallets in PostgreSQL as the operator sees and fills them. A credit, its ledger line and its audit line are one write, which is made once
 * however often it is handed in. Holding and charging credits for a journey is in the statements of journeys.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WalletStore } from "../../../actors/company/WalletStore.ts"
import { CommitUnknown } from "../../../actors/kernel/StoreError.ts"
import { LedgerEntry, Wallet, WalletName } from "../../../schema/company/Wallet.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { pieceOf, type PieceRequest, type TimeSpan } from "../../../schema/page.ts"
import { inSpan } from "../../postgres/inSpan.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { knownWrite, storeRead } from "../../postgres/storeCalls.ts"
import { lineAndNotice, lineParameters } from "../kernel/auditedChange.ts"

const walletRows = modelColumns(Wallet.row)
const ledgerRows = modelColumns(LedgerEntry.row)

const creditStatement = `
with entry as (
  insert into wallet_ledger (company_id, wallet, amount, note, at, credit_id)
  values ($1::uuid, $6::text, $7::bigint, $8::text, $5::timestamptz, $9::uuid)
  on conflict (credit_id) where credit_id is not null do nothing
  returning company_id, wallet, amount
), changed as (
  insert into wallets as w (company_id, wallet, balance) select company_id, wallet, amount from entry
  on conflict (company_id, wallet) do update set balance = w.balance + excluded.balance
  returning *
), ${lineAndNotice}
select * from changed`

const creditedStatement = `
select w.* from wallet_ledger l join wallets w on w.company_id = l.company_id and w.wallet = l.wallet
where l.credit_id = $5::uuid and l.company_id = $1::uuid and l.wallet = $2::text and l.amount = $3::bigint and l.note = $4::text`

/** One line more than a piece has. An index holds the lines of a wallet in this order. */
export const ledgerLines = (
  sql: SqlClient.SqlClient,
  companyId: CompanyId,
  { span, wallet }: { readonly span: TimeSpan; readonly wallet: WalletName },
  { after, size }: PieceRequest
) => {
  const asked = sql.and([
    sql`company_id = ${companyId}`,
    sql`wallet = ${wallet}`,
    ...inSpan(sql, span),
    ...(after === null
      ? []
      : [
          sql`(at, id) < (select at, id from wallet_ledger
      where company_id = ${companyId} and wallet = ${wallet} and id = ${BigInt(after)}::bigint)`
        ])
  ])
  return sql`select * from wallet_ledger where ${asked} order by at desc, id desc limit ${size + 1}`
}

export const layer = Layer.effect(
  WalletStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return WalletStore.of({
      wallets: (companyId) =>
        Effect.map(storeRead(walletRows.all(sql`select * from wallets where company_id = ${companyId}`)), (stored) =>
          WalletName.literals.map(
            (wallet) => stored.find((one) => one.wallet === wallet) ?? Wallet.row.make({ wallet })
          )
        ),
      credit: Effect.fn("WalletStore.credit")(function* (companyId, { amount, id, note, wallet }, line) {
        const asked = [wallet, BigInt(amount), note, id]
        const write = walletRows.first(sql.unsafe(creditStatement, [...lineParameters(companyId, line), ...asked]))
        const credited = yield* knownWrite(write)
        if (credited !== null) return { wallet: credited, isNew: true }
        // It may have been this request that added them, whose first answer was lost.
        const look = storeRead(walletRows.first(sql.unsafe(creditedStatement, [companyId, ...asked])))
        const before = yield* Effect.catchTag(look, "StoreUnavailable", ({ cause }) =>
          Effect.fail(new CommitUnknown({ cause }))
        )
        return before === null ? null : { wallet: before, isNew: false }
      }),
      ledger: (companyId, of, piece) =>
        storeRead(ledgerRows.all(ledgerLines(sql, companyId, of, piece))).pipe(
          Effect.map((found) => pieceOf(found, piece.size, ({ id }) => id))
        )
    })
  })
)
