/** How answers are printed: aligned columns for a person, with --json the data itself for a program. */
import { Console, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Print JSON, for programs; npm run -s leaves out the heading of npm")
  )
})

/** A column's title and what stands in it. */
export type Column<A> = readonly [title: string, cell: (entry: A) => unknown]

interface Page<A> {
  readonly content: ReadonlyArray<A>
  readonly page: number
  readonly totalElements: number
  readonly totalPages: number
}

export const printPage = <A>(page: Page<A>, columns: ReadonlyArray<Column<A>>) =>
  print(page, () => {
    const shown = page.content.length === page.totalElements ? [] : [pageLine(page)]
    return page.content.length === 0 && shown.length === 0 ? ["None."] : [...table(page.content, columns), ...shown]
  })

/** A piece of a list that goes on from a cursor, which the next command gives with this flag. */
export const printPiece = <A>(
  piece: { readonly content: ReadonlyArray<A>; readonly next: string | null },
  columns: ReadonlyArray<Column<A>>,
  flag = "cursor"
) =>
  print(piece, () => [
    ...(piece.content.length === 0 ? ["None."] : table(piece.content, columns)),
    ...(piece.next === null ? [] : [`More with --${flag} ${piece.next}`])
  ])

/** One thing, a line a member; `note` follows it, for a person only. */
export const printOne = (thing: Thing, note: ReadonlyArray<string> = []) =>
  print(thing, () => [...members(thing), ...note])

/** One thing with a list in it: its other members, then the list. */
export const printWithList = <A>(
  {
    list,
    thing
  }: { readonly thing: Thing; readonly list: { readonly name: string; readonly entries: ReadonlyArray<A> } },
  columns: ReadonlyArray<Column<A>>
) =>
  print(thing, () => {
    const { [list.name]: _, ...others } = thing
    const shown = list.entries.length === 0 ? [emptyText(list.name)] : table(list.entries, columns)
    return apart(members(others), shown)
  })

/** The name of the list says what there is none of, where it is a word for several things. */
const emptyText = (name: string): string => (name.endsWith("s") ? `No ${name}.` : "None.")

/** Parts with an empty line between them. */
const apart = (...parts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : [""].concat(part)))

const isSection = ([, value]: readonly [string, unknown]) => typeof value === "object" && value !== null

/**
 * One thing whose members are things and lists themselves: a section for each of those, after its plain members. `shown` is
 * the thing as a person reads it, where that is not the thing itself.
 */
export const printSections = (thing: Thing, shown: Thing = thing) =>
  print(thing, () => {
    const entries = Object.entries(shown)
    return apart(
      members(Object.fromEntries(entries.filter((entry) => !isSection(entry)))),
      ...entries.filter(isSection).map(([name, value]) => [name.toUpperCase()].concat(section(value)))
    )
  })

const section = (value: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(value)) return members(value as Thing)
  const things = value as ReadonlyArray<Thing>
  const columns = Object.keys(things[0] ?? {}).map((name): Column<Thing> => [name.toUpperCase(), (one) => one[name]])
  return things.length === 0 ? ["None."] : table(things, columns)
}

type Thing = Readonly<Record<string, unknown>>

const members = (thing: Thing) => aligned(Object.entries(thing).map(([name, value]) => [name, cellText(value)]))

const table = <A>(entries: ReadonlyArray<A>, columns: ReadonlyArray<Column<A>>) =>
  aligned([
    columns.map(([title]) => title),
    ...entries.map((entry) => columns.map(([, cell]) => cellText(cell(entry))))
  ])

/** Characters that steer a terminal, or turn what it shows, and that JSON need not escape: a receiver's answer may hold them. */
const steering = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

const escaped = (characters: string): string =>
  Array.from({ length: characters.length }, (_, at) => {
    const code = characters.charCodeAt(at).toString(16)
    return String.raw`\u${code.padStart("ffff".length, "0")}`
  }).join("")

/** The same data for a program, and nothing but text for the terminal of a person. */
const jsonText = (data: unknown): string => JSON.stringify(data, null, 2).replaceAll(steering, escaped)

const print = (data: unknown, lines: () => ReadonlyArray<string>) =>
  Effect.flatMap(Json, (isJson) => Console.log(isJson ? jsonText(data) : lines().join("\n")))

const pageLine = ({ content, page, totalElements, totalPages }: Page<unknown>): string =>
  `${content.length} of ${totalElements}: page ${page}; the last is ${Math.max(0, totalPages - 1)} (--page)`

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  if (Array.isArray(value)) return value.map(cellText).join(" ")
  return typeof value === "string" ? value : JSON.stringify(value)
}

const columnGap = "  "

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(columnGap)
      .trimEnd()
  )
}
