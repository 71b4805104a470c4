/**
 * The page of a company's settings: a form for each group for an owner, and the same facts to read for the team. A form says beside
 * its fields what the operation refused, and afterwards what was changed. The groups are in `companyForms.ts`.
 */
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { CompanyResource } from "../../../schema/company/Company.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { languageCodes, languages } from "../../../schema/words/locale/languages.ts"
import { companyOperations } from "../../api/company/companies.ts"
import { mailStandingOperations } from "../../api/installation/mailStandings.ts"
import { readFileForm } from "../../server/bodies/fileForm.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { hasToken, refuseForeign, refuseWithoutToken } from "../../server/callers/forgery.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { problem } from "../../server/answers/problems.ts"
import { mailStandingPart } from "./mailStanding.ts"
import { brandPreview } from "./brandPreview.ts"
import { assuranceLabels, isSettingsGroup, settingsGroups, type SettingsGroupName } from "./companyForms.ts"
import { daySettings } from "./daySettings.ts"
import { refusedBefore } from "./settingsGroup.ts"
import { unsavedPath } from "../frame/assets.ts"
import { companyForm, companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, formOf, orShownAgain, type ConsoleFormState } from "../frame/forms.ts"
import { askedFirst, factList } from "../frame/lists.ts"
import { redirectAfterStep } from "../overview/firstSteps.ts"

const path = "/console/company"
const logoForm = `${path}/logo`
const logoField = "brand.logo"

/** The form that is shown again, with what was refused. */
interface ShownAgain {
  readonly group: SettingsGroupName | "logo"
  readonly state: ConsoleFormState
}

const stateOf = (group: ShownAgain["group"], again: ShownAgain | null): ConsoleFormState =>
  again?.group === group ? again.state : asFirstShown

const logoForms = (user: CompanyUser, again: ShownAgain | null): Html =>
  html`${formOf(user, {
    id: "logo",
    action: logoForm,
    button: "Save the logo",
    state: stateOf("logo", again),
    fields: [
      {
        is: "file",
        name: logoField,
        label: "Logo",
        accept: "image/png, image/jpeg",
        hint: `PNG or JPEG, at most ${companyLimits.largestLogoBytes / 1024} KB and ${companyLimits.longestLogoSidePixels} pixels a side. Drawn for a light ground.`
      }
    ]
  })}
  ${
    user.company.brand.logo !== null &&
    askedFirst(
      "Take the logo away",
      formOf(user, {
        id: "logo-away",
        action: path,
        button: "Take it away now",
        isDangerous: true,
        fields: [{ is: "hidden", name: "form", value: "logo" }]
      })
    )
  }`

const groupSection = (user: CompanyUser, group: SettingsGroupName, again: ShownAgain | null): Html => {
  const { about, fields, title } = settingsGroups[group]
  return html`<section aria-labelledby="${group}-title" class="settings">
    <h2 id="${group}-title">${title}</h2>
    <p>${about}</p>
    ${group === "brand" && brandPreview(user.company)}
    ${formOf(user, {
      id: group,
      action: path,
      button: `Save: ${title.toLowerCase()}`,
      state: stateOf(group, again),
      fields: [{ is: "hidden", name: "form", value: group }, ...fields(user.company)]
    })}
    ${group === "brand" && logoForms(user, again)}
  </section>`
}

/** The way to each group: the page is some five screens long. */
const onThisPage = (): Html =>
  html`<nav aria-label="On this page">
    <p>
      ${Object.entries(settingsGroups).map(([group, { title }]) => html`<a href="#${group}-title">${title}</a> · `)}
      <a href="#mail">Mail to customers</a>
    </p>
  </nav>`

/** What nobody of the company can change. */
const fixedFacts = ({ active, id, kind }: CompanyResource) =>
  [
    ["Id", html`<code>${id}</code>`],
    ["Kind", kind === "DEALER" ? "Dealer" : "Broker"],
    ["State", active ? "On: its keys work" : "Off: its keys do not work. Only the operator turns it on."]
  ] as const

const providerFact = (provider: CompanyResource["identityProvider"]): Shown => {
  if (provider === null) return null
  return "url" in provider ? html`A provider at <bdi>${provider.url}</bdi>` : "The service itself"
}

const linesOf = (text: string | null): Shown =>
  text === null ? null : html`<span class="case-lines"><bdi>${text}</bdi></span>`

/** What somebody of the team reads. */
const facts = (company: CompanyResource): Html => {
  const { brand, financePanel, sandbox } = company
  return html`<p>An owner of the company can change this.</p>
    ${factList([
      ["Name", html`<bdi>${company.name}</bdi>`],
      ["Administrator's address", html`<bdi>${company.adminEmail}</bdi>`],
      ["Language", languages[company.language].name],
      ["Identity provider", providerFact(company.identityProvider)],
      ["Finance panel", financePanel && html`<bdi>${financePanel.name}</bdi> at <bdi>${financePanel.url}</bdi>`],
      ...daySettings.map(({ label, name }) => [label, company[name]] as const),
      ["Completes a check without a person", assuranceLabels[company.assurance]],
      ["Passkeys", company.passkeysRequired ? "every member signs in with one" : "each member as they like"],
      ["Reasons to approve", linesOf(company.approvalReasons)],
      ["Reasons to reject", linesOf(company.rejectionReasons)],
      ["Telephone", brand.telephone],
      ["Hours", brand.hours],
      ...languageCodes
        .filter((code) => brand.hoursIn[code] !== undefined)
        .map((code) => [`Hours in ${languages[code].name}`, brand.hoursIn[code] ?? null] as const),
      ["Back to the site", brand.returnUrl],
      [
        "Sandbox",
        `identity ${sandbox.identityConfigured ? "on" : "off"}, panel ${sandbox.panelConfigured ? "on" : "off"}, credit ${
          sandbox.credits ? "on" : "off"
        }, seconds a step: ${sandbox.pace ?? "the service's own"}`
      ]
    ])}
    <h2>Brand</h2>
    ${brandPreview(company)}`
}

const isTeam = ({ asker }: CompanyUser): boolean => asker._tag === "Member" && asker.role === "TEAM"

const companySettingsPage = (user: CompanyUser, again: ShownAgain | null) =>
  Effect.gen(function* () {
    const standing = yield* ask(mailStandingOperations, "getMailStanding", { path: user.path })
    return yield* showPage(user, {
      heading: "Company",
      status: again === null ? pageStatus.shown : pageStatus.unusable,
      scripts: [unsavedPath],
      content: html`${factList(fixedFacts(user.company))}
      ${
        isTeam(user)
          ? facts(user.company)
          : [
              onThisPage(),
              ...Object.keys(settingsGroups)
                .filter(isSettingsGroup)
                .map((group) => groupSection(user, group, again))
            ]
      }
      ${mailStandingPart(standing)}`
    })
  })

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The names of what differs, those inside a setting by their own names. A secret is in no answer, so a provider's is not seen. */
const changedNames = (before: Members, after: Members): ReadonlyArray<string> =>
  Object.keys(after).flatMap((name) => {
    const [old, now] = [before[name], after[name]]
    if (isMembers(old) && isMembers(now)) return changedNames(old, now)
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [name]
  })

/** `identityWindowDays` as a sentence has it. */
const asWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** As the form calls it, where a form has such a field. */
const labelOf = (company: CompanyResource, name: string): string => {
  const fields = Object.values(settingsGroups).flatMap(
    (group): ReadonlyArray<{ readonly name: string; readonly label: string }> => group.fields(company)
  )
  const field = fields.find((one) => one.name === name || one.name.endsWith(`.${name}`))
  return field === undefined ? asWords(name) : `“${field.label}”`
}

const whatChanged = (before: CompanyResource, after: CompanyResource, sentSecret: boolean): string => {
  const names = changedNames({ ...before }, { ...after }).map((name) => labelOf(after, name))
  if (sentSecret) names.push("secret")
  return names.length === 0 ? "Nothing was changed: it was like that already." : `Changed: ${names.join(", ")}.`
}

/** `missing`: what the page itself found wrong with the fields; the operation refuses these fields, too, in other words. */
const save = (
  user: CompanyUser,
  group: ShownAgain["group"],
  body: unknown,
  fields: URLSearchParams,
  missing: ConsoleFormState["errors"] = []
) =>
  Effect.gen(function* () {
    const changed = yield* orShownAgain(ask(companyOperations, "changeCompany", { path: user.path, body }), fields)
    if ("state" in changed) {
      const { errors, typed } = changed.state
      const others = errors.filter(({ field }) => missing.every((one) => one.field !== field))
      return yield* companySettingsPage(user, { group, state: { typed, errors: [...missing, ...others] } })
    }
    const sentSecret = [...fields].some(([name, value]) => name.endsWith(".secret") && value.trim() !== "")
    return yield* redirectAfterStep(user, path, whatChanged(user.company, changed, sentSecret))
  })

const saveGroup = (user: CompanyUser, fields: URLSearchParams) => {
  const group = fields.get("form")
  if (group === "logo") return save(user, "logo", { brand: { logo: null } }, fields)
  if (!isSettingsGroup(group)) return Effect.fail(problem("VALIDATION_FAILED", "form", "The page has no such form"))
  const { lost, missing } = refusedBefore(settingsGroups[group], fields, user.company)
  if (lost.length > 0) {
    return companySettingsPage(user, { group, state: { typed: fields, errors: [...missing, ...lost] } })
  }
  return save(user, group, settingsGroups[group].body(fields), fields, missing)
}

/** A form with a file is read by other means than a plain form, and is judged like it. */
const saveLogo = (user: CompanyUser) =>
  Effect.gen(function* () {
    yield* refuseForeign(user.request)
    const limits = { [logoField]: companyLimits.largestLogoBytes }
    const form = yield* readFileForm(user.request, limits, (token) => hasToken(user.secret, token))
    yield* refuseWithoutToken(user.request, user.secret, form.token)
    const bytes = form.files.get(logoField) ?? new Uint8Array()
    if (bytes.length === 0) {
      const errors = [{ field: logoField, code: "VALIDATION_FAILED", message: "Choose a file first" }] as const
      return yield* companySettingsPage(user, { group: "logo", state: { typed: null, errors } })
    }
    const logo = Buffer.from(bytes).toString("base64")
    return yield* save(user, "logo", { brand: { logo } }, new URLSearchParams())
  })

export const companyRoutes = [
  { method: "GET", path, handle: companyPage((user) => companySettingsPage(user, null)) },
  { method: "POST", path, handle: companyForm(saveGroup) },
  {
    method: "POST",
    path: logoForm,
    handle: companyPage((user) =>
      Effect.map(saveLogo(user), (response): HttpServerResponse.HttpServerResponse => response)
    )
  }
] as const
