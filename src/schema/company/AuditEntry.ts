/**
 * A line of the audit log: who did what, when, and with what. It never holds a secret and never holds personal data. The address of the
 * network that it was asked from stands beside the line and goes after some months.
 */
import { Schema } from "effect"
import { SerialColumn } from "../bigints.ts"
import { exampleId } from "../exampleId.ts"
import { fixedField, ModelClass, ModelField, withExample, named } from "../model.ts"
import type { AuditAction } from "./auditActions.ts"
import { momentField } from "../moment.ts"
import { companyLimits } from "./limits.ts"

const details = Schema.Record(Schema.String, Schema.Unknown)

export class AuditEntry extends ModelClass<AuditEntry>("AuditEntry")({
  id: ModelField({
    row: SerialColumn,
    shown: Schema.String,
    resource: withExample(Schema.String, exampleId("change", 1))
  }),
  actor: fixedField(Schema.String, { example: "operator" }),
  action: fixedField(Schema.String, { example: "wallet.credited" }),
  details: fixedField(details, { example: { wallet: "IDENTITY", amount: 100 } }),
  at: momentField("2026-01-05T09:00:00.000Z"),
  ipAddress: fixedField(
    Schema.NullOr(Schema.String).annotate({
      description: `The IP address from which it was asked, for ${companyLimits.askersAddressDays} days. Null later, and of what the service did; to members also of what the operator did`
    }),
    { example: "203.0.113.7" }
  )
}) {}

/** The line as this version writes it: the database numbers it. Without an `ipAddress` nobody has asked for it over the network. */
export type AuditLine = Omit<AuditEntry, "action" | "id" | "ipAddress"> & {
  readonly action: AuditAction
  readonly ipAddress?: AuditEntry["ipAddress"]
}

/** A line on its way to the node that writes it, its details as JSON text. A node of another version may have actions that are not listed here. */
export const SentAuditLine = Schema.Struct({
  actor: Schema.String,
  action: Schema.String,
  details: Schema.String,
  at: Schema.Finite,
  ipAddress: Schema.NullOr(Schema.String)
})
export type SentAuditLine = typeof SentAuditLine.Type

export const sentAuditLine = ({ action, actor, at, details, ipAddress = null }: AuditLine): SentAuditLine => ({
  actor,
  action,
  details: JSON.stringify(details),
  at,
  ipAddress
})

export const AuditEntryResource = Schema.Struct({
  ...named(AuditEntry.resource, "AuditEntry").fields,
  actorName: withExample(
    Schema.String.annotate({
      description: "The actor as a person reads it: of a member the address, as long as they are a member"
    }),
    "operator"
  )
}).annotate({ identifier: "AuditEntry" })
export type AuditEntryResource = typeof AuditEntryResource.Type

const shown = Schema.encodeSync(AuditEntry.shown)

export const auditEntryResource = (
  entry: AuditEntry,
  asShown: Pick<AuditEntryResource, "actorName" | "ipAddress">
): AuditEntryResource => ({ ...shown(entry), ...asShown })
