/** What the pages of API keys share: how a key's state, expiry and permissions are said, and the fields of its forms. */
import { KeyScope, type ApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { Duration } from "effect"
import { timestamp } from "../../../schema/moment.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import type { FormParts } from "../frame/forms.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

export const keysPath = "/console/keys"

export const keyPath = (id: string): string => `${keysPath}/${id}`

export const keyName = ({ last4, name }: Pick<ApiKeyResource, "last4" | "name">): Html =>
  name === "" ? html`the key that ends with <code>${last4}</code>` : html`<bdi>${name}</bdi> (…<code>${last4}</code>)`

const scopeWords: Readonly<Record<KeyScope, string>> = {
  "journeys:read": "read journeys and events",
  "journeys:write": "start and change journeys",
  "journeys:simulate": "force outcomes of test journeys"
}

export const scopesShown = (scopes: ReadonlyArray<KeyScope>): string =>
  scopes.length === KeyScope.literals.length ? "everything" : scopes.map((scope) => scopeWords[scope]).join(", ")

export const stateOf = ({ developer, expiresAt, revokedAt }: ApiKeyResource, now: string): Shown => {
  if (revokedAt !== null) return html`Revoked ${shownTime(revokedAt)}`
  if (expiresAt !== null && expiresAt <= now) return "Expired"
  return developer ? "Works" : "Does not reach the API"
}

/** A key ends with a day, in UTC. */
const endOfDay = (day: string): string => [day, "23:59:59Z"].join("T")
export const dayOf = (expiresAt: string | null): string => expiresAt?.slice(0, 10) ?? ""

/** The day of the form as the operation takes it; null: the key never ends. */
export const expiryOf = (fields: URLSearchParams): string | null => {
  const day = fields.get("expiresAt") ?? ""
  return day === "" ? null : endOfDay(day)
}

/** The end that the form suggests for a new key. */
export const usualEndOf = (now: number): string =>
  timestamp(now + Duration.toMillis(Duration.days(companyLimits.usualKeyDays)))

/** One address or block a line. */
export const addressesOf = (fields: URLSearchParams): ReadonlyArray<string> =>
  (fields.get("addresses") ?? "").split(/[\s,]+/).filter((one) => one !== "")

export const lastUse = ({ lastUsedAt }: Pick<ApiKeyResource, "lastUsedAt">): Shown =>
  lastUsedAt === null ? "Never" : shownTime(lastUsedAt)

/** The fields that a key has when it is made and when it is changed. */
export const keyFields = ({
  addresses,
  expiresAt,
  name,
  scopes
}: Pick<ApiKeyResource, "addresses" | "expiresAt" | "name" | "scopes">): FormParts["fields"] => [
  {
    is: "text",
    name: "name",
    label: "Name, for your own people",
    value: name,
    maxLength: companyLimits.longestKeyName,
    autocomplete: "off",
    placeholder: "Showroom system"
  },
  {
    is: "ticks",
    name: "scopes",
    label: "It may",
    value: scopes,
    choices: KeyScope.literals.map((value) => ({
      value,
      label: html`${scopeWords[value]} <small>(<code>${value}</code>)</small>`
    }))
  },
  {
    is: "date",
    name: "expiresAt",
    label: "Last day, in UTC; empty for a key that never ends",
    value: dayOf(expiresAt)
  },
  {
    is: "area",
    name: "addresses",
    label: "Only from these addresses, one a line; empty for every address",
    hint: "Such as 203.0.113.7 or 2001:db8:7::/48. From elsewhere the key is refused with 403.",
    value: addresses.join("\n"),
    rows: 3
  }
]
