/**
 * The query of a list and the page it is answered with (decisions R7 and R8): every parameter known, each at most once,
 * each within its rule, every problem told at once. What a list can be filtered by is the list's own.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { FieldError } from "../schema/errorCatalogue.ts"
import { firstPage, largestPageSize, lastPage, usualPageSize } from "../schema/parameters.ts"
import { problems, type Problem } from "./problems.ts"

export interface PageQuery {
  readonly page: number
  readonly size: number
}

/** Notes a problem of a parameter; stands where its value would. */
export type Wrong = (field: string, message: string) => null

/** Characters of an unknown parameter's name that are repeated in the answer. */
const longestNameShown = 60

/** The parameters of a request: `names` are those of this list beside page and size, which `judge` reads. */
export const readQuery = <A>(
  request: HttpServerRequest.HttpServerRequest,
  names: ReadonlyArray<string>,
  judge: (given: URLSearchParams, wrong: Wrong) => A
): Effect.Effect<A & PageQuery, Problem> => {
  const question = request.url.indexOf("?")
  const given = new URLSearchParams(question === -1 ? "" : request.url.slice(question + 1))
  const known = [...names, "page", "size"]
  const found: Array<FieldError> = []
  const wrong: Wrong = (field, message) => {
    found.push({ field, code: "VALIDATION_FAILED", message })
    return null
  }
  for (const name of new Set(given.keys())) {
    const shown = name.slice(0, longestNameShown)
    if (!known.includes(name)) wrong(shown, `is not a parameter of this list: ${known.join(", ")}`)
    else if (given.getAll(name).length > 1) wrong(shown, "may be given once")
  }
  const whole = (name: "page" | "size", least: number, most: number, otherwise: number) => {
    const text = given.get(name)
    if (text === null) return otherwise
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1
    return value >= least && value <= most ? value : wrong(name, `must be a whole number from ${least} to ${most}`)
  }
  const own = judge(given, wrong)
  const page = whole("page", firstPage, lastPage, firstPage) ?? firstPage
  const size = whole("size", 1, largestPageSize, usualPageSize) ?? usualPageSize
  return found.length > 0 ? Effect.fail(problems(found)) : Effect.succeed({ ...own, page, size })
}

/** A list that can be paged through and nothing else. */
export const readPageQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<PageQuery, Problem> =>
  readQuery(request, [], () => ({}))

/** `data` of a list's answer. */
export const pageData = <A, B>(
  { page, size }: PageQuery,
  { content, totalElements }: { readonly content: ReadonlyArray<A>; readonly totalElements: number },
  resource: (one: A) => B
) => ({ content: content.map(resource), page, size, totalElements, totalPages: Math.ceil(totalElements / size) })
