/** Counts the values under each master key in PostgreSQL. The count reads the columns whole, so it is for an operator who asks. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EncryptionStatus } from "../../actors/installation/EncryptionStatus.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"
import { KeyRing, knownKeysOf } from "./keyRing.ts"
import { countsOf, sealedColumns } from "./sealedColumns.ts"

const CountRow = rowModel({ keyId: column.orNull(column.text), held: column.wholeNumber })

const PassedRow = rowModel({ id: column.text })

/** A key that is given for the first round of a change is the one to come, until another has begun to seal since. */
const passedOverStatement = `
select c.id from encryption_keys_to_come c
where c.given_since < (select max(k.sealing_since) from encryption_keys k)
  and not exists (select from encryption_keys k where k.id = c.id)`

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

    const uses = Effect.gen(function* () {
      const known = yield* storeRead(Effect.provideService(knownKeysOf, SqlClient.SqlClient, sql))
      const passedOver = yield* storeRead(PassedRow.all(sql.unsafe(passedOverStatement)))
      return {
        sealed: new Set(known.map(({ id }) => id)),
        replaced: new Set([...known.slice(0, -1), ...passedOver].map(({ id }) => id))
      }
    })

    return EncryptionStatus.of({ sealingId: keys.sealingId, ids: keys.ids, uses, counts })
  })
)
