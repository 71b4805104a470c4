/** Counts the values under each master key in PostgreSQL. The count reads the columns whole, so it is for an operator who asks. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EncryptionStatus } from "../../actors/installation/EncryptionStatus.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"
import { KeyRing, knownKeysOf } from "./keyRing.ts"
import { countsOf, sealedColumns } from "./sealedColumns.ts"

const CountRow = rowModel({ keyId: column.orNull(column.text), held: column.wholeNumber })

export const layer = Layer.effect(
  EncryptionStatus,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { keys, namelessId } = yield* KeyRing

    const counts = Effect.gen(function* () {
      const found = new Map<string, { readonly what: string; readonly keyId: string; readonly values: number }>()
      for (const sealed of sealedColumns) {
        for (const { held, keyId } of yield* storeRead(CountRow.all(sql.unsafe(countsOf(sealed))))) {
          const id = keyId ?? namelessId ?? keys.sealingId
          const name = `${sealed.what} ${id}`
          found.set(name, { what: sealed.what, keyId: id, values: (found.get(name)?.values ?? 0) + held })
        }
      }
      return [...found.values()]
    })

    // A key that is given for the first round of a change is not listed yet: it is the one to come.
    const replaced = Effect.map(
      storeRead(Effect.provideService(knownKeysOf, SqlClient.SqlClient, sql)),
      (known) => new Set(known.slice(0, -1).map(({ id }) => id))
    )

    return EncryptionStatus.of({ sealingId: keys.sealingId, ids: keys.ids, replaced, counts })
  })
)
