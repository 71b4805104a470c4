/**
 * Wallets in PostgreSQL as the operator sees and fills them. A credit, its ledger line and its audit line are one write.
 * Holding and charging credits for a journey is in the statements of journeys.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WalletStore } from "../../../actors/company/WalletStore.ts"
import { LedgerEntry, Wallet, WalletName } from "../../../schema/company/Wallet.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { pieceOf, type PieceRequest, type TimeSpan } from "../../../schema/page.ts"
import { inSpan } from "../../postgres/inSpan.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { lineAndNotice, lineParameters } from "../kernel/auditedChange.ts"

const walletRows = modelColumns(Wallet.row)
const ledgerRows = modelColumns(LedgerEntry.row)

const creditStatement = `
with changed as (
  insert into wallets as w (company_id, wallet, balance) values ($1, $6, $7)
  on conflict (company_id, wallet) do update set balance = w.balance + excluded.balance
  returning *
), entry as (
  insert into wallet_ledger (company_id, wallet, amount, note, at)
  select $1::uuid, $6::text, $7::bigint, $8::text, $5::timestamptz from changed
), ${lineAndNotice}
select * from changed`

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
      credit: (companyId, { amount, note, wallet }, line) =>
        storeWrite(
          walletRows.first(
            sql.unsafe(creditStatement, [...lineParameters(companyId, line), wallet, BigInt(amount), note])
          )
        ).pipe(
          Effect.flatMap((credited) =>
            credited === null ? Effect.die(new Error("a credit wrote no wallet")) : Effect.succeed(credited)
          )
        ),
      ledger: (companyId, of, piece) =>
        storeRead(ledgerRows.all(ledgerLines(sql, companyId, of, piece))).pipe(
          Effect.map((found) => pieceOf(found, piece.size, ({ id }) => id))
        )
    })
  })
)
