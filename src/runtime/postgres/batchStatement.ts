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
  readonly rows: (items: ReadonlyArray<Item>) => BatchRows
}

interface BatchRows {
  readonly isEmpty: boolean
  readonly parameters: () => ReadonlyArray<PgTypes.Parameter>
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
    rows: (items) => {
      const lines = linesOf(items)
      return { isEmpty: lines.length === 0, parameters: () => sources.map((source) => arrayOf(lines, source)) }
    }
  }
}

type Sources<Item, Name extends string> = Readonly<Record<Name, BatchSource<Item>>>
type Texts<Name extends string> = Readonly<Record<Name, string>>

/** What `sql.unsafe` takes for a batch. */
type Sent = readonly [text: string, parameters: ReadonlyArray<PgTypes.Parameter>]

/** A statement with its sources: `write` makes its text, and names each source where its rows belong. */
export const batchStatement = <Item, Name extends string>(
  sources: Sources<Item, Name>,
  write: (texts: Texts<Name>) => string
): ((items: ReadonlyArray<Item>) => Sent) => batchStatementWithRare<Item, Name, never>(sources, {}, write)

/**
 * A statement of which few batches have lines in the `rare` sources. For all others `write` is given null in the place of the rare texts
 * and leaves out the parts that need them: PostgreSQL opens the table and the indexes of each part, whether or not it writes a row.
 */
export const batchStatementWithRare = <Item, Name extends string, Rare extends string>(
  sources: Sources<Item, Name>,
  rare: Sources<Item, Rare>,
  write: (texts: Texts<Name>, rare: Texts<Rare> | null) => string
): ((items: ReadonlyArray<Item>) => Sent) => {
  const texts = textsOf(sources, 1)
  const usual = write(texts.of, null)
  const whole = write(texts.of, textsOf(rare, texts.next).of)
  const [usualSources, rareSources] = [listOf(sources), listOf(rare)]
  return (items) => {
    const rows = usualSources.map((source) => source.rows(items))
    const rareRows = rareSources.map((source) => source.rows(items))
    const isUsual = rareRows.every(({ isEmpty }) => isEmpty)
    const sent = isUsual ? rows : [...rows, ...rareRows]
    return [isUsual ? usual : whole, sent.flatMap(({ parameters }) => parameters())]
  }
}

const listOf = <Item>(sources: Sources<Item, string>): ReadonlyArray<BatchSource<Item>> => Object.values(sources)

/** The texts of sources whose parameters begin with this number, and the number after them. */
const textsOf = <Item, Name extends string>(sources: Sources<Item, Name>, first: number) => {
  const of: Partial<Record<Name, string>> = {}
  let next = first
  for (const name in sources) {
    of[name] = sources[name].text(next)
    next += sources[name].size
  }
  // The loop above has written the text of every source.
  return { of: of as Texts<Name>, next }
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
