/**
 * The text and the parameters of a statement that handles many items at once (group commit). Each source of rows lists
 * its columns once: the list makes both the `unnest(...)` of the text and the arrays that are sent. What the statement
 * does with the rows is written by hand in its store.
 */
import type { PgTypes } from "@effect/sql-pg"
import { arrayParameter, dateOrNull } from "./parameters.ts"
import { columnName } from "./rows.ts"

/** What a column of each SQL type is filled with. A `timestamptz` comes from milliseconds since 1970. */
interface SqlValues {
  readonly uuid: string
  readonly text: string
  readonly bool: boolean
  readonly int4: number
  readonly int8: number
  readonly timestamptz: number
  readonly bytea: Uint8Array
  readonly json: unknown
}

type SqlType = keyof SqlValues

type ColumnSource<Line> = {
  readonly [Type in SqlType]: readonly [type: Type, of: (line: Line) => SqlValues[Type] | null]
}[SqlType]

/** The columns of a source. Each field's name gives its column's name. */
export type BatchColumns<Line> = Readonly<Record<string, ColumnSource<Line>>>

/** The rows that a statement unnests, made of the items that it handles. */
export interface BatchSource<Item> {
  /** `select * from unnest(...) as t (...)`, with the parameters from this number on. */
  readonly text: (firstParameter: number) => string
  /** How many parameters the text has. */
  readonly size: number
  readonly parameters: (items: ReadonlyArray<Item>) => ReadonlyArray<PgTypes.Parameter>
}

/** One row for each line of an item; an item may have any number of lines. */
export const batchSource = <Item, Line>(
  linesOf: (items: ReadonlyArray<Item>) => ReadonlyArray<Line>,
  columns: BatchColumns<Line>
): BatchSource<Item> => {
  const names = Object.keys(columns).map(columnName)
  const sources = Object.values(columns)
  return {
    text: (first) => {
      const arrays = sources.map(([type], at) => `$${first + at}::${type}[]`)
      return `select * from unnest(${arrays.join(", ")}) as t (${names.join(", ")})`
    },
    size: sources.length,
    parameters: (items) => {
      const lines = linesOf(items)
      return sources.map((source) => arrayOf(lines, source))
    }
  }
}

/** A statement with its sources: the text names each source where its rows belong. */
export const batchStatement = <Item, Name extends string>(
  sources: Readonly<Record<Name, BatchSource<Item>>>,
  write: (texts: Readonly<Record<Name, string>>) => string
) => {
  const texts: Partial<Record<Name, string>> = {}
  const ordered: Array<BatchSource<Item>> = []
  let next = 1
  for (const name in sources) {
    texts[name] = sources[name].text(next)
    next += sources[name].size
    ordered.push(sources[name])
  }
  return {
    // The loop above has written the text of every source.
    text: write(texts as Record<Name, string>),
    parameters: (items: ReadonlyArray<Item>): ReadonlyArray<unknown> =>
      ordered.flatMap((source) => source.parameters(items))
  }
}

/** The lines of a source whose rows are the items themselves. */
export const eachItem = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<Item> => items

const arrayOf = <Line>(lines: ReadonlyArray<Line>, [type, of]: ColumnSource<Line>): PgTypes.Parameter => {
  switch (type) {
    case "timestamptz":
      return arrayParameter(
        lines.map((line) => dateOrNull(of(line))),
        type
      )
    case "int8":
      return arrayParameter(
        lines.map((line) => bigintOrNull(of(line))),
        type
      )
    default:
      return arrayParameter(lines.map(of), type)
  }
}

const bigintOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value))
