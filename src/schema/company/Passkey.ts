/** A passkey of a member as the company's people see it. The key itself is the authenticator's; the service keeps its public half. */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { fixedField, ModelClass, ModelField, named, withExample } from "../model.ts"
import { MomentColumn, momentField, MomentJson } from "../moment.ts"

export class Passkey extends ModelClass<Passkey>("Passkey")({
  id: fixedField(Schema.String, { example: exampleId("passkey", 1) }),
  memberId: fixedField(Schema.String, { example: exampleId("member", 1) }),
  name: fixedField(Schema.String, { example: "Ann's telephone" }),
  addedAt: momentField("2026-01-05T09:10:00.000Z"),
  usedAt: ModelField({
    row: Schema.NullOr(MomentColumn),
    shown: Schema.NullOr(MomentJson),
    resource: withExample(Schema.NullOr(Schema.String), "2026-01-15T08:02:40.511Z")
  })
}) {}

export const PasskeyResource = named(Passkey.resource, "Passkey")
export type PasskeyResource = typeof PasskeyResource.Type

export const passkeyResource: (passkey: Passkey) => PasskeyResource = Schema.encodeSync(Passkey.shown)
