/** Whether the keys that are given open what the database holds. A start refuses a database that needs another key (`keys/keyRing.ts`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { well, wrong } from "../honesty/Finding.ts"
import { isAnythingUnder, knownKeysOf } from "../keys/keyRing.ts"
import { masterKeyId } from "../node/MasterKeys.ts"

const name = "ENCRYPTION_KEY"

const keyTable = "select from pg_class where oid = to_regclass('encryption_keys')"

/** Also of a database that has no tables yet: the first start makes them. */
export const keyAnswers = Effect.fn("Doctor.keyAnswers")(function* (given: ReadonlyArray<Uint8Array>) {
  const sql = yield* SqlClient.SqlClient
  if ((yield* sql.unsafe(keyTable)).length === 0) return well(name, "nothing is encrypted in this database yet")
  const ids = new Set(given.map(masterKeyId))
  const others = (yield* knownKeysOf).filter(({ id }) => !ids.has(id))
  const needed = yield* sql.withTransaction(Effect.filter(others, isAnythingUnder))
  if (needed.length === 0) return well(name, "the keys that are given open what the database holds")
  const says = `the database has values under a key that is not given: ${needed.map(({ id }) => id).join(", ")}`
  return wrong(name, says, "give the key of before, too, as ENCRYPTION_KEY or among ENCRYPTION_KEYS_RETIRED")
})
