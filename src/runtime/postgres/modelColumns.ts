/**
 * The rows of a model: decodes them, and makes parameters of the model's values. The model's `row` variant lists the columns
 * and says what each holds. Stores on hot paths list their columns by hand, with `rowModel` and `batchSource`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Schema } from "effect"
import { columnOf } from "../../schema/model.ts"
import { textArray } from "./parameters.ts"
import { column, rowsDecodedBy, type RowModel } from "./rows.ts"

/** The parameters of a statement by the names of their columns. */
export type Columns = Readonly<Record<string, unknown>>

export interface ModelColumns<A> extends RowModel<A> {
  /** What the named fields of the thing are in their columns. */
  readonly of: (thing: Partial<A>) => Columns
}

/** A field needs no services to be read and written. */
type Fields = Readonly<Record<string, Schema.ConstraintCodec<unknown, unknown>>>

export const modelColumns = <F extends Fields>(row: Schema.Struct<F>): ModelColumns<Schema.Struct<F>["Type"]> => {
  const fields = Object.entries(row.fields).map(([field, schema]) => {
    const { isJson, name } = columnOf(field, schema)
    const encode = Schema.encodeUnknownSync(schema)
    return {
      field,
      name,
      decode: column.ofSchema(schema),
      parameter: (value: unknown) => parameterOf(encode(value), isJson)
    }
  })
  const decodeRow = (given: Readonly<Record<string, unknown>>) =>
    // Every field is decoded by its own schema: an object made of entries cannot show it.
    Object.fromEntries(
      fields.map(({ decode, field, name }) => [field, decode(given[name], name)])
    ) as Schema.Struct<F>["Type"]
  return {
    ...rowsDecodedBy(decodeRow),
    of: (thing) => {
      const given = new Map<string, unknown>(Object.entries(thing))
      return Object.fromEntries(
        fields.flatMap(({ field, name, parameter }) => (given.has(field) ? [[name, parameter(given.get(field))]] : []))
      )
    }
  }
}

const parameterOf = (value: unknown, isJson: boolean): unknown => {
  if (value === null) return null
  if (isJson) return PgTypes.json(value)
  return Array.isArray(value) ? textArray(value.map(String)) : value
}

/** `(a, b) values ($6, $7)` for these columns. */
export const insertValues = (columns: Columns, firstParameter: number): string => {
  const names = Object.keys(columns)
  return `(${names.join(", ")}) values (${names.map((_, at) => `$${firstParameter + at}`).join(", ")})`
}

/** `a = $6, b = $7` for these columns. */
export const assignments = (
  columns: Columns,
  firstParameter: number,
  assign: (name: string, parameter: string) => string = (name, parameter) => `${name} = ${parameter}`
): string =>
  Object.keys(columns)
    .map((name, at) => assign(name, `$${firstParameter + at}`))
    .join(", ")
