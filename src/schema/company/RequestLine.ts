/**
 * A line of the request log as the API shows it: what was asked with which key and what came of it. It holds names of fields and never
 * their values, and nothing of a body, a query or a person.
 */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { withExample } from "../model.ts"

/** How a request begins, in the order in which forms offer it. */
export const requestMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
export const requestOutcomes = ["REFUSED", "SUCCEEDED"] as const

export const RequestLineResource = Schema.Struct({
  requestId: withExample(Schema.String, exampleId("change", 7)).annotate({
    description: "The Request-Id that the request was answered with"
  }),
  at: withExample(Schema.String, "2026-01-15T10:30:00.000Z"),
  keyId: withExample(Schema.String, exampleId("apiKey", 1)),
  route: withExample(Schema.String, "POST /api/v1/journeys").annotate({
    description: "Method and path, with the names of its parameters"
  }),
  status: withExample(Schema.NullOr(Schema.Int), 400).annotate({
    description: "Null: the connection was dropped without an answer"
  }),
  code: withExample(Schema.NullOr(Schema.String), "VALIDATION_FAILED").annotate({
    description: "The code to act on; null on success"
  }),
  fields: withExample(Schema.Array(Schema.String), ["vehicle.year"]).annotate({
    description: "The fields at fault: names only. `?` stands for a name that the contract does not have the form of"
  }),
  durationMillis: withExample(Schema.Int, 12),
  journeyId: withExample(Schema.NullOr(Schema.String), null),
  isReplay: withExample(Schema.Boolean, false).annotate({
    description: "Whether the Idempotency-Key was used before with the same request"
  })
}).annotate({ identifier: "RequestLine" })
export type RequestLineResource = typeof RequestLineResource.Type
