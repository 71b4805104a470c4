/** Columns of type bigint, which the database client reads as a BigInt, and what the program holds instead. */
import { Schema, SchemaTransformation } from "effect"

/** A whole number that stays far below 2^53. */
export const WholeColumn = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: BigInt }))
)

/** The number that the database gave a row: an id, which is text. */
export const SerialColumn = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: String, encode: BigInt }))
)
