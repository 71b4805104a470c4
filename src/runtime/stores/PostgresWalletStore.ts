/** Wallets in PostgreSQL, as their owner sees and fills them. A credit, its ledger line and its audit line are one write. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WalletStore, type LedgerEntry } from "../../actors/company/WalletStore.ts"
import { WalletName, type WalletResource } from "../../schema/company/Company.ts"
import { pageOf } from "./companyRows.ts"
import { lineColumns } from "./PostgresCompanyStore.ts"
import { storeRead, writeFailure } from "../postgres/storeCalls.ts"

interface WalletRow {
  readonly wallet: WalletName
  readonly balance: bigint
  readonly held: bigint
}

interface LedgerRow {
  readonly id: bigint
  readonly amount: bigint
  readonly journey_id: string | null
  readonly note: string
  readonly at: Date
}

const creditStatement = `
with changed as (
  insert into wallets as w (company_id, wallet, balance) values ($1, $6, $7)
  on conflict (company_id, wallet) do update set balance = w.balance + excluded.balance
  returning *
), entry as (
  insert into wallet_ledger (company_id, wallet, amount, note, at)
  select $1::uuid, $6::text, $7::bigint, $8::text, $5::timestamptz from changed
), line as (
  insert into audit (company_id, actor, action, details, at)
  select $1::uuid, $2::text, $3::text, $4::json, $5::timestamptz from changed
)
select * from changed`

// Balances stay far below 2^53: nine billion of the largest credits would be needed to get there.
const walletOf = ({ balance, held, wallet }: WalletRow): WalletResource => ({
  wallet,
  balance: Number(balance),
  held: Number(held)
})

const entryOf = (row: LedgerRow): LedgerEntry => ({
  id: String(row.id),
  amount: Number(row.amount),
  journeyId: row.journey_id,
  note: row.note,
  at: row.at.getTime()
})

export const layer = Layer.effect(
  WalletStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return WalletStore.of({
      wallets: (companyId) =>
        sql<WalletRow>`select wallet, balance, held from wallets where company_id = ${companyId}`.pipe(
          Effect.map((rows) =>
            WalletName.literals.map((wallet) =>
              walletOf(rows.find((row) => row.wallet === wallet) ?? { wallet, balance: 0n, held: 0n })
            )
          ),
          storeRead
        ),
      credit: (companyId, { amount, note, wallet }, line) =>
        sql.unsafe<WalletRow>(creditStatement, [...lineColumns(companyId, line), wallet, BigInt(amount), note]).pipe(
          Effect.flatMap(([row]) =>
            row === undefined ? Effect.die(new Error("a credit wrote no wallet")) : Effect.succeed(walletOf(row))
          ),
          Effect.catch(writeFailure)
        ),
      ledger: (companyId, wallet, page) =>
        pageOf(
          sql,
          {
            from: "from wallet_ledger where company_id = $1 and wallet = $2",
            order: "id desc",
            values: [companyId, wallet]
          },
          page,
          entryOf
        ).pipe(storeRead)
    })
  })
)
