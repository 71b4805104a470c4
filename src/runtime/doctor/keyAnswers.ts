/**
 * Whether the keys that are given open what the database holds. A start refuses a database that needs another key (`keys/keyRing.ts`),
 * after its migrations. The database of an older version lacks columns that those make: nobody knows yet what will stand in them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { advice, well, wrong } from "../honesty/Finding.ts"
import { isAnythingUnder, knownKeysOf, markOf, openerOfMark } from "../keys/keyRing.ts"
import { columnsThere, sealedColumns } from "../keys/sealedColumns.ts"
import { masterKeyId } from "../keys/MasterKeys.ts"
import { textArray } from "../postgres/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"

const name = "ENCRYPTION_KEY"

const ThereRow = rowModel({ isThere: column.bool })
const ColumnRow = rowModel({ name: column.text })

const nothingYet = well(name, "nothing is encrypted in this database yet")
const allOpen = well(name, "the keys that are given open what the database holds")

const missing = (says: string) =>
  wrong(name, says, "give the key of before, too, as ENCRYPTION_KEY or among ENCRYPTION_KEYS_RETIRED")

const isTableThere = Effect.fnUntraced(function* (table: "encryption_keys" | "encryption_marks") {
  const sql = yield* SqlClient.SqlClient
  const row = yield* ThereRow.first(sql`select to_regclass(${table}) is not null as is_there`)
  return row?.isThere === true
})

/** A database from before keys had ids has one key. */
const answerByMark = Effect.fnUntraced(function* (given: ReadonlyArray<Uint8Array>) {
  if ((yield* markOf) === null) return nothingYet
  if ((yield* openerOfMark(given)) !== null) return allOpen
  return missing("the database was made with a key that is not given")
})

const columnsHere = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* ColumnRow.all(sql.unsafe(columnsThere, [textArray(sealedColumns.map((one) => one.name))]))
  return sealedColumns.filter((sealed) => rows.some((row) => row.name === sealed.name))
})

const namesOf = (things: ReadonlyArray<string>): string => things.join(", ")

/** Also of a database that has no tables yet: the first start makes them. */
export const keyAnswers = Effect.fn("Doctor.keyAnswers")(function* (given: ReadonlyArray<Uint8Array>) {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* isTableThere("encryption_marks"))) return nothingYet
  const known = (yield* isTableThere("encryption_keys")) ? yield* knownKeysOf : []
  if (known.length === 0) return yield* answerByMark(given)
  const ids = new Set(given.map(masterKeyId))
  const others = known.filter(({ id }) => !ids.has(id))
  const here = yield* columnsHere
  const needed = yield* sql.withTransaction(Effect.filter(others, (key) => isAnythingUnder(key, here)))
  if (needed.length > 0) {
    return missing(`the database has values under a key that is not given: ${namesOf(needed.map(({ id }) => id))}`)
  }
  const toCome = sealedColumns.filter((sealed) => !here.includes(sealed))
  if (others.length === 0 || toCome.length === 0) return allOpen
  const keyIds = namesOf(others.map(({ id }) => id))
  const columns = namesOf(toCome.map((sealed) => sealed.name))
  return advice(
    name,
    `nothing that the database has now stands under a key that is not given (${keyIds}); the next start makes ${columns}, of which nothing can be known before`,
    "give the key of before among ENCRYPTION_KEYS_RETIRED until the upgrade is done, or look again after it"
  )
})
