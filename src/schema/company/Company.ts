/**
 * A company and everything that its operator can set. A setting is described here and nowhere else: the row, the answer,
 * the bodies, the example of the contract, the flags of the command line and the console's form for a number of days are made from
 * this description. A new setting needs its field here, its numbers in `limits.ts`, a migration for its column (listed in
 * `migrations/all.ts`), and the code that uses it; one that is no number of days also its place in a form of the console.
 */
import { Effect, Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import {
  asStored,
  inColumn,
  ModelClass,
  ModelField,
  named,
  settingField,
  withDays,
  withExample,
  withFlag,
  type DaysInForm
} from "../model.ts"
import { momentField } from "../moment.ts"
import { beyondForm } from "../decoding/bodyDecoder.ts"
import { EmailAddress } from "../start/contact.ts"
import { LeastAssurance } from "../journey/statuses.ts"
import { PageQuery, textParameter } from "../decoding/parameters.ts"
import { wholeNumber } from "../decoding/numbers.ts"
import { nameText } from "../start/nameText.ts"
import { Language, languageCodes, usualLanguage } from "../words/locale/languages.ts"
import { brandField } from "./Brand.ts"
import { companyLimits } from "./limits.ts"
import { CompanyId } from "../ids.ts"
import { readyReasonsField } from "./readyReasons.ts"
import { brokenProviderRules, financePanelField, identityProviderField } from "./providerSettings.ts"
import { defaultSandboxSwitches, SandboxPatch, SandboxSwitches } from "./SandboxSwitches.ts"

export const CompanyKind = Schema.Literals(["DEALER", "BROKER"])
export type CompanyKind = typeof CompanyKind.Type

const {
  longestCompanyName,
  longestCustomerDays,
  longestRetentionDays,
  longestWindowDays,
  shortestRetentionDays,
  shortestWindowDays,
  usualApplicationDays,
  usualRetentionDays,
  usualWindowDays
} = companyLimits

const name = nameText(longestCompanyName)
const storedSandbox = asStored(SandboxSwitches)

/** A number of days. The command, the console's form and its page are made from this one description. */
const daysField = (
  about: DaysInForm & { readonly byDefault: number; readonly flag: string; readonly description?: string }
) => {
  const { byDefault, description, flag, label, least, most } = about
  const given = wholeNumber(least, most)
  const described = description === undefined ? given : given.annotate({ description })
  return settingField(Schema.Int, withDays(described, { label, least, most }), { byDefault, example: byDefault, flag })
}

/** The days that a customer has for a step. */
const windowField = (step: string) =>
  daysField({
    byDefault: usualWindowDays,
    least: shortestWindowDays,
    most: longestWindowDays,
    flag: `Days a customer has for the ${step}, ${shortestWindowDays} to ${longestWindowDays}`,
    label: `Days for the ${step}`
  })

export class Company extends ModelClass<Company>("Company")({
  id: ModelField({
    row: CompanyId,
    shown: CompanyId,
    resource: withExample(Schema.String, exampleId("company", 1))
  }),
  name: ModelField({
    row: Schema.String,
    shown: Schema.String,
    resource: withExample(Schema.String, "Harbour Cars"),
    create: withExample(withFlag(name, "The company's name"), "Harbour Cars"),
    patch: Schema.optionalKey(withFlag(name, "Another name"))
  }),
  kind: ModelField({
    row: CompanyKind,
    shown: CompanyKind,
    resource: withExample(CompanyKind, "DEALER"),
    create: withExample(withFlag(CompanyKind, "A dealer or a broker"), "DEALER")
  }),
  adminEmail: ModelField({
    row: Schema.String,
    shown: Schema.String,
    resource: withExample(Schema.String, "owner@harbourcars.example"),
    create: withExample(withFlag(EmailAddress, "Where mail for the company goes"), "owner@harbourcars.example"),
    patch: Schema.optionalKey(withFlag(EmailAddress, "Another address for the company's mail"))
  }),
  invite: ModelField({
    create: Schema.optionalKey(
      withFlag(
        Schema.Boolean.annotate({
          description: "Whether the administrator, who is the first owner, is mailed an invitation; true when not said"
        }),
        "Whether the administrator is mailed an invitation"
      )
    )
  }),
  active: settingField(Schema.Boolean, Schema.Boolean, {
    byDefault: true,
    example: true,
    flag: "Whether its keys work"
  }),
  identityProvider: identityProviderField,
  financePanel: financePanelField,
  identityWindowDays: windowField("identity check"),
  handoverWindowDays: windowField("handover"),
  mediaRetentionDays: daysField({
    byDefault: usualRetentionDays,
    least: shortestRetentionDays,
    most: longestRetentionDays,
    description: "Days that photos and videos of live journeys are kept after their journey's end",
    flag: `Days that photos and videos are kept after their journey's end, ${shortestRetentionDays} to ${longestRetentionDays}`,
    label: "Days that photos and videos are kept after a journey's end"
  }),
  customerRetentionDays: daysField({
    byDefault: 0,
    least: 0,
    most: longestCustomerDays,
    description: "Days after the end of a live customer's last journey, when the customer is erased; 0: only by hand",
    flag: `Days after a customer's last journey, when they are erased, 1 to ${longestCustomerDays}; 0: only by hand`,
    label: "Days after a customer's last journey, when they are erased (0: only by hand)"
  }),
  declinedRetentionDays: daysField({
    byDefault: 0,
    least: 0,
    most: longestCustomerDays,
    description:
      "The same, and the earlier of both, for customers all of whose applications were declined or could not be submitted; 0: as others",
    flag: `The same for customers who were declined, 1 to ${longestCustomerDays}; 0: as others`,
    label: "The same for customers who were only declined (0: as others)"
  }),
  applicationRetentionDays: daysField({
    byDefault: usualApplicationDays,
    least: 0,
    most: longestCustomerDays,
    description:
      "Days after the end of a live journey whose application was declined or could not be submitted, when what the application says of the customer is erased; the deal and the consents stay. 0: with the customer",
    flag: `Days after a decline, when the application is erased, 1 to ${longestCustomerDays}; 0: with the customer`,
    label: "Days after a decline, when the application is erased (0: with the customer)"
  }),
  assurance: settingField(
    LeastAssurance,
    LeastAssurance.annotate({
      description:
        "The least that completes an identity check without a person: FACE_MATCH (document and selfie show one face), DOCUMENT (and the document's text fits the customer) or PROVIDER (an outside provider). Checks made from now on count"
    }),
    {
      byDefault: "FACE_MATCH",
      example: "FACE_MATCH",
      flag: "The least that completes an identity check without a person: FACE_MATCH, DOCUMENT or PROVIDER"
    }
  ),
  passkeysRequired: settingField(
    Schema.Boolean,
    Schema.Boolean.annotate({
      description:
        "Whether every member signs in with a passkey. Who has none adds one after the next sign-in, before anything else. It is asked of members, not of the operator; a member turns it on with a passkey of their own, and turns it on or off within ten minutes of signing in"
    }),
    { byDefault: false, example: false, flag: "Whether every member signs in with a passkey" }
  ),
  language: settingField(Language, Language, {
    byDefault: usualLanguage,
    example: usualLanguage,
    flag: `Language of pages and mails for customers who have chosen none: ${languageCodes.join(", ")}`
  }),
  sandbox: ModelField({
    row: inColumn(storedSandbox, { isJson: true }).pipe(
      Schema.withConstructorDefault(Effect.succeed(defaultSandboxSwitches))
    ),
    shown: storedSandbox,
    resource: withExample(SandboxSwitches, defaultSandboxSwitches),
    patch: Schema.optionalKey(SandboxPatch)
  }),
  brand: brandField,
  approvalReasons: readyReasonsField("approve", "Same person; the document is whole and readable"),
  rejectionReasons: readyReasonsField("reject", "The photo of the document is blurred. Please take it in better light"),
  createdAt: momentField("2026-01-05T09:00:00.000Z")
}) {}

export const CompanyResource = named(Company.resource, "Company")
export type CompanyResource = typeof CompanyResource.Type

export const CompanyBody = named(Company.create, "CompanyStart")
export type CompanyBody = typeof CompanyBody.Type

export const CompanyPatch = named(Company.patch, "CompanyChange").annotate({ [beyondForm]: brokenProviderRules })
export type CompanyPatch = typeof CompanyPatch.Type

/** The settings that say after how many days something is erased. */
export type RetentionField = Extract<keyof CompanyPatch, `${string}RetentionDays`>

export const retentionFields: ReadonlyArray<RetentionField> = Object.keys(Company.patch.fields).filter(
  (name): name is RetentionField => name.endsWith("RetentionDays")
)

/** How the list of companies is filtered. */
export const CompanyQuery = Schema.Struct({
  search: Schema.optionalKey(
    textParameter(
      (text) =>
        text === "" || text.length > longestCompanyName ? `must be 1 to ${longestCompanyName} characters` : undefined,
      { bring: (text) => text.trim().normalize("NFC"), minLength: 1, maxLength: longestCompanyName }
    ).annotate({ description: "Only the company with this id, and those whose name begins so, in any case" })
  ),
  ...PageQuery.fields
})

export const companyResource: (company: Company) => CompanyResource = Schema.encodeSync(Company.shown)
