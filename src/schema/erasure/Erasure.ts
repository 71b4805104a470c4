/**
 * The erasure of a customer, from the operator's request to its end. The row holds no personal data, and it stays after the
 * customer is gone.
 */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { ModelClass, ModelField, withExample, named } from "../model.ts"
import { MomentColumn, momentField, MomentJson } from "../moment.ts"
import { CompanyId } from "../ids.ts"

const momentOrNull = (description: string, example: string | null) =>
  ModelField({
    row: Schema.NullOr(MomentColumn),
    shown: Schema.NullOr(MomentJson),
    resource: withExample(Schema.NullOr(Schema.String).annotate({ description }), example)
  })

export class Erasure extends ModelClass<Erasure>("Erasure")({
  companyId: ModelField({ row: CompanyId }),
  customerId: ModelField({ row: Schema.String }),
  /** What answers call the customer's id. */
  customerReference: ModelField({
    shown: Schema.String,
    resource: withExample(Schema.String, exampleId("customer", 1))
  }),
  /** The span of the request, to which a later step links back; null without a tracer. */
  traceparent: ModelField({ row: Schema.NullOr(Schema.String) }),
  requestedAt: momentField("2026-01-15T10:31:07.218Z"),
  erasedAt: momentOrNull(
    "When the customer's key and every sealed record were gone; null while the service is at it",
    "2026-01-15T10:31:09.044Z"
  ),
  finishedAt: momentOrNull(
    "When what was still being written at that time had been looked for and removed as well",
    null
  )
}) {}

export const ErasureResource = named(Erasure.resource, "Erasure")
export type ErasureResource = typeof ErasureResource.Type

const show = Schema.encodeSync(Erasure.shown)

export const erasureResource = ({ customerId, erasedAt, finishedAt, requestedAt }: Erasure): ErasureResource =>
  show({ customerReference: customerId, requestedAt, erasedAt, finishedAt })
