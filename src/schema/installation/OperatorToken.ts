/**
 * A named token of the operator: what it may do, until when, and when it was last used. The token's text is in the answer that
 * makes the token and nowhere else. The token of `OPERATOR_TOKEN` is none of these: it may do everything and has no row.
 */
import { Effect, Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { beyondForm, invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import { fixedField, ModelClass, ModelField, named, withExample, withFlag } from "../model.ts"
import { MomentColumn, momentField, MomentJson } from "../moment.ts"
import { isTimestamp, millisOf, Timestamp } from "../decoding/dates.ts"
import { memberOf } from "../decoding/record.ts"
import { installationLimits } from "./limits.ts"

/** What a named token may do; each in words in `operatorScopes`. */
export const OperatorScope = Schema.Literals([
  "*",
  "metrics:read",
  "installation:read",
  "installation:write",
  "companies:read",
  "companies:write",
  "keys:write",
  "members:write",
  "journeys:read",
  "journeys:write",
  "mail:read"
])
export type OperatorScope = typeof OperatorScope.Type

/** What each scope permits: the pages, the documents and the help of the commands say it with these words. */
export const operatorScopes: Readonly<Record<OperatorScope, string>> = {
  "*": "everything, also tokens and the pages of the operator",
  "metrics:read": "read /metrics",
  "installation:read": "see what is open over all companies, and the runners",
  "installation:write": "wake journeys that were set aside",
  "companies:read": "see companies, their keys, members, wallets, webhooks, stock and audit logs",
  "companies:write":
    "make and change companies, their wallets, webhooks, providers and stock, but no key, and no member beside the first owner of a new one",
  "keys:write": "make, change, rotate and revoke API keys: with a key, do all that a company's programs may",
  "members:write":
    "invite, change and remove members, end their sessions: as a member, do all that a company's people may",
  "journeys:read": "see journeys, cases, reviews and handovers, with what customers gave",
  "journeys:write":
    "decide reviews, cancel journeys, correct and erase customers, resend links: a link goes to the address that a correction names",
  "mail:read": "read the built-in mailbox, with the links in its mail by which people sign in"
}

const scopes = Schema.Array(OperatorScope)

/** One line for all scopes. */
export const operatorScopesInWords: string = OperatorScope.literals
  .map((scope) => `${scope}: ${operatorScopes[scope]}`)
  .join("; ")
const timeOrNull = Schema.NullOr(MomentColumn).pipe(Schema.withConstructorDefault(Effect.succeed(null)))
const shownTime = Schema.NullOr(MomentJson)

const nameRule = `must be 1 to ${installationLimits.longestTokenName} of a-z, 0-9, dot, dash and underscore, beginning with a letter or a digit`
const namePattern = new RegExp(`^[a-z0-9][a-z0-9._-]{0,${installationLimits.longestTokenName - 1}}$`)

/** The audit log names the token by it, as `operator:deploy`. */
export const OperatorTokenName = Schema.String.check(Schema.isPattern(namePattern, { message: nameRule }))

export class OperatorToken extends ModelClass<OperatorToken>("OperatorToken")({
  id: fixedField(Schema.String, { example: exampleId("operatorToken", 1) }),
  name: fixedField(Schema.String, { example: "prometheus" }),
  scopes: fixedField(scopes, { example: ["metrics:read"] }),
  last4: fixedField(Schema.String, { example: "x7Qk" }),
  expiresAt: ModelField({
    row: timeOrNull,
    shown: shownTime,
    resource: withExample(Schema.NullOr(Schema.String), "2027-01-05T09:00:00.000Z")
  }),
  lastUsedAt: ModelField({
    row: timeOrNull,
    shown: shownTime,
    resource: withExample(
      Schema.NullOr(Schema.String).annotate({ description: "To the minute; null: never" }),
      "2026-01-15T10:31:00.000Z"
    )
  }),
  revokedAt: ModelField({
    row: timeOrNull,
    shown: shownTime,
    resource: withExample(Schema.NullOr(Schema.String), null)
  }),
  createdAt: momentField("2026-01-05T09:00:00.000Z")
}) {}

export const OperatorTokenResource = named(OperatorToken.resource, "OperatorToken")
export type OperatorTokenResource = typeof OperatorTokenResource.Type

/** The answer that makes a token: the only answer that ever holds its text. */
export const NewOperatorTokenResource = Schema.Struct({
  ...OperatorTokenResource.fields,
  token: withExample(Schema.String, "svc_operator_<43 random characters>x7Qk")
}).annotate({ identifier: "NewOperatorToken" })
export type NewOperatorTokenResource = typeof NewOperatorTokenResource.Type

const brokenRules: BrokenRules = (body, { now }) => {
  const given = memberOf(body, "scopes")
  const expiresAt = memberOf(body, "expiresAt")
  return [
    ...(Array.isArray(given) && (given.length === 0 || new Set(given).size < given.length)
      ? [invalid("scopes", `must name at least one of ${OperatorScope.literals.join(", ")}, each once`)]
      : []),
    ...(typeof expiresAt === "string" && isTimestamp(expiresAt) && millisOf(expiresAt) <= now
      ? [invalid("expiresAt", "must be in the future")]
      : [])
  ]
}

export const OperatorTokenBody = Schema.Struct({
  name: withExample(withFlag(OperatorTokenName, "What the audit log calls it, such as deploy"), "prometheus"),
  scopes: withExample(scopes.annotate({ description: `What it may do. ${operatorScopesInWords}` }), ["metrics:read"]),
  expiresAt: Schema.optionalKey(
    withExample(
      Schema.NullOr(Timestamp).annotate({
        expected: "null or a timestamp",
        description: `When it ends; left out: after ${installationLimits.tokenDays} days; null: never`
      }),
      "2027-01-05T09:00:00Z"
    )
  )
}).annotate({ identifier: "OperatorTokenStart", [beyondForm]: brokenRules })

export const operatorTokenResource: (token: OperatorToken) => OperatorTokenResource = Schema.encodeSync(
  OperatorToken.shown
)
