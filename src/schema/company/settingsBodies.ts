/**
 * The request bodies of the settings API: closed, every problem told at once, text brought into form as in a start. Two
 * rules depend on more than the body and are facts of the caller: what time it is, and whether plain http is allowed.
 */
import { Schema } from "effect"
import { CompanyKind, KeyScope, Mode } from "./Company.ts"
import { bodyDecoder, invalid, type BrokenRules } from "../decoding.ts"
import { SandboxPace } from "../journey/sandbox.ts"
import { Email } from "../start/contact.ts"
import { isTimestamp, millisOf, Timestamp } from "../start/dates.ts"
import { wholeNumber } from "../start/numbers.ts"
import { memberOf } from "../start/record.ts"
import { formattedText, text } from "../start/text.ts"
import { webhookLimits } from "../webhook/limits.ts"
import { judgeWebhookUrl } from "../webhook/webhookUrl.ts"

const leastSecret = 16
const longestSecret = 255
const mostCredits = 1_000_000
const longestWindowDays = 90
const longestRetentionDays = 365

/** What is wrong with a URL wherever plain http is allowed; `providerRules` has the rest. */
const judgeUrl = (value: string, allowInsecure = true): string | undefined => {
  const judged = judgeWebhookUrl(value, { allowInsecure })
  return "rule" in judged ? judged.rule : undefined
}

const ProviderUrl = formattedText(webhookLimits.longestUrl, (value) => judgeUrl(value), { format: "uri" }).annotate({
  description: "https"
})

const Secret = formattedText(
  longestSecret,
  (value) =>
    value.length >= leastSecret && value.length <= longestSecret && /^[!-~]+$/.test(value)
      ? undefined
      : `must be ${leastSecret} to ${longestSecret} printable ASCII characters without spaces`,
  { minLength: leastSecret }
).annotate({ description: "Kept sealed and never shown again" })

export const IdentityProviderBody = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("BUILT_IN") }),
  Schema.Struct({ kind: Schema.Literal("HTTP"), url: ProviderUrl, secret: Secret })
]).annotate({ identifier: "IdentityProviderSettings", expected: 'an object whose kind is "BUILT_IN" or "HTTP"' })
export type IdentityProviderBody = typeof IdentityProviderBody.Type

export const FinancePanelBody = Schema.Struct({ name: text(100), url: ProviderUrl, secret: Secret }).annotate({
  identifier: "FinancePanelSettings"
})
export type FinancePanelBody = typeof FinancePanelBody.Type

export const CompanyBody = Schema.Struct({ name: text(255), kind: CompanyKind, adminEmail: Email }).annotate({
  identifier: "CompanyStart"
})
export type CompanyBody = typeof CompanyBody.Type

const SandboxPatch = Schema.Struct({
  identityConfigured: Schema.optionalKey(Schema.Boolean),
  panelConfigured: Schema.optionalKey(Schema.Boolean),
  credits: Schema.optionalKey(Schema.Boolean),
  pace: Schema.optionalKey(
    Schema.Union([...SandboxPace.members, Schema.Null]).annotate({
      expected: `a whole number of seconds from 1 to 60, "manual", or null for the service's own pace`
    })
  )
})

const windowDays = wholeNumber(1, longestWindowDays)

export const CompanyPatch = Schema.Struct({
  name: Schema.optionalKey(CompanyBody.fields.name),
  adminEmail: Schema.optionalKey(Email),
  active: Schema.optionalKey(Schema.Boolean),
  identityProvider: Schema.optionalKey(
    Schema.NullOr(IdentityProviderBody).annotate({ expected: 'null or an object whose kind is "BUILT_IN" or "HTTP"' })
  ),
  financePanel: Schema.optionalKey(Schema.NullOr(FinancePanelBody).annotate({ expected: "null or an object" })),
  identityWindowDays: Schema.optionalKey(windowDays),
  handoverWindowDays: Schema.optionalKey(windowDays),
  mediaRetentionDays: Schema.optionalKey(
    wholeNumber(1, longestRetentionDays).annotate({
      description: "Days that photos and videos of live journeys are kept after their journey's end"
    })
  ),
  sandbox: Schema.optionalKey(SandboxPatch)
}).annotate({ identifier: "CompanyChange" })
export type CompanyPatch = typeof CompanyPatch.Type

const Scopes = Schema.Array(KeyScope)

const keyFields = {
  name: Schema.optionalKey(text(100)),
  scopes: Schema.optionalKey(Scopes),
  expiresAt: Schema.optionalKey(Schema.NullOr(Timestamp).annotate({ expected: "null or a timestamp" })),
  developer: Schema.optionalKey(Schema.Boolean)
}

export const ApiKeyBody = Schema.Struct({ mode: Mode, ...keyFields }).annotate({ identifier: "ApiKeyStart" })
export type ApiKeyBody = typeof ApiKeyBody.Type

export const ApiKeyPatch = Schema.Struct(keyFields).annotate({ identifier: "ApiKeyChange" })
export type ApiKeyPatch = typeof ApiKeyPatch.Type

export const CreditsBody = Schema.Struct({ amount: wholeNumber(1, mostCredits), note: text(255) }).annotate({
  identifier: "Credits"
})
export type CreditsBody = typeof CreditsBody.Type

const keyRules: BrokenRules = (body, { now }) => {
  const scopes = memberOf(body, "scopes")
  const expiresAt = memberOf(body, "expiresAt")
  return [
    ...(Array.isArray(scopes) && (scopes.length === 0 || new Set(scopes).size < scopes.length)
      ? [invalid("scopes", `must name at least one of ${KeyScope.literals.join(", ")}, each once`)]
      : []),
    ...(typeof expiresAt === "string" && isTimestamp(expiresAt) && millisOf(expiresAt) <= now
      ? [invalid("expiresAt", "must be in the future")]
      : [])
  ]
}

/** Providers are reached with the same guard as webhooks. */
const providerRules: BrokenRules = (body, { allowInsecure }) =>
  ["identityProvider", "financePanel"].flatMap((name) => {
    const url = memberOf(memberOf(body, name), "url")
    const rule = typeof url === "string" ? judgeUrl(url, allowInsecure) : undefined
    return rule === undefined ? [] : [invalid(`${name}.url`, rule)]
  })

export const decodeCompany = bodyDecoder(CompanyBody)
export const decodeCompanyPatch = bodyDecoder(CompanyPatch, providerRules)
export const decodeApiKey = bodyDecoder(ApiKeyBody, keyRules)
export const decodeApiKeyPatch = bodyDecoder(ApiKeyPatch, keyRules)
export const decodeCredits = bodyDecoder(CreditsBody)
