/**
 * The query of a list that is read page by page, and the page it is answered with (decisions R7 and R8). How parameters
 * are judged is in `listQuery.ts`; what a list can be filtered by is the list's own.
 */
import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { firstPage, lastPage } from "../../schema/parameters.ts"
import { readParameters, sizeOf, wholeNumberOf, type Wrong } from "./listQuery.ts"
import type { Problem } from "./problems.ts"

export interface PageQuery {
  readonly page: number
  readonly size: number
}

/** The parameters of a request: `names` are those of this list beside page and size, which `judge` reads. */
export const readQuery = <A>(
  request: HttpServerRequest.HttpServerRequest,
  names: ReadonlyArray<string>,
  judge: (given: URLSearchParams, wrong: Wrong) => A
): Effect.Effect<A & PageQuery, Problem> =>
  readParameters(request, [...names, "page", "size"], (given, wrong) => ({
    ...judge(given, wrong),
    page: wholeNumberOf(given, wrong, "page", { least: firstPage, most: lastPage, otherwise: firstPage }),
    size: sizeOf(given, wrong)
  }))

/** A list that can be paged through and nothing else. */
export const readPageQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<PageQuery, Problem> =>
  readQuery(request, [], () => ({}))

/** `data` of a list's answer. */
export const pageData = <A, B>(
  { page, size }: PageQuery,
  { content, totalElements }: { readonly content: ReadonlyArray<A>; readonly totalElements: number },
  resource: (one: A) => B
) => ({ content: content.map(resource), page, size, totalElements, totalPages: Math.ceil(totalElements / size) })
