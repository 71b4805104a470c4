/**
 * The query of a list, read by its schema (decisions R7 and R8): every parameter known, each at most once, each within
 * its rule, every problem told at once. A parameter is text on the wire, so numbers are read from their digits before
 * the schema judges them. A request with a body has no query.
 */
import { Effect, Result, Schema, SchemaAST } from "effect"
import { invalid, strictly } from "../../../schema/decoding/bodyDecoder.ts"
import { memberPath, quoteName } from "../../../schema/decoding/quoteName.ts"
import { firstPage, inForm, usualPageSize } from "../../../schema/decoding/parameters.ts"
import type { PageOf } from "../../../schema/page.ts"
import type { FieldError } from "../../../schema/problems.ts"
import { problemsOf } from "../../../schema/decoding/bodyProblems.ts"
import { orProblems, type Problem } from "../answers/problems.ts"

type ReadText = (text: string) => unknown

interface Reader {
  readonly read: ReadText
  /** The parameter may be given several times, once for each entry of its list. */
  readonly isList: boolean
}

/** Longer digits are beyond every limit; anything but digits is no number. */
const wholeNumber: ReadText = (text) => (/^\d{1,10}$/.test(text) ? Number(text) : -1)

const readerOf = (ast: SchemaAST.AST): Reader =>
  ast._tag === "Arrays"
    ? { read: (text) => text, isList: true }
    : { read: ast._tag === "Number" ? wholeNumber : inForm(Schema.make(ast)), isList: false }

/** A problem of a parameter, or of one entry of its list, such as `type[1]`. */
const placeForm = /^(.*?)(?:\[(\d+)\])?$/

/** What was sent stands in the address of the request already, so the answer may say it. */
const withValue = (given: URLSearchParams, place: string, rule: string): FieldError => {
  const [, name = place, entry = "0"] = placeForm.exec(place) ?? []
  const sent = given.getAll(name)[Number(entry)]
  const value = sent === undefined ? "" : `; it is "${quoteName(sent)}"`
  return invalid(name, `${rule}${value}`)
}

/** Reads the query of a URL. */
export type DecodeQuery = (url: string) => Result.Result<unknown, ReadonlyArray<FieldError>>

export const queryDecoder = (schema: Schema.Top): DecodeQuery => {
  const ast = SchemaAST.toType(schema.ast)
  const members = ast._tag === "Objects" ? ast.propertySignatures : []
  const readers = new Map(members.map(({ name, type }) => [String(name), readerOf(type)]))
  const names = [...readers.keys()].join(", ")
  const decode = Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), strictly)
  const nothing: Result.Result<unknown> = Result.succeed({})

  return (url) => {
    const question = url.indexOf("?")
    if (question === -1) return nothing
    // URLSearchParams would leave out a question mark at the beginning, which belongs to the first name.
    const given = new URLSearchParams(`&${url.slice(question + 1)}`)
    const found: Array<FieldError> = []
    const values: Record<string, unknown> = {}
    for (const name of new Set(given.keys())) {
      const shown = memberPath("", name)
      const all = given.getAll(name)
      const [first = ""] = all
      const reader = readers.get(name)
      if (reader === undefined) found.push(invalid(shown, unknownRule(names)))
      else {
        if (all.length > 1 && !reader.isList) found.push(invalid(shown, "may be given once"))
        values[name] = reader.isList ? all.map(reader.read) : reader.read(first)
      }
    }
    const decoded = decode(values)
    if (Result.isFailure(decoded)) {
      found.push(...problemsOf(decoded.failure.issue).map(({ field, rule }) => withValue(given, field, rule)))
    }
    return found.length > 0 || Result.isFailure(decoded) ? Result.fail(found) : Result.succeed(decoded.success)
  }
}

const unknownRule = (names: string): string =>
  names === "" ? "is not a parameter of this request" : `is not a parameter of this list, which takes ${names}`

const takesNone = queryDecoder(Schema.Struct({}))

/** Refuses each parameter of a request that says everything in its body: `?dryRun=true` must not start a journey. */
export const refuseParameters = (url: string): Effect.Effect<void, Problem> =>
  url.includes("?") ? Effect.asVoid(orProblems(takesNone(url))) : Effect.void

/** The page that a query asks for. */
export const pageAsked = ({
  page = firstPage,
  size = usualPageSize
}: {
  readonly page?: number
  readonly size?: number
}) => ({
  page,
  size
})

/** The piece that a query asks for. */
export const pieceAsked = <Cursor extends string>({
  cursor,
  size = usualPageSize
}: {
  readonly cursor?: Cursor
  readonly size?: number
}) => ({ after: cursor ?? null, size })

/** `data` of a list that is read page by page. */
export const pageOf = <A, B>(
  { page, size }: { readonly page: number; readonly size: number },
  { content, ...total }: PageOf<A>,
  resource: (one: A) => B
) => ({ content: content.map(resource), page, size, ...total, totalPages: Math.ceil(total.totalElements / size) })
