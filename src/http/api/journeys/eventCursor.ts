/**
 * A place among events as callers hold it. A place has the number of a transaction of the database, from which anybody could count
 * what the whole installation does; so the text is sealed, for one company in one mode. Places that were given out before, whose
 * text is plain, are still taken. Who may see events is decided by the API key, not by the text.
 */
import { Effect } from "effect"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { EventCursor } from "../../../actors/webhook/actor/EventStore.ts"
import { httpLimits } from "../../server/limits.ts"

/** The largest number that PostgreSQL gives a transaction. */
const largestTransaction = 2n ** 64n - 1n

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
const plainForm = new RegExp(`^1\\|(0|[1-9]\\d{0,19})\\|(${uuid})$`)
const placeForm = new RegExp(`^(\\d{1,20})\\|(${uuid})$`)

/** A new content of cursors gets a new beginning, which tells old cursors apart. */
const sealedForm = /^2_([A-Za-z0-9_-]+)$/

const readPlain = (text: string): EventCursor | null => {
  const plain = Buffer.from(text, "base64url").toString("latin1")
  const [, tx, id] = plainForm.exec(plain) ?? []
  if (tx === undefined || id === undefined || BigInt(tx) > largestTransaction) return null
  return Buffer.from(plain, "latin1").toString("base64url") === text ? { tx, id } : null
}

const sealedFor = ({ companyId, livemode }: Scope): string => `events|${companyId}|${livemode}`

export const cursorText = (scope: Scope, { id, tx }: EventCursor): Effect.Effect<string, never, Vault> =>
  Effect.map(
    Vault,
    (vault) => `2_${Buffer.from(vault.sealSecret(sealedFor(scope), `${tx}|${id}`)).toString("base64url")}`
  )

/** Whether a text can be a cursor at all. */
export const canBeCursor = (text: string): boolean =>
  text.length <= httpLimits.longestCursor && (sealedForm.test(text) || readPlain(text) !== null)

/** Reads what `cursorText` has written for this scope, and the plain texts of before. Any other text gives null. */
export const readCursor = (scope: Scope, text: string): Effect.Effect<EventCursor | null, never, Vault> => {
  const sealed = sealedForm.exec(text)?.[1]
  if (sealed === undefined) return Effect.succeed(readPlain(text))
  const bytes = Buffer.from(sealed, "base64url")
  // The last character may carry bits that no byte has: only the text that was given out is taken.
  if (bytes.toString("base64url") !== sealed) return Effect.succeed(null)
  return Effect.flatMap(Vault, (vault) => vault.openSecret(sealedFor(scope), bytes)).pipe(
    Effect.map((place) => {
      const [, tx, id] = placeForm.exec(place) ?? []
      return tx === undefined || id === undefined ? null : { tx, id }
    }),
    Effect.orElseSucceed(() => null)
  )
}

/** Whether a place belongs to a later transaction than another place. */
export const isAhead = (place: EventCursor, other: EventCursor): boolean => BigInt(place.tx) > BigInt(other.tx)
