/**
 * A moment as the program holds it (epoch milliseconds), as a database column holds it (`timestamptz`) and as JSON shows
 * it (RFC 3339 in UTC). Timestamps that callers send are in `decoding/dates.ts`.
 */
import { Schema, SchemaTransformation } from "effect"
import { ModelField, withExample } from "./model.ts"

export const timestamp = (millis: number): string => new Date(millis).toISOString()

export const timestampOrNull = (millis: number | null): string | null => (millis === null ? null : timestamp(millis))

export const MomentColumn = Schema.Date.pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({ decode: (date) => date.getTime(), encode: (millis) => new Date(millis) })
  )
)

export const MomentJson = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({ decode: (text) => Date.parse(text), encode: timestamp })
  )
)

/** A moment that no body names. */
export const momentField = (example: string) =>
  ModelField({ row: MomentColumn, shown: MomentJson, resource: withExample(Schema.String, example) })
