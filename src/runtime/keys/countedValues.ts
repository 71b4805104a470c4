/** Counts the values under each master key in PostgreSQL. The count reads the columns whole, so it is for an operator who asks. */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EncryptionStatus } from "../../actors/installation/EncryptionStatus.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"
import { KeyRing, knownKeysOf } from "./keyRing.ts"
import { stillSealingLimits } from "./limits.ts"
import { countsOf, sealedColumns } from "./sealedColumns.ts"

const CountRow = rowModel({ keyId: column.orNull(column.text), held: column.wholeNumber })

const IdRow = rowModel({ id: column.text })

const inUseFor = `interval '${Duration.toSeconds(stillSealingLimits.inUseFor)} seconds'`

/** Keys with which a running node seals. Right after a change it may be every key: nodes that seal with another have not said so yet. */
const inUseStatement = `
select id from encryption_keys
where said_at > now() - ${inUseFor} or (select max(sealing_since) from encryption_keys) > now() - ${inUseFor}`

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
      const passedOver = yield* storeRead(IdRow.all(sql.unsafe(passedOverStatement)))
      const inUse = new Set((yield* storeRead(IdRow.all(sql.unsafe(inUseStatement)))).map(({ id }) => id))
      const before = known.slice(0, -1).filter(({ id }) => !inUse.has(id))
      return {
        sealed: new Set(known.map(({ id }) => id)),
        replaced: new Set([...before, ...passedOver].map(({ id }) => id))
      }
    })

    return EncryptionStatus.of({ sealingId: keys.sealingId, ids: keys.ids, uses, counts })
  })
)
