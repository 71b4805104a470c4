/**
 * The refusals of a company's requests, counted by code: what the page and the command of the request log begin with. The lines
 * themselves are `RequestLine.ts`.
 */
import { Duration, Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { withExample } from "../model.ts"
import { requestLogLimits } from "./limits.ts"

const ErrorCount = Schema.Struct({
  code: Schema.String,
  count: Schema.Int,
  lastAt: Schema.String.annotate({ description: "When a request was last refused with this code" }),
  lastKeyId: Schema.String.annotate({ description: "The key of that request" })
})

export const RequestErrorsResource = Schema.Struct({
  since: withExample(Schema.String, "2026-01-08T10:30:00.000Z").annotate({
    description: `What is counted begins here: ${Duration.toDays(requestLogLimits.countedFor)} days ago, or later where there were more requests than are counted`
  }),
  errors: withExample(Schema.Array(ErrorCount), [
    {
      code: "VALIDATION_FAILED",
      count: 3,
      lastAt: "2026-01-15T10:30:00.000Z",
      lastKeyId: exampleId("apiKey", 1)
    }
  ]).annotate({ description: "The most frequent first" })
}).annotate({ identifier: "RequestErrors" })
export type RequestErrorsResource = typeof RequestErrorsResource.Type
