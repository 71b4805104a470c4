/**
 * A company's outside providers as fields of the company: its identity provider and its finance panel. A body brings the
 * secret in clear, the row keeps the secret sealed, an answer never shows it. How the providers are called is decided by
 * their ports.
 */
import { Effect, Schema } from "effect"
import { inColumn, ModelField, withExample } from "../model.ts"
import { invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import { memberOf } from "../decoding/record.ts"
import { formattedText, text } from "../decoding/text.ts"
import { webhookLimits } from "../webhook/limits.ts"
import { brokenInForm, judgeWebhookUrl } from "../webhook/webhookUrl.ts"
import { companyLimits } from "./limits.ts"

const { longestPanelName, longestProviderSecret: longest, shortestProviderSecret: shortest } = companyLimits

/** `brokenProviderRules` judges the rest. */
const ProviderUrl = formattedText(webhookLimits.longestUrl, brokenInForm, { format: "uri" }).annotate({
  description: "https"
})

const Secret = formattedText(
  longest,
  (value) =>
    value.length >= shortest && value.length <= longest && /^[!-~]+$/.test(value)
      ? undefined
      : `must be ${shortest} to ${longest} printable ASCII characters without spaces`,
  { minLength: shortest }
).annotate({ description: "Kept sealed and never shown again" })

/** Base64 of what the vault sealed for `identity_provider|<company>` or `finance_panel|<company>`. */
const SealedSecret = Schema.String

const builtIn = Schema.Struct({ kind: Schema.Literal("BUILT_IN") })
const http = { kind: Schema.Literal("HTTP"), url: Schema.String }
const panel = { name: Schema.String, url: Schema.String }

const ShownIdentityProvider = Schema.NullOr(Schema.Union([builtIn, Schema.Struct(http)]))
const ShownFinancePanel = Schema.NullOr(Schema.Struct(panel))

const IdentityProviderBody = Schema.Union([
  builtIn,
  Schema.Struct({ kind: http.kind, url: ProviderUrl, secret: Secret })
]).annotate({ identifier: "IdentityProviderSettings", expected: 'an object whose kind is "BUILT_IN" or "HTTP"' })

const FinancePanelBody = Schema.Struct({ name: text(longestPanelName), url: ProviderUrl, secret: Secret }).annotate({
  identifier: "FinancePanelSettings"
})

export const identityProviderField = ModelField({
  row: inColumn(Schema.NullOr(Schema.Union([builtIn, Schema.Struct({ ...http, sealedSecret: SealedSecret })])), {
    isJson: true
  }).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  shown: ShownIdentityProvider,
  resource: withExample(ShownIdentityProvider, { kind: "BUILT_IN" }),
  patch: Schema.optionalKey(
    Schema.NullOr(IdentityProviderBody).annotate({ expected: 'null or an object whose kind is "BUILT_IN" or "HTTP"' })
  )
})

export const financePanelField = ModelField({
  row: inColumn(Schema.NullOr(Schema.Struct({ ...panel, sealedSecret: SealedSecret })), { isJson: true }).pipe(
    Schema.withConstructorDefault(Effect.succeed(null))
  ),
  shown: ShownFinancePanel,
  resource: withExample(ShownFinancePanel, { name: "PanelOne", url: "https://panel.example/applications" }),
  patch: Schema.optionalKey(Schema.NullOr(FinancePanelBody).annotate({ expected: "null or an object" }))
})

/** Providers are reached with the same guard as webhooks. */
export const brokenProviderRules: BrokenRules = (body, { allowInsecure }) =>
  ["identityProvider", "financePanel"].flatMap((name) => {
    const url = memberOf(memberOf(body, name), "url")
    const judged = typeof url === "string" ? judgeWebhookUrl(url, { allowInsecure }) : { url }
    return "rule" in judged ? [invalid(`${name}.url`, judged.rule)] : []
  })
