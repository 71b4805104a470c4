/**
 * Lists that are ordered by a moment and then by id, as statements. A moment is compared to the microsecond, because that is
 * how exact the database holds it; epoch milliseconds would skip and repeat rows.
 */
import type { PlaceInTime } from "../../schema/decoding/place.ts"
import { column } from "./rows.ts"
import { smallestId } from "../../schema/uuid.ts"

/** The moment of a column in microseconds since 1970. */
export const microsOf = (moment: string): string => `(extract(epoch from ${moment}) * 1000000)::int8 as micros`

/** The moment of microseconds since 1970. */
export const momentOf = (micros: string): string => `(timestamptz 'epoch' + ${micros}::int8 * interval '1 microsecond')`

/** The column that `microsOf` names. */
export const microsColumn = { micros: column.digits }

const beforeAll: PlaceInTime = { micros: "0", id: smallestId }

/** The two parameters of a place: rows behind it follow. Everything is behind no place. */
export const placeParameters = (after: PlaceInTime | null): readonly [micros: bigint, id: string] => {
  const { id, micros } = after ?? beforeAll
  return [BigInt(micros), id]
}
