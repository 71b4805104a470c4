/** A customer's session that was ended, as the journal of what has ended is told of it. */
import type { EndedThing } from "../../actors/erasure/EndedThing.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"

export const EndedSessionRow = rowModel({ id: column.text, linkHash: column.bytes })
export type EndedSession = RowOf<typeof EndedSessionRow>

export const endedSession = ({ id, linkHash }: EndedSession): EndedThing => ({
  what: "CUSTOMER_SESSION",
  sessionId: id,
  linkHash: Buffer.from(linkHash).toString("hex")
})
