/**
 * Counts the wallets again, every hour: a balance must be the sum of its ledger, and what is held the sum of what running journeys
 * hold. Every write keeps both, so a wallet that does not agree was changed by hand, by a restored part of a backup or by a fault, and a
 * person has to look. Nothing is mended here. Each node counts for itself: a statement sees one moment of the database, and
 * `journeys_wallets_unbalanced` of a node is never older than an hour.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { WalletName } from "../../schema/company/Wallet.ts"
import { CompanyId } from "../../schema/ids.ts"
import { smallestId } from "../../schema/uuid.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { walletCheckLimits } from "./limits.ts"

const { walletsAtOnce, ...looks } = walletCheckLimits

/** Some wallets after that of a company ($1) with a name ($2), in their order. */
const countedStatement = `
select w.company_id, w.wallet, w.balance, w.held,
  (select coalesce(sum(l.amount), 0)::int8 from wallet_ledger l where l.company_id = w.company_id and l.wallet = w.wallet) as counted,
  coalesce(h.credits, 0)::int8 as promised
from (
  select * from wallets where (company_id, wallet) > ($1::uuid, $2::text) order by company_id, wallet limit ${walletsAtOnce}
) w left join (select company_id, wallet, sum(credits) as credits from wallet_holds group by company_id, wallet) h
  on h.company_id = w.company_id and h.wallet = w.wallet
order by w.company_id, w.wallet`

const CountedRow = rowModel({
  companyId: column.id(CompanyId),
  wallet: column.oneOf(WalletName),
  balance: column.wholeNumber,
  held: column.wholeNumber,
  counted: column.wholeNumber,
  promised: column.wholeNumber
})

const agrees = ({ balance, counted, held, promised }: RowOf<typeof CountedRow>): boolean =>
  balance === counted && held === promised

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const meter = yield* currentMeter
    const status = pollStatusOf("Wallets")

    const countAll = Effect.gen(function* () {
      let unbalanced = 0
      let after = [smallestId, ""]
      while (true) {
        const rows = yield* withStatementTimeout(CountedRow.all(sql.unsafe(countedStatement, after)))
        const wrong = rows.filter((row) => !agrees(row))
        yield* Effect.forEach(wrong, (row) =>
          Effect.logError("A wallet does not agree with its ledger or its holds", row)
        )
        unbalanced += wrong.length
        const last = rows.at(-1)
        if (last === undefined || rows.length < walletsAtOnce) break
        after = [last.companyId, last.wallet]
      }
      meter.set("journeys_wallets_unbalanced", {}, unbalanced)
    })

    yield* startDueWork({
      name: "Wallets",
      ...looks,
      look: () => Effect.succeed(["all"]),
      keyOf: (all) => all,
      run: () => countAll.pipe(Effect.andThen(status.ok), Effect.catchCause(status.failed))
    })
  })
)
