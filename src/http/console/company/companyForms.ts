/**
 * The settings of a company as groups: the fields of each group's form, and the body that the form's fields become. A field has the
 * name that the operation gives it in its errors. What a value may be is judged by the operation alone.
 */
import { companyLimits } from "../../../schema/company/limits.ts"
import type { CompanyPatch } from "../../../schema/company/Company.ts"
import { LeastAssurance } from "../../../schema/journey/statuses.ts"
import { languageCodes, languages, type Language } from "../../../schema/words/locale/languages.ts"
import { html } from "../../server/pages/html.ts"
import { daySettings, type DaySetting } from "./daySettings.ts"
import { readyReasonsGroup } from "./readyReasonsGroup.ts"
import { numberOf } from "../frame/numberOf.ts"
import { linesOrNull, textOf, textOrNull, type SettingsGroup } from "./settingsGroup.ts"

const { fastestPaceSeconds, longestProviderSecret, mostHoursLines, shortestProviderSecret, slowestPaceSeconds } =
  companyLimits

const general = {
  title: "Name and language",
  about: "Customers read the name on every page and in every mail.",
  fields: ({ adminEmail, language, name }) => [
    { is: "text", name: "name", label: "Name", value: name, autocomplete: "organization", required: true },
    {
      is: "email",
      name: "adminEmail",
      label: "Administrator's address",
      value: adminEmail,
      required: true,
      hint: "The mail of test journeys goes there, and answers of customers. What the team is told goes to each member."
    },
    {
      is: "select",
      name: "language",
      label: "Language of pages and mails",
      value: language,
      choices: Object.entries(languages).map(([value, { name: label }]) => ({ value, label })),
      hint: "For customers who have chosen none. Mail to the team is English."
    }
  ],
  body: (fields) => ({
    name: textOf(fields, "name"),
    adminEmail: textOf(fields, "adminEmail"),
    language: textOf(fields, "language")
  })
} satisfies SettingsGroup

const secretHint = `${shortestProviderSecret} to ${longestProviderSecret} characters without spaces, agreed with them. It is kept sealed and never shown again.`

const identityProvider = {
  title: "Identity provider",
  about: html`Who checks the identity of your customers. <strong>The service itself</strong> compares the photo of a
    document with a selfie; what it cannot tell is a review for your team. <strong>A provider of yours</strong> is
    called over https and shows your customers its own page. Without either, live journeys with an identity check are
    refused.`,
  fields: ({ identityProvider: provider }) => [
    {
      is: "select",
      name: "identityProvider",
      label: "Identities are checked by",
      value: provider?.kind ?? "",
      choices: [
        { value: "", label: "Nobody yet" },
        { value: "BUILT_IN", label: "The service itself" },
        { value: "HTTP", label: "A provider of ours" }
      ]
    },
    {
      is: "url",
      name: "identityProvider.url",
      label: "The provider's address",
      value: provider !== null && "url" in provider ? provider.url : "",
      hint: "Only for a provider of yours: https, on port 443 or 8443."
    },
    {
      is: "password",
      name: "identityProvider.secret",
      label: "The secret shared with the provider",
      hint: secretHint,
      autocomplete: "off"
    }
  ],
  body: (fields) => {
    const kind = textOf(fields, "identityProvider")
    const url = textOf(fields, "identityProvider.url")
    const secret = textOf(fields, "identityProvider.secret")
    return { identityProvider: kind === "" ? null : kind === "HTTP" ? { kind, url, secret } : { kind } }
  },
  lost: (fields, { identityProvider: provider }) => {
    const [url, secret] = [textOf(fields, "identityProvider.url"), textOf(fields, "identityProvider.secret")]
    const shown = provider !== null && "url" in provider ? provider.url : ""
    if (textOf(fields, "identityProvider") === "HTTP" || (secret === "" && (url === "" || url === shown))) return []
    const message = "Choose “A provider of ours”, or leave its address and its secret empty"
    return [{ field: "identityProvider", code: "VALIDATION_FAILED", message }]
  }
} satisfies SettingsGroup

const financePanel = {
  title: "Finance panel",
  about: "Where the service submits applications for finance. Leave every field empty to take the panel away.",
  fields: ({ financePanel: panel }) => [
    { is: "text", name: "financePanel.name", label: "Name of the panel", value: panel?.name ?? "" },
    {
      is: "url",
      name: "financePanel.url",
      label: "The panel's address",
      value: panel?.url ?? "",
      hint: "https, on port 443 or 8443."
    },
    {
      is: "password",
      name: "financePanel.secret",
      label: "The secret shared with the panel",
      hint: secretHint,
      autocomplete: "off"
    }
  ],
  body: (fields) => {
    const panel = {
      name: textOf(fields, "financePanel.name"),
      url: textOf(fields, "financePanel.url"),
      secret: textOf(fields, "financePanel.secret")
    }
    return { financePanel: Object.values(panel).every((text) => text === "") ? null : panel }
  }
} satisfies SettingsGroup

const daysIn = (fields: URLSearchParams) =>
  // Object.fromEntries loses the key type; a number without a form's words does not pass the test of the forms.
  Object.fromEntries(daySettings.map(({ name }) => [name, numberOf(fields, name)])) as Readonly<
    Record<DaySetting, number | string>
  >

export const assuranceLabels: Readonly<Record<LeastAssurance, string>> = {
  FACE_MATCH: "Document and selfie show one face",
  DOCUMENT: "The document's text fits the customer as well",
  PROVIDER: "An outside provider says so"
}

const rules = {
  title: "Windows, retention and assurance",
  about:
    "How long customers have, how long what is known of them is kept, and what completes an identity check without a person.",
  fields: (company) => [
    ...daySettings.map(
      ({ label, least, most, name }) =>
        ({ is: "number", name, label, value: company[name], required: true, hint: `${least} to ${most} days` }) as const
    ),
    {
      is: "select",
      name: "assurance",
      label: "What completes an identity check without a person",
      value: company.assurance,
      choices: LeastAssurance.literals.map((value) => ({ value, label: assuranceLabels[value] })),
      hint: "A check that reaches less is a review. Checks from now on count."
    }
  ],
  body: (fields) => ({ ...daysIn(fields), assurance: textOf(fields, "assurance") })
} satisfies SettingsGroup

const signIn = {
  title: "Sign-in",
  about: "How your people sign in to this console: with a link that is mailed, and with a passkey if they have one.",
  fields: ({ passkeysRequired: value }) => [
    {
      is: "tick",
      name: "passkeysRequired",
      label: "Every member signs in with a passkey",
      value,
      hint: "Who has none adds one before anything else. Add your own first, on the page “Team”."
    }
  ],
  body: (fields) => ({ passkeysRequired: fields.has("passkeysRequired") })
} satisfies SettingsGroup

const hoursField = (code: Language): string => `brand.hoursIn.${code}`

const brand = {
  title: "Brand",
  about: "How pages and mails to your customers look. An empty field takes that part away.",
  fields: ({ brand: { colour, hours, hoursIn, returnUrl, telephone } }) => [
    {
      is: "text",
      name: "brand.colour",
      label: "Colour",
      value: colour,
      hint: html`Such as <code>#1a56ab</code>. It is made darker or lighter until text can be read; the preview shows
        how.`
    },
    {
      is: "tel",
      name: "brand.telephone",
      label: "Telephone",
      value: telephone,
      hint: "With its country code, such as +44 113 496 0000."
    },
    {
      is: "area",
      name: "brand.hours",
      label: "Hours",
      value: hours,
      hint: `When somebody answers; at most ${mostHoursLines} lines. Customers read this text as it is, unless there is one in their language below.`
    },
    ...languageCodes.map((code) => ({
      is: "area" as const,
      name: hoursField(code),
      label: `Hours in ${languages[code].name}`,
      value: hoursIn[code] ?? null
    })),
    {
      is: "url",
      name: "brand.returnUrl",
      label: "Back to your site",
      value: returnUrl,
      hint: "The https address that customers who are done go back to."
    }
  ],
  body: (fields) => ({
    brand: {
      colour: textOrNull(fields, "brand.colour"),
      telephone: textOrNull(fields, "brand.telephone"),
      hours: linesOrNull(fields, "brand.hours"),
      hoursIn: Object.fromEntries(languageCodes.map((code) => [code, linesOrNull(fields, hoursField(code))])),
      returnUrl: textOrNull(fields, "brand.returnUrl")
    }
  })
} satisfies SettingsGroup

const sandbox = {
  title: "Sandbox",
  about: "What test keys meet: take something away to see how your program copes.",
  fields: ({ sandbox: { credits, identityConfigured, pace, panelConfigured } }) => [
    {
      is: "tick",
      name: "sandbox.identityConfigured",
      label: "Test journeys find an identity provider",
      value: identityConfigured
    },
    {
      is: "tick",
      name: "sandbox.panelConfigured",
      label: "Test journeys find a finance panel",
      value: panelConfigured
    },
    { is: "tick", name: "sandbox.credits", label: "Test journeys find credit", value: credits },
    {
      is: "text",
      name: "sandbox.pace",
      label: "Seconds a step",
      value: pace === undefined ? "" : String(pace),
      hint: html`${fastestPaceSeconds} to ${slowestPaceSeconds}, or <code>manual</code>: no step by itself. Empty: the
        service's own pace.`
    }
  ],
  body: (fields) => {
    const pace = textOrNull(fields, "sandbox.pace")
    return {
      sandbox: {
        identityConfigured: fields.has("sandbox.identityConfigured"),
        panelConfigured: fields.has("sandbox.panelConfigured"),
        credits: fields.has("sandbox.credits"),
        pace: pace === null ? null : numberOf(fields, "sandbox.pace")
      }
    }
  }
} satisfies SettingsGroup

/** What somebody of the company sets; only the operator turns a company on and off. */
type Setting = Exclude<keyof CompanyPatch, "active">

type SetBy<Groups extends Readonly<Record<string, SettingsGroup>>> = {
  [Name in keyof Groups]: keyof ReturnType<Groups[Name]["body"]>
}[keyof Groups]

/** Takes the groups if every setting has its place in one of them; the type names those that have none. */
const withEverySetting = <const Groups extends Readonly<Record<string, SettingsGroup>>>(
  groups: Groups &
    (Exclude<Setting, SetBy<Groups>> extends never ? unknown : { readonly lacks: Exclude<Setting, SetBy<Groups>> })
): Groups => groups

/** Each group by the id of its form. */
export const settingsGroups = withEverySetting({
  general,
  "identity-provider": identityProvider,
  "finance-panel": financePanel,
  rules,
  "sign-in": signIn,
  reasons: readyReasonsGroup,
  brand,
  sandbox
})

export type SettingsGroupName = keyof typeof settingsGroups

export const isSettingsGroup = (name: string | null): name is SettingsGroupName =>
  name !== null && Object.hasOwn(settingsGroups, name)
