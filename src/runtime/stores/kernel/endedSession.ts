/** Sessions that were ended, a customer's and those of the console, as the journal of what has ended is told of it. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { EndedThing } from "../../../actors/erasure/EndedThing.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { knownWrite, unavailableIfUnknown } from "../../postgres/storeCalls.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"

export const EndedSessionRow = rowModel({ id: column.text, linkHash: column.bytes })
export type EndedSession = RowOf<typeof EndedSessionRow>

export const endedSession = ({ id, linkHash }: EndedSession): EndedThing => ({
  what: "CUSTOMER_SESSION",
  sessionId: id,
  linkHash: Buffer.from(linkHash).toString("hex")
})

export const endedConsoleSessions = (ids: ReadonlyArray<string>): ReadonlyArray<EndedThing> =>
  ids.map((sessionId) => ({ what: "CONSOLE_SESSION", sessionId }))

/**
 * Ends a session for whoever holds it. Its line stands in the journal also when nobody knows whether the session has ended: its holder wants
 * it to end, and who asks again finds no session to write down.
 */
export const endedByHolder = (
  ending: Effect.Effect<unknown, SqlError>,
  journaled: Effect.Effect<void, StoreUnavailable>
): Effect.Effect<void, StoreUnavailable> =>
  unavailableIfUnknown(knownWrite(ending)).pipe(
    Effect.exit,
    Effect.flatMap((ended) => Effect.andThen(journaled, ended)),
    Effect.asVoid,
    Effect.uninterruptible
  )
