/**
 * A place in a list that is ordered by a moment and then by id: where a page ended and the next one begins. Callers hold it
 * as text that is opaque to them, so that its content can change. It is not secret: who may read the list is decided
 * apart from it.
 */
import { textParameter } from "./parameters.ts"
import { listLimits } from "../limits.ts"

export interface PlaceInTime {
  /** Microseconds since 1970, in digits: a moment as exact as the database holds it. */
  readonly micros: string
  readonly id: string
}

/** A new content of cursors gets a new number, which tells old cursors apart. */
const version = "1"

const form = new RegExp(
  `^${version}\\|(0|[1-9]\\d{0,17})\\|([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`
)

export const placeText = ({ id, micros }: PlaceInTime): string =>
  Buffer.from(`${version}|${micros}|${id}`, "latin1").toString("base64url")

/** Reads what `placeText` has written. Any other text gives null. */
export const readPlace = (text: string): PlaceInTime | null => {
  if (text.length > listLimits.longestPlace) return null
  const [, micros, id] = form.exec(Buffer.from(text, "base64url").toString("latin1")) ?? []
  if (micros === undefined || id === undefined) return null
  return placeText({ micros, id }) === text ? { micros, id } : null
}

/** The parameter `after` of such a list. */
export const AfterPlace = textParameter((text) =>
  readPlace(text) === null ? "must be `next` of an earlier answer" : undefined
).annotate({ description: "Only what follows this place: `next` of the answer before, from the same filters" })
