/**
 * The words of mail to owners about a change of the company's settings (decision M10): how members sign in, to whom what customers gave
 * is sent, and what protects customers. One change may be of several of these, and the mail tells each.
 */
import { Schema } from "effect"
import { retentionFields, type RetentionField } from "../../../schema/company/Company.ts"
import { LeastAssurance } from "../../../schema/journey/statuses.ts"
import { counted } from "./Email.ts"

/** Null: there is none. Without an address it is the service itself. */
const Provider = Schema.NullOr(Schema.Struct({ url: Schema.optionalKey(Schema.String) }))

const daysOfLine = Object.fromEntries(
  retentionFields.map((field) => [field, Schema.optionalKey(Schema.Int)])
) as Readonly<Record<RetentionField, Schema.optionalKey<typeof Schema.Int>>>

/** What a line of the audit log says of a change of settings: the changed fields, and those new values that are nobody's address. */
export const settingsOfLine = {
  fields: Schema.optionalKey(Schema.Array(Schema.String)),
  values: Schema.optionalKey(
    Schema.Struct({
      financePanel: Schema.optionalKey(Provider),
      identityProvider: Schema.optionalKey(Provider),
      assurance: Schema.optionalKey(LeastAssurance),
      ...daysOfLine
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

/** Something that is erased after the days of a setting: from when they count, and what zero days mean. */
interface Erasure {
  readonly what: string
  readonly after: string
  readonly atZero?: string
}

const erasures: Readonly<Record<RetentionField, Erasure>> = {
  mediaRetentionDays: { what: "photos and videos are erased", after: "after their journey's end" },
  customerRetentionDays: { what: "customers are erased", after: "after their last journey", atZero: "only by hand" },
  declinedRetentionDays: {
    what: "customers who were only declined are erased",
    after: "after their last journey",
    atZero: "as others"
  },
  applicationRetentionDays: {
    what: "declined applications are erased",
    after: "after the decline",
    atZero: "with the customer"
  }
}

const protectionOf = ({ values = {} }: Settings): ReadonlyArray<string> => [
  ...(values.assurance === undefined ? [] : [`an identity check of ${values.assurance} or more needs no person`]),
  ...retentionFields.flatMap((field) => {
    const days = values[field]
    return days === undefined ? [] : [erasedAfter(erasures[field], days)]
  })
]

const erasedAfter = ({ after, atZero, what }: Erasure, days: number): string =>
  days === 0 && atZero !== undefined ? `${what} ${atZero}` : `${what} ${counted(days, "day")} ${after}`
