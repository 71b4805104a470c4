/**
 * The query of any list, read once for all of them (decisions R7 and R8): every parameter known, each at most once, each
 * within its rule, every problem told at once. Which parameters a list has, and how it goes on, is the list's own.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { FieldError } from "../../schema/problems.ts"
import { largestPageSize, usualPageSize } from "../../schema/parameters.ts"
import { problems, type Problem } from "./problems.ts"

/** Notes a problem of a parameter; stands where its value would. */
export type Wrong = (field: string, message: string) => null

/** Characters of an unknown parameter's name that are repeated in the answer. */
const longestNameShown = 60

/** The parameters of a request: `names` are all that this list has, `judge` reads them. */
export const readParameters = <A>(
  request: HttpServerRequest.HttpServerRequest,
  names: ReadonlyArray<string>,
  judge: (given: URLSearchParams, wrong: Wrong) => A
): Effect.Effect<A, Problem> => {
  const question = request.url.indexOf("?")
  const given = new URLSearchParams(question === -1 ? "" : request.url.slice(question + 1))
  const found: Array<FieldError> = []
  const wrong: Wrong = (field, message) => {
    found.push({ field, code: "VALIDATION_FAILED", message })
    return null
  }
  for (const name of new Set(given.keys())) {
    const shown = name.slice(0, longestNameShown)
    if (!names.includes(name)) wrong(shown, `is not a parameter of this list: ${names.join(", ")}`)
    else if (given.getAll(name).length > 1) wrong(shown, "may be given once")
  }
  const judged = judge(given, wrong)
  return found.length > 0 ? Effect.fail(problems(found)) : Effect.succeed(judged)
}

/** A whole number within limits; `otherwise` when it is not given or wrong. */
export const wholeNumberOf = (
  given: URLSearchParams,
  wrong: Wrong,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number }
): number => {
  const text = given.get(name)
  if (text === null) return otherwise
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1
  if (value >= least && value <= most) return value
  wrong(name, `must be a whole number from ${least} to ${most}`)
  return otherwise
}

export const sizeOf = (given: URLSearchParams, wrong: Wrong): number =>
  wholeNumberOf(given, wrong, "size", { least: 1, most: largestPageSize, otherwise: usualPageSize })
