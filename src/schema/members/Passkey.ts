/** A passkey of a member as the company's people see it. The key itself is the authenticator's; the service keeps its public half. */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { MemberId, PasskeyId } from "../ids.ts"
import { fixedField, idField, ModelClass, ModelField, named, withExample } from "../model.ts"
import { MomentColumn, momentField, MomentJson } from "../moment.ts"
import { text } from "../decoding/text.ts"
import { companyLimits } from "../company/limits.ts"

export class Passkey extends ModelClass<Passkey>("Passkey")({
  id: idField(PasskeyId, { example: exampleId("passkey", 1) }),
  memberId: idField(MemberId, { example: exampleId("member", 1) }),
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

/** `answer` is what the browser's library gives, as text: what it must be is WebAuthn's to say. */
export const PasskeyBody = Schema.Struct({
  name: text(companyLimits.longestPasskeyName).annotate({ description: "What the member calls it" }),
  answer: Schema.String.check(Schema.isMaxLength(companyLimits.longestPasskeyAnswer)).annotate({
    description: "The authenticator's answer (`RegistrationResponseJSON`), as JSON text"
  })
}).annotate({ identifier: "PasskeyStart" })

export const exampleOfPasskeyBody: typeof PasskeyBody.Type = {
  name: "Ann's telephone",
  answer:
    '{"id":"Jj2c...","rawId":"Jj2c...","type":"public-key","response":{"clientDataJSON":"eyJ0...","attestationObject":"o2Nm..."},"clientExtensionResults":{}}'
}

export const passkeyResource: (passkey: Passkey) => PasskeyResource = Schema.encodeSync(Passkey.shown)
