/** Sessions that were ended, a customer's and those of the console, as the journal of what has ended is told of it. */
import type { EndedThing } from "../../../actors/erasure/EndedThing.ts"
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
