/**
 * Refuses to start on a database that was made under another encryption key: nothing sealed in it could be read, and its
 * customers would not be known again. The first start leaves a sealed mark; every later one must be able to open it.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Vault } from "../../actors/kernel/Vault.ts"
import { DatabaseError } from "./Database.ts"
import { duringStart } from "../embedded/duringStart.ts"

const place = "encryption_marks|1"
const mark = "journeys"

const foreignKey = new DatabaseError({
  message:
    "ENCRYPTION_KEY is not the key this database was made with: its personal data could not be read; start with the key that was used before"
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    // Two first starts at once: one mark stays, and both check it.
    yield* sql`insert into encryption_marks (id, sealed) values (1, ${vault.sealSecret(place, mark)}) on conflict do nothing`
    const [row] = yield* sql<{ readonly sealed: Uint8Array }>`select sealed from encryption_marks where id = 1`
    const opened = row === undefined ? null : yield* Effect.option(vault.openSecret(place, row.sealed))
    if (opened === null || opened._tag === "None" || opened.value !== mark) return yield* foreignKey
  }).pipe(Effect.catchTag("SqlError", duringStart))
)
