/** A webhook endpoint that does not answer, or was turned off for it, as the operator sees it over all companies. */
import { Schema } from "effect"
import { Mode } from "../Mode.ts"

export const FailingEndpointResource = Schema.Struct({
  id: Schema.String,
  companyId: Schema.String,
  companyName: Schema.String,
  mode: Mode,
  url: Schema.String.annotate({
    description: "Scheme, host and port only: a path or a query may be a secret of the receiver"
  }),
  failingSince: Schema.String.annotate({ description: "The first failure since anything reached it" }),
  lastFailedAt: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean,
  offSince: Schema.NullOr(Schema.String).annotate({ description: "When it was turned off; null while it is tried" })
}).annotate({ identifier: "FailingEndpoint" })
export type FailingEndpointResource = typeof FailingEndpointResource.Type
