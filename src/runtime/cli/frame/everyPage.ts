/** A whole list that the service answers page by page. */
import { Effect } from "effect"

interface Page<A> {
  readonly content: ReadonlyArray<A>
  readonly totalPages: number
}

/** `read` asks for one page, counted from zero. */
export const everyPage = Effect.fnUntraced(function* <A, E, R>(
  read: (page: number) => Effect.Effect<Page<A>, E, R>
): Effect.fn.Return<ReadonlyArray<A>, E, R> {
  const found: Array<A> = []
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const { content, totalPages } = yield* read(page)
    found.push(...content)
    pages = totalPages
  }
  return found
})
