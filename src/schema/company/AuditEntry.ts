/** A line of the audit log: who did what, when, and with what. It never holds a secret and never holds personal data. */
import { Schema } from "effect"
import { SerialColumn } from "../bigints.ts"
import { exampleId } from "../exampleId.ts"
import { fixedField, ModelClass, ModelField, withExample, named } from "../model.ts"
import type { AuditAction } from "./auditActions.ts"
import { momentField } from "../moment.ts"

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
  at: momentField("2026-01-05T09:00:00.000Z")
}) {}

/** The line as this version writes it: the database numbers it. */
export type AuditLine = Omit<AuditEntry, "action" | "id"> & { readonly action: AuditAction }

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

export const auditEntryResource = (entry: AuditEntry, actorName: string): AuditEntryResource => ({
  ...shown(entry),
  actorName
})
