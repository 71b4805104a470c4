/**
 * A list of the console as a file for a spreadsheet (RFC 4180). Its columns are the members that the operation answers, with their
 * names in the documents of the API: a member that a list gets later is in the file as well. A text that a spreadsheet would take for a
 * formula, perhaps of somebody who means harm, has an apostrophe before it. Where a comma stands in numbers, spreadsheets divide lines at
 * semicolons, and quotes inside such a part keep nothing together: a part that begins like a formula has an apostrophe, too, also behind
 * quotes at its beginning, which the program takes away.
 */
import { Effect } from "effect"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { problem } from "../../server/answers/problems.ts"
import type { HttpServerResponse } from "effect/http"
import { orShownAgain, type ConsoleFormState } from "./forms.ts"
import { consoleLimits } from "./limits.ts"
import { savedFile } from "./savedFile.ts"

type Line = Readonly<Record<string, unknown>>

const { mostFileLines } = consoleLimits

/** The piece of a list at a place; the beginning has none. */
type PieceAt<A, E, R> = (place: {
  readonly cursor: string | undefined
  readonly size: number
}) => Effect.Effect<{ readonly content: ReadonlyArray<A>; readonly next: string | null }, E, R>

/** What to do where a list has more lines than a file takes, and beside which field of its filters that is said. */
interface TooMany {
  readonly field: string
  readonly advice: string
}

/** All lines of a list, in its order. */
const everyLine = Effect.fnUntraced(function* <A, E, R>(pieceAt: PieceAt<A, E, R>, { advice, field }: TooMany) {
  const lines: Array<A> = []
  let cursor: string | undefined
  do {
    const { content, next } = yield* pieceAt({ cursor, size: largestPageSize })
    lines.push(...content)
    cursor = next ?? undefined
  } while (cursor !== undefined && lines.length <= mostFileLines)
  if (lines.length <= mostFileLines) return lines
  const most = mostFileLines.toLocaleString("en-GB")
  return yield* problem("VALIDATION_FAILED", field, `${field} must leave at most ${most} lines for a file: ${advice}`)
})

const beginsFormula = /^(?=[=+\-@\t\r＝＋－＠])|(?<=[;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const harmless = text.replaceAll(beginsFormula, "'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const endOfLine = "\r\n"
/** A spreadsheet reads the file as UTF-8 because of this mark at its beginning. */
const utf8Mark = "\uFEFF"

/** `columns`: the members of a line, in the order of the file. */
export const csvOf = (columns: ReadonlyArray<string>, lines: ReadonlyArray<Line>): string =>
  [columns, ...lines.map((line) => columns.map((column) => line[column]))]
    .map((cells) => cells.map(cellOf).join(",") + endOfLine)
    .join("")

/** The name of a file: words of ours and days, of which those that are not given are left out. It needs no quoting. */
export const fileName = (parts: ReadonlyArray<string>): string =>
  parts
    .map((part) => part.replaceAll(/[^\w-]+/g, "-"))
    .filter((part) => part !== "")
    .join("-")

interface SavedList<A, E, R> {
  /** What the name of the file is made of. */
  readonly name: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  /** The filters of the list, by the names of their fields. */
  readonly filters: Readonly<Record<string, string>>
  readonly tooMany: TooMany
  readonly pieceAt: PieceAt<A, E, R>
}

/** The list as a file; where its filters are refused, the page of the list says so. */
export const csvFile = Effect.fnUntraced(function* <A extends Line, E, R, F, S>(
  { columns, filters, name, pieceAt, tooMany }: SavedList<A, E, R>,
  shownAgain: (state: ConsoleFormState) => Effect.Effect<HttpServerResponse.HttpServerResponse, F, S>
) {
  const lines = yield* orShownAgain(everyLine(pieceAt, tooMany), new URLSearchParams(filters))
  if ("state" in lines) return yield* shownAgain(lines.state)
  return savedFile(`${fileName(name)}.csv`, "text/csv; charset=utf-8; header=present", utf8Mark + csvOf(columns, lines))
})
