/**
 * Wallets in PostgreSQL as the operator sees and fills them. A credit, its ledger line and its audit line are one write.
 * Holding and charging credits for a journey is in the statements of journeys.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WalletStore } from "../../../actors/company/WalletStore.ts"
import { LedgerEntry, Wallet, WalletName } from "../../../schema/company/Wallet.ts"
import { pieceOf } from "../../../schema/page.ts"
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
      ledger: (companyId, wallet, { after, size }) => {
        const further = after === null ? sql`` : sql`and id < ${BigInt(after)}::bigint`
        return storeRead(
          ledgerRows.all(sql`
            select * from wallet_ledger where company_id = ${companyId} and wallet = ${wallet} ${further}
            order by id desc limit ${size + 1}`)
        ).pipe(Effect.map((found) => pieceOf(found, size, ({ id }) => id)))
      }
    })
  })
)
