/**
 * A place among events as callers hold it. The text is opaque, so that its content can change. It is not secret: it names
 * no company, and the API key decides whose events follow.
 */
import type { EventCursor } from "../../actors/webhook/actor/EventStore.ts"
import { httpLimits } from "../server/limits.ts"

/** A new content of cursors gets a new number, which tells old cursors apart. */
const version = "1"

/** The largest number that PostgreSQL gives a transaction. */
const largestTransaction = 2n ** 64n - 1n

const form = new RegExp(
  `^${version}\\|(0|[1-9]\\d{0,19})\\|([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`
)

export const cursorText = ({ id, tx }: EventCursor): string =>
  Buffer.from(`${version}|${tx}|${id}`, "latin1").toString("base64url")

/** Reads what `cursorText` has written. Any other text gives null. */
export const readCursor = (text: string): EventCursor | null => {
  if (text.length > httpLimits.longestCursor) return null
  const [, tx, id] = form.exec(Buffer.from(text, "base64url").toString("latin1")) ?? []
  if (tx === undefined || id === undefined || BigInt(tx) > largestTransaction) return null
  return cursorText({ tx, id }) === text ? { tx, id } : null
}

/** Whether a place belongs to a later transaction than another place. */
export const isAhead = (place: EventCursor, other: EventCursor): boolean => BigInt(place.tx) > BigInt(other.tx)
