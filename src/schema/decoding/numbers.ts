/** Whole numbers of a request, within bounds. Only JSON numbers are accepted, never text that looks like a number. */
import { Effect, Schema } from "effect"

/** `message` says the whole rule where the field takes something else beside numbers. */
export const wholeNumber = (
  minimum: number,
  maximum: number,
  message = `must be a whole number from ${minimum} to ${maximum}`
) => Schema.Number.check(Schema.isInt({ message }), Schema.isBetween({ minimum, maximum }, { message }))

/** A number that may be left out, and then counts as 0. */
export const orZero = (schema: Schema.Number) =>
  schema.annotate({ default: 0 }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
