/**
 * Refuses to start on a database that was made with another encryption key: the service could read nothing that is sealed
 * in it and would not recognise its customers. The first start leaves a sealed mark, and every later start must be able to
 * open that mark.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Vault } from "../../actors/kernel/Vault.ts"
import { DatabaseError } from "./Database.ts"
import { duringStart } from "./duringStart.ts"
import { column, rowModel } from "./rows.ts"

const place = "encryption_marks|1"
const mark = "journeys"

const MarkRow = rowModel({ sealed: column.bytes })

const foreignKey = new DatabaseError({
  message:
    "ENCRYPTION_KEY is not the key this database was made with: its personal data could not be read; start with the key that was used before"
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    // Of two first starts at once one leaves its mark, and both check that mark.
    yield* sql`insert into encryption_marks (id, sealed) values (1, ${vault.sealSecret(place, mark)}) on conflict do nothing`
    const row = yield* MarkRow.first(sql`select sealed from encryption_marks where id = 1`)
    const opened = row === null ? null : yield* Effect.option(vault.openSecret(place, row.sealed))
    if (opened === null || opened._tag === "None" || opened.value !== mark) return yield* foreignKey
  }).pipe(Effect.catchTag("SqlError", duringStart))
)
