/** The erasure of a customer as the operator sees it. What it says is no personal data, and it stays. */
import { Schema } from "effect"

export const ErasureResource = Schema.Struct({
  customerReference: Schema.String,
  requestedAt: Schema.String,
  erasedAt: Schema.NullOr(Schema.String).annotate({
    description: "When the customer's key and every sealed record were gone; null while the service is at it"
  }),
  finishedAt: Schema.NullOr(Schema.String).annotate({
    description: "When what was still being written at that time had been looked for and removed as well"
  })
}).annotate({ identifier: "Erasure" })
export type ErasureResource = typeof ErasureResource.Type
