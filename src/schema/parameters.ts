/**
 * What a request says outside its body: the Idempotency-Key header (§4.1) and the query of a list (§4, R7, R8). Forms
 * only; which of them an operation takes is its endpoint's to say.
 */
import { Schema } from "effect"
import { JourneyStatus } from "./statuses.ts"

/** §4.1, I6. Without the flag the pattern would not get into the OpenAPI document. */
export const idempotencyKeyPattern = /^[A-Za-z0-9._:-]{8,255}$/u

export const IdempotencyKey = Schema.String.check(Schema.isPattern(idempotencyKeyPattern)).annotate({
  description: "8 to 255 letters, digits or . _ : - ; unique per journey",
  examples: ["deal-1001"]
})

/** R7, R8. Page numbers end beyond any list that exists, and small enough to multiply. */
export const firstPage = 0
export const lastPage = 1_000_000_000
export const usualPageSize = 20
export const largestPageSize = 100
/** §4.2 gives externalReference this length; the filter can ask for no more. */
export const longestExternalReference = 100

const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Number.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))

export const PageQuery = Schema.Struct({
  page: Schema.optionalKey(
    wholeNumber(firstPage, lastPage).annotate({
      default: firstPage,
      description: "The page, counted from 0; a page past the end is empty"
    })
  ),
  size: Schema.optionalKey(
    wholeNumber(1, largestPageSize).annotate({ default: usualPageSize, description: "Entries a page" })
  )
})

export const JourneyQuery = Schema.Struct({
  status: Schema.optionalKey(JourneyStatus.annotate({ description: "Only journeys of this status" })),
  externalReference: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(longestExternalReference)).annotate({
      description: "Only journeys started with exactly this externalReference, case included; several may share it"
    })
  ),
  ...PageQuery.fields
})
