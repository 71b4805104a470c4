/**
 * A place among events as callers hold it: opaque text, so that what is in it can change. It is no secret: it names
 * no company, and whose events follow it is decided by the key.
 */
import type { EventCursor } from "../../actors/webhook/actor/EventStore.ts"
import { httpLimits } from "../server/limits.ts"

/** Raised when cursors begin to say something else: the old ones are then told apart. */
const version = "1"

/** The largest number PostgreSQL gives a transaction. */
const largestTransaction = 2n ** 64n - 1n

const form = new RegExp(
  `^${version}\\|(0|[1-9]\\d{0,19})\\|([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`
)

export const cursorText = ({ id, tx }: EventCursor): string =>
  Buffer.from(`${version}|${tx}|${id}`, "latin1").toString("base64url")

/** Null for anything but what `cursorText` wrote, to the letter. */
export const readCursor = (text: string): EventCursor | null => {
  if (text.length > httpLimits.longestCursor) return null
  const [, tx, id] = form.exec(Buffer.from(text, "base64url").toString("latin1")) ?? []
  if (tx === undefined || id === undefined || BigInt(tx) > largestTransaction) return null
  return cursorText({ tx, id }) === text ? { tx, id } : null
}

/** Whether a place is of a later transaction than another one. */
export const isAhead = (place: EventCursor, other: EventCursor): boolean => BigInt(place.tx) > BigInt(other.tx)
