/** Lists of the settings API that go on from a place: their query, and the piece that answers it. */
import { AfterPlace, placeText, readPlace, type PlaceInTime } from "../../../schema/decoding/place.ts"
import { pieceOf } from "../../../schema/page.ts"
import { PageQuery, usualPageSize } from "../../../schema/decoding/parameters.ts"
import { Schema } from "effect"

export const placeQuery = { after: Schema.optionalKey(AfterPlace), size: PageQuery.fields.size }

/** Where the list goes on, and how many entries are asked for. One more is read, which tells whether any follow. */
export const placeAsked = ({ after, size = usualPageSize }: { readonly after?: string; readonly size?: number }) => ({
  after: after === undefined ? null : readPlace(after),
  size,
  read: size + 1
})

/** `data` of the list. */
export const placedPiece = <A extends { readonly place: PlaceInTime }, B>(
  found: ReadonlyArray<A>,
  size: number,
  resource: (one: A) => B
) => {
  const { content, next } = pieceOf(found, size, ({ place }) => placeText(place))
  return { content: content.map(resource), next }
}
