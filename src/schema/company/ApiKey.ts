/**
 * A company's API key as it is stored, shown, made and changed. The text of a key is in the answer that makes the key and
 * nowhere else; its form is in `actors/company/apiKey.ts`.
 */
import { Effect, Schema } from "effect"
import { readAddressBlocks } from "../addressBlocks.ts"
import { exampleId } from "../exampleId.ts"
import { Mode, ModeColumn } from "../Mode.ts"
import { fixedField, idField, ModelClass, ModelField, withExample, withFlag, named } from "../model.ts"
import { MomentColumn, momentField, MomentJson } from "../moment.ts"
import { beyondForm, invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import { isTimestamp, millisOf, Timestamp } from "../decoding/dates.ts"
import { memberOf } from "../decoding/record.ts"
import { text } from "../decoding/text.ts"
import { companyLimits } from "./limits.ts"
import { ApiKeyId, CompanyId } from "../ids.ts"

/** What a key may do (decision A2). */
export const KeyScope = Schema.Literals(["journeys:read", "journeys:write", "journeys:simulate"])
export type KeyScope = typeof KeyScope.Type

const scopes = Schema.Array(KeyScope)
const addresses = Schema.Array(Schema.String).annotate({
  description: `The addresses and blocks (CIDR), ${companyLimits.mostKeyAddresses} at most, from which the key is taken; none: from every address`
})
const momentOrNull = Schema.NullOr(MomentColumn).pipe(Schema.withConstructorDefault(Effect.succeed(null)))

/** What a body says of a key, both when the key is made and when it is changed. */
const given = {
  name: Schema.optionalKey(
    withExample(withFlag(text(companyLimits.longestKeyName), "What to call it"), "Showroom system")
  ),
  scopes: Schema.optionalKey(scopes),
  developer: Schema.optionalKey(withFlag(Schema.Boolean, "Whether it reaches the API at all")),
  expiresAt: Schema.optionalKey(
    withExample(
      Schema.NullOr(Timestamp).annotate({
        expected: "null or a timestamp",
        description: `When the key ends; null: never. A new key of which nothing is said ends after ${companyLimits.usualKeyDays} days`
      }),
      "2027-01-05T09:00:00Z"
    )
  ),
  addresses: Schema.optionalKey(withExample(addresses, ["203.0.113.7", "2001:db8:7::/48"]))
}

export class ApiKey extends ModelClass<ApiKey>("ApiKey")({
  id: idField(ApiKeyId, { example: exampleId("apiKey", 1) }),
  companyId: ModelField({ row: CompanyId }),
  mode: ModelField({
    row: ModeColumn,
    shown: Mode,
    resource: withExample(Mode, "TEST"),
    create: withExample(withFlag(Mode, "Live journeys, or the sandbox"), "TEST")
  }),
  name: ModelField({
    row: Schema.String,
    shown: Schema.String,
    resource: withExample(Schema.String, "Showroom system"),
    create: given.name,
    patch: given.name
  }),
  last4: fixedField(Schema.String, { example: "7Qx2" }),
  scopes: ModelField({
    row: scopes.pipe(Schema.withConstructorDefault(Effect.succeed(KeyScope.literals))),
    shown: scopes,
    resource: withExample(scopes, KeyScope.literals),
    create: given.scopes,
    patch: given.scopes
  }),
  developer: ModelField({
    row: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(true))),
    shown: Schema.Boolean,
    resource: withExample(Schema.Boolean, true),
    create: given.developer,
    patch: given.developer
  }),
  expiresAt: ModelField({
    row: momentOrNull,
    shown: Schema.NullOr(MomentJson),
    resource: withExample(Schema.NullOr(Schema.String), "2027-01-05T09:00:00.000Z"),
    create: given.expiresAt,
    patch: given.expiresAt
  }),
  revokedAt: ModelField({
    row: momentOrNull,
    shown: Schema.NullOr(MomentJson),
    resource: withExample(Schema.NullOr(Schema.String), null)
  }),
  addresses: ModelField({
    row: addresses.pipe(Schema.withConstructorDefault(Effect.succeed([]))),
    shown: addresses,
    resource: withExample(addresses, []),
    create: given.addresses,
    patch: given.addresses
  }),
  lastUsedAt: ModelField({
    row: momentOrNull,
    shown: Schema.NullOr(MomentJson),
    resource: withExample(
      Schema.NullOr(Schema.String).annotate({
        description: "When a request with the key was last taken, to the minute"
      }),
      "2026-01-15T10:31:07.218Z"
    )
  }),
  createdAt: momentField("2026-01-05T09:00:00.000Z")
}) {}

export const ApiKeyResource = named(ApiKey.resource, "ApiKey")
export type ApiKeyResource = typeof ApiKeyResource.Type

/** The answer that makes a key: the only answer that ever holds the key's text. */
export const NewApiKeyResource = Schema.Struct({
  ...ApiKeyResource.fields,
  key: withExample(Schema.String, "svc_test_<32 random characters>7Qx2")
}).annotate({ identifier: "NewApiKey" })
export type NewApiKeyResource = typeof NewApiKeyResource.Type

const brokenAddresses = (given: unknown) => {
  if (!Array.isArray(given)) return []
  const { mostKeyAddresses } = companyLimits
  if (given.length > mostKeyAddresses) return [invalid("addresses", `must have at most ${mostKeyAddresses} entries`)]
  return given.flatMap((one: unknown, at) =>
    typeof one === "string" && (one.includes(",") || readAddressBlocks(one) === undefined)
      ? [invalid(`addresses[${at}]`, "must be an address such as 203.0.113.7 or a block such as 2001:db8:7::/48")]
      : []
  )
}

const brokenKeyRules: BrokenRules = (body, { now }) => {
  const scopes = memberOf(body, "scopes")
  const expiresAt = memberOf(body, "expiresAt")
  return [
    ...(Array.isArray(scopes) && (scopes.length === 0 || new Set(scopes).size < scopes.length)
      ? [invalid("scopes", `must name at least one of ${KeyScope.literals.join(", ")}, each once`)]
      : []),
    ...brokenAddresses(memberOf(body, "addresses")),
    ...(typeof expiresAt === "string" && isTimestamp(expiresAt) && millisOf(expiresAt) <= now
      ? [invalid("expiresAt", "must be in the future")]
      : [])
  ]
}

/** The problems of a body are listed in this order, the developer last. */
const { developer, ...others } = ApiKey.patch.fields
export const ApiKeyPatch = Schema.Struct({ ...others, developer }).annotate({
  identifier: "ApiKeyChange",
  [beyondForm]: brokenKeyRules
})
export type ApiKeyPatch = typeof ApiKeyPatch.Type

export const ApiKeyBody = Schema.Struct({ mode: ApiKey.create.fields.mode, ...ApiKeyPatch.fields }).annotate({
  identifier: "ApiKeyStart",
  [beyondForm]: brokenKeyRules
})
export type ApiKeyBody = typeof ApiKeyBody.Type

export const apiKeyResource: (key: ApiKey) => ApiKeyResource = Schema.encodeSync(ApiKey.shown)
