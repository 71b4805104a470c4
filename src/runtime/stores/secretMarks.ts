/**
 * The secrets of one table of links or sessions: how one is made, and whether one can be in the table at all. A secret without the
 * installation's mark is refused without a look-up of its own, unless the table still has secrets from before marks. What a secret
 * opens is its store's business.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isMarkedSecret, isSecret, newMarkedSecret } from "../../actors/customer/secrets.ts"
import { customerLimits } from "../../actors/customer/limits.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"

type Table = "sign_in_links" | "customer_sessions" | "console_links" | "console_sessions"

const ThereRow = rowModel({ isThere: column.bool })

export const makeSecretMarks = Effect.fnUntraced(function* (table: Table) {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const statement = `select exists (select from ${table} where not is_marked) as is_there`

  /** All who ask at once get one answer. */
  const hasUnmarked = yield* Effect.cachedWithTTL(
    Effect.map(storeRead(ThereRow.first(sql.unsafe(statement))), (row) => row?.isThere === true),
    customerLimits.unmarkedKnownFor
  )
  return {
    /** A new secret; its row has `is_marked`. */
    next: () => newMarkedSecret(vault),
    /** False: nobody was given this text as a secret. */
    mayBeThere: (text: string) => {
      if (!isSecret(text)) return Effect.succeed(false)
      return isMarkedSecret(text, vault) ? Effect.succeed(true) : hasUnmarked
    }
  }
})
