/**
 * Moves every value under a retired master key to the key that seals, in small batches beside the other work. Each batch is one
 * statement that writes only what nobody has changed meanwhile, and a value says itself under which key it stands: after a crash
 * the work goes on with what is left. Of several nodes the leader works, and only with the newest key of the database.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { Leadership } from "../../actors/kernel/Leadership.ts"
import { keyIdIn } from "./sealing.ts"
import { arrayParameter, textArray } from "../postgres/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { KeyRing } from "./keyRing.ts"
import { rewrapLimits } from "./limits.ts"
import { beforeAllIds, pageAfter, replaceIn, sealedColumns, type SealedColumn } from "./sealedColumns.ts"

const newestFirst = "select id from encryption_keys order by sealing_since desc, id"

const KeyRow = rowModel({ id: column.text })
const PageRow = rowModel({ id: column.text, sealed: column.orNull(column.bytes) })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { keys, namelessId } = yield* KeyRing
    /** Columns in which nothing was left, and until when that is believed. */
    const quietUntil = new Map<string, number>()

    const isOld = (sealed: Uint8Array): boolean => (keyIdIn(sealed) ?? namelessId ?? keys.sealingId) !== keys.sealingId

    const resealed = (sealedColumn: SealedColumn, id: string, before: Uint8Array) =>
      keys.reseal(sealedColumn.use, sealedColumn.placeOf(id), before).pipe(
        Effect.map((after) => [{ id, before, after }]),
        // It stays where it is, and so does the report that the key is still needed.
        Effect.catchTag("Unopenable", () =>
          Effect.as(
            Effect.logError("A value cannot be moved to another encryption key", { column: sealedColumn.name, id }),
            []
          )
        )
      )

    /** The last row that was looked at, null after the last of the column; and how many values moved. */
    const movePage = Effect.fnUntraced(function* (sealedColumn: SealedColumn, after: string) {
      const rows = yield* PageRow.all(
        withStatementTimeout(sql.unsafe(pageAfter(sealedColumn), [after, rewrapLimits.rowsAtOnce]))
      )
      const old = rows.flatMap(({ id, sealed }) => (sealed !== null && isOld(sealed) ? [{ id, sealed }] : []))
      const moved = (yield* Effect.forEach(old, ({ id, sealed }) => resealed(sealedColumn, id, sealed))).flat()
      if (moved.length > 0) {
        yield* withStatementTimeout(
          sql.unsafe(replaceIn(sealedColumn), [
            textArray(moved.map(({ id }) => id)),
            arrayParameter(
              moved.map(({ before }) => before),
              "bytea"
            ),
            arrayParameter(
              moved.map(({ after: value }) => value),
              "bytea"
            )
          ])
        )
      }
      return { last: rows.length < rewrapLimits.rowsAtOnce ? null : (rows.at(-1)?.id ?? null), moved: moved.length }
    })

    const moveColumn = Effect.fnUntraced(function* (sealedColumn: SealedColumn, now: number) {
      let total = 0
      let after: string | null = beforeAllIds[sealedColumn.idType]
      while (after !== null) {
        const page: { readonly last: string | null; readonly moved: number } = yield* movePage(sealedColumn, after)
        after = page.last
        total += page.moved
        if (page.moved > 0 && after !== null) yield* Effect.sleep(rewrapLimits.pause)
      }
      if (total === 0) quietUntil.set(sealedColumn.name, now + Duration.toMillis(rewrapLimits.againAfter))
      else yield* Effect.logInfo("Values moved to another encryption key", { column: sealedColumn.name, values: total })
    })

    yield* startDueWork<{ readonly sealedColumn: SealedColumn; readonly now: number }>({
      name: "Values under retired encryption keys",
      ...rewrapLimits,
      leadership: (yield* Leadership).of("keys"),
      look: ({ now }) =>
        Effect.map(withStatementTimeout(KeyRow.all(sql.unsafe(newestFirst))), (known) =>
          known.length < 2 || known[0]?.id !== keys.sealingId
            ? []
            : sealedColumns
                .filter(({ name }) => (quietUntil.get(name) ?? 0) <= now)
                .map((sealedColumn) => ({ sealedColumn, now }))
        ),
      keyOf: ({ sealedColumn }) => sealedColumn.name,
      run: ({ now, sealedColumn }) =>
        Effect.catchCause(moveColumn(sealedColumn, now), (cause) =>
          Effect.logWarning(
            "Values under a retired encryption key are moved later",
            { column: sealedColumn.name },
            cause
          )
        )
    })
  })
)
