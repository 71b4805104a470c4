/**
 * Decodes the rows of a SQL result. A row model lists the columns of a statement; a value of another type than its column
 * promises is a defect that names the column, never the value. What the columns mean is the store's to say.
 *
 * The decoders are plain functions, because stores decode on hot paths: a row of twelve columns costs 0.3 microseconds
 * here, and 3.7 with the `SqlSchema` of Effect (2 with its compiler). A column that holds a structure takes a Schema.
 */
import { Effect, Schema } from "effect"
import type { Row } from "effect/sql/SqlConnection"

/** Turns the value that the database client gives for a column into the value of the model. */
export type ColumnDecoder<A> = (value: unknown, name: string) => A

type Columns = Readonly<Record<string, ColumnDecoder<unknown>>>

type DecodedRow<C extends Columns> = { readonly [Field in keyof C]: ReturnType<C[Field]> }

/** A result does not have the columns that its statement promises. The message holds no value of the row. */
export class UnexpectedColumn extends Error {
  constructor(name: string, expected: string, value: unknown) {
    super(`column ${name}: expected ${expected}, found ${nameOfType(value)}`)
  }
}

const nameOfType = (value: unknown): string => {
  if (value === null) return "null"
  return typeof value === "object" ? value.constructor.name : typeof value
}

const text: ColumnDecoder<string> = (value, name) => {
  if (typeof value !== "string") throw new UnexpectedColumn(name, "text", value)
  return value
}

/** An id that has a type of its own (`src/schema/ids.ts`). */
const id =
  <Id extends string>(_type: { readonly Type: Id }): ColumnDecoder<Id> =>
  (value, name) =>
    // A brand adds no rule: any text of the column is an id of its type.
    text(value, name) as Id

const bool: ColumnDecoder<boolean> = (value, name) => {
  if (typeof value !== "boolean") throw new UnexpectedColumn(name, "a boolean", value)
  return value
}

const number: ColumnDecoder<number> = (value, name) => {
  if (typeof value !== "number") throw new UnexpectedColumn(name, "a number", value)
  return value
}

/** An `int8`, which the client gives as a bigint. */
const wholeNumber: ColumnDecoder<number> = (value, name) => {
  const exact = Number(value)
  if (typeof value !== "bigint" || !Number.isSafeInteger(exact)) {
    throw new UnexpectedColumn(name, "an int8 of at most 2^53", value)
  }
  return exact
}

/** An `int8` that is an id: the model holds its digits. */
const digits: ColumnDecoder<string> = (value, name) => {
  if (typeof value !== "bigint") throw new UnexpectedColumn(name, "an int8", value)
  return value.toString()
}

/** A `timestamptz`: the model holds milliseconds since 1970. */
const millis: ColumnDecoder<number> = (value, name) => {
  if (!(value instanceof Date)) throw new UnexpectedColumn(name, "a timestamp", value)
  return value.getTime()
}

const bytes: ColumnDecoder<Uint8Array> = (value, name) => {
  if (!(value instanceof Uint8Array)) throw new UnexpectedColumn(name, "bytes", value)
  return value
}

/** A `json` column whose content its reader decodes. A column that the result lacks is refused here as well. */
const json: ColumnDecoder<unknown> = (value, name) => {
  if (value === undefined) throw new UnexpectedColumn(name, "json", value)
  return value
}

/** A `json` column that holds an object; its members are for its reader to decode. */
const members: ColumnDecoder<Readonly<Record<string, unknown>>> = (value, name) => {
  if (!isRecord(value)) throw new UnexpectedColumn(name, "a json object", value)
  return value
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** One word of a vocabulary. */
const oneOf = <const Word extends string>(vocabulary: {
  readonly literals: ReadonlyArray<Word>
}): ColumnDecoder<Word> => {
  const words = new Map<unknown, Word>(vocabulary.literals.map((word) => [word, word]))
  return (value, name) => {
    const word = words.get(value)
    if (word === undefined) throw new UnexpectedColumn(name, "a word of its vocabulary", value)
    return word
  }
}

const listOf =
  <A>(entry: ColumnDecoder<A>): ColumnDecoder<ReadonlyArray<A>> =>
  (value, name) => {
    if (!Array.isArray(value)) throw new UnexpectedColumn(name, "a list", value)
    return value.map((one) => entry(one, name))
  }

const orNull =
  <A>(decode: ColumnDecoder<A>): ColumnDecoder<A | null> =>
  (value, name) =>
    value === null ? null : decode(value, name)

/** A structure that a Schema describes. The Schema's report could repeat the value, so only the column is named. */
const ofSchema = <A>(schema: Schema.ConstraintDecoder<A>): ColumnDecoder<A> => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value, name) => {
    const decoded = decode(value)
    if (decoded._tag === "None") throw new UnexpectedColumn(name, "the structure of its schema", value)
    return decoded.value
  }
}

/** The decoders of columns. */
export const column = {
  text,
  id,
  bool,
  number,
  wholeNumber,
  digits,
  millis,
  bytes,
  json,
  members,
  oneOf,
  listOf,
  orNull,
  ofSchema
}

/** The name of a field's column: `createdAt` is `created_at`. */
export const columnName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Decodes the rows of a statement. */
export interface RowModel<A> {
  readonly decodeRow: (row: Row) => A
  /** Every row of a statement. */
  readonly all: <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) => Effect.Effect<ReadonlyArray<A>, E, R>
  /** The first row of a statement, or null when the statement has no row. */
  readonly first: <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) => Effect.Effect<A | null, E, R>
}

/** What a row model decodes to. */
export type RowOf<Model extends RowModel<unknown>> = ReturnType<Model["decodeRow"]>

/** Makes the decoder of rows that have these columns. Each field's name gives the name of its column. */
export const rowModel = <const C extends Columns>(columns: C): RowModel<DecodedRow<C>> & { readonly columns: C } => {
  const fields = Object.entries(columns).map(([field, decode]) => ({ field, name: columnName(field), decode }))

  const decodeRow = (row: Row): DecodedRow<C> => {
    const decoded: Record<string, unknown> = {}
    for (const { decode, field, name } of fields) decoded[field] = decode(row[name], name)
    // The loop above has filled in every field of `columns`, each by its own decoder.
    return decoded as DecodedRow<C>
  }

  return { columns, ...rowsDecodedBy(decodeRow) }
}

/** Makes the decoder of rows that need more than one value a column, such as those of an outer join. */
export const rowsDecodedBy = <A>(decodeRow: (row: Row) => A): RowModel<A> => ({
  decodeRow,
  all: (statement) => Effect.map(statement, (rows) => rows.map(decodeRow)),
  first: (statement) => Effect.map(statement, ([row]) => (row === undefined ? null : decodeRow(row)))
})
