/**
 * Keeps the key with which this node seals in the database's list of keys, for as long as the node runs. A node that was left out of a
 * change of keys goes on sealing with the old key, and nodes that start without that key forget it when nothing stands under it. What
 * the node seals afterwards would be lost unnoticed: no later start would ask for its key. While the list has several keys, the node
 * also writes down that its key is in use: an idle node leaves no value under its key that would show it. The list is made in
 * `keyRing.ts`.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { column, rowModel } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { KeyRing } from "./keyRing.ts"
import { stillSealingLimits } from "./limits.ts"

/** The key was the older one: values go on moving to the newest. Nothing is written while the key stands alone in the list. */
const statement = `
with again as (
  insert into encryption_keys (id, is_nameless, sealing_since)
  select $1, $2, min(sealing_since) - interval '1 second' from encryption_keys having count(*) > 0
  on conflict (id) do nothing returning id
), said as (
  update encryption_keys set said_at = now()
  where id = $1 and said_at < now() - interval '${Duration.toSeconds(stillSealingLimits.writtenEvery)} seconds'
    and (select count(*) from encryption_keys) > 1
)
select exists (select from again) as is_again`

const AgainRow = rowModel({ isAgain: column.bool })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { keys, namelessId } = yield* KeyRing
    const said = Effect.gen(function* () {
      const row = yield* AgainRow.first(sql.unsafe(statement, [keys.sealingId, keys.sealingId === namelessId]))
      if (row?.isAgain !== true) return
      yield* Effect.logError(
        "Another node has started without the encryption key with which this node seals: give this node the new ENCRYPTION_KEY, and keep the old key until then",
        { keyId: keys.sealingId }
      )
    })
    // The start itself has put the key into the list.
    yield* Effect.sleep(stillSealingLimits.saidEvery).pipe(
      Effect.andThen(Effect.ignore(withStatementTimeout(said))),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
