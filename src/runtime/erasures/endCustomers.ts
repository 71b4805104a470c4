/**
 * Erases again customers who are in a restored backup. A customer who is here again loses the key and every sealed row at once; the
 * erasure's worker then cancels the running journeys and finishes the erasure.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Erasures } from "../../actors/erasure/Erasures.ts"
import { CompanyId } from "../../schema/ids.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { uuidsOf, type Ending } from "./ending.ts"
import { journalActor } from "./journalLine.ts"

const CustomerRow = rowModel({ id: column.text, companyId: column.id(CompanyId) })

/** Customers who are here, or whose erasure the database does not know: their rows may be here without their keys. */
const notErased = `
select t.id::text, t.company_id from unnest($1::uuid[], $2::uuid[]) t (id, company_id)
where exists (select from customers c where c.id = t.id)
  or not exists (select from erasures e where e.company_id = t.company_id and e.customer_id = t.id)`

/** An erasure of which the database says that it is finished, although the customer is here, begins again. */
const againStatement = `
update erasures set erased_at = null, finished_at = null where company_id = $1::uuid and customer_id = $2::uuid`

export const endCustomers: Ending<"CUSTOMER"> = Effect.fnUntraced(function* (lines) {
  const sql = yield* SqlClient.SqlClient
  const erasures = yield* Erasures
  const found = yield* CustomerRow.all(
    sql.unsafe(notErased, [
      uuidsOf(lines, ({ customerId }) => customerId),
      uuidsOf(lines, ({ companyId }) => companyId)
    ])
  )
  let erased = 0
  for (const { companyId, id } of found) {
    const customer = { companyId, customerId: id }
    const at = yield* Clock.currentTimeMillis
    const line = { actor: journalActor, action: "customer.erased", details: { customerReference: id }, at } as const
    // Null: the database never had this customer.
    if ((yield* erasures.begin(customer, line)) === null) continue
    yield* erasures.shred(customer, at)
    yield* sql.unsafe(againStatement, [companyId, id])
    erased += 1
  }
  return erased
})
