/**
 * The words of mail to owners about a change of the company's settings (decision M10): how members sign in, to whom what customers gave
 * is sent, and what protects customers. One change may be of several of these, and the mail tells each.
 */
import { Schema } from "effect"
import { LeastAssurance } from "../../../schema/journey/statuses.ts"
import { counted } from "./Email.ts"

/** Null: there is none. Without an address it is the service itself. */
const Provider = Schema.NullOr(Schema.Struct({ url: Schema.optionalKey(Schema.String) }))

/** What a line of the audit log says of a change of settings: the changed fields, and those new values that are nobody's address. */
export const settingsOfLine = {
  fields: Schema.optionalKey(Schema.Array(Schema.String)),
  values: Schema.optionalKey(
    Schema.Struct({
      financePanel: Schema.optionalKey(Provider),
      identityProvider: Schema.optionalKey(Provider),
      assurance: Schema.optionalKey(LeastAssurance),
      mediaRetentionDays: Schema.optionalKey(Schema.Int),
      customerRetentionDays: Schema.optionalKey(Schema.Int),
      declinedRetentionDays: Schema.optionalKey(Schema.Int),
      applicationRetentionDays: Schema.optionalKey(Schema.Int)
    })
  )
}
const Settings = Schema.Struct(settingsOfLine)
type Settings = typeof Settings.Type

export const recipientsChanged = (change: Settings): string =>
  `changed to whom what customers give is sent: ${recipientsOf(change).join("; ") || "somebody else"}${andProtection(change)}`

export const protectionLowered = (change: Settings): string =>
  `changed what protects customers: ${protectionOf(change).join("; ") || "less than before"}`

/** What else the change was of, after the words of the passkeys. */
export const andSettings = (change: Settings): string =>
  recipientsOf(change)
    .map((one) => `, and sent ${one}`)
    .join("") + andProtection(change)

const andProtection = (change: Settings): string =>
  protectionOf(change)
    .map((one) => `, and set that ${one}`)
    .join("")

const providerOf = (provider: typeof Provider.Type): string => {
  if (provider === null) return "nobody"
  return provider.url === undefined ? "the check of this service" : provider.url
}

/** The administrator's address stands in no line. */
const recipientsOf = ({ fields = [], values = {} }: Settings): ReadonlyArray<string> => [
  ...(values.financePanel === undefined ? [] : [`applications to ${providerOf(values.financePanel)}`]),
  ...(values.identityProvider === undefined
    ? []
    : [`customers to be checked to ${providerOf(values.identityProvider)}`]),
  ...(fields.includes("adminEmail") ? ["answers to mails and mail of test journeys to another address"] : [])
]

const days = (count: number): string => counted(count, "day")

const protectionOf = ({ values = {} }: Settings): ReadonlyArray<string> => {
  const { applicationRetentionDays, assurance, customerRetentionDays, declinedRetentionDays, mediaRetentionDays } =
    values
  return [
    ...(assurance === undefined ? [] : [`an identity check of ${assurance} or more needs no person`]),
    ...(mediaRetentionDays === undefined
      ? []
      : [`photos and videos are erased ${days(mediaRetentionDays)} after their journey's end`]),
    ...erasedAfter("customers are erased", customerRetentionDays, "after their last journey", "only by hand"),
    ...erasedAfter(
      "customers who were only declined are erased",
      declinedRetentionDays,
      "after their last journey",
      "as others"
    ),
    ...erasedAfter(
      "declined applications are erased",
      applicationRetentionDays,
      "after the decline",
      "with the customer"
    )
  ]
}

const erasedAfter = (what: string, count: number | undefined, after: string, otherwise: string) => {
  if (count === undefined) return []
  return [count === 0 ? `${what} ${otherwise}` : `${what} ${days(count)} ${after}`]
}
