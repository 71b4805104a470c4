/** What the pages of API keys share: how a key's state, expiry and permissions are said, and the fields of its forms. */
import { KeyScope, type ApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import type { FieldError } from "../../../schema/problems.ts"
import { html, type Html, type Shown } from "../../server/html.ts"
import { problemAt, refusedAttributes } from "../frame/fieldProblems.ts"
import { shownTime } from "../../server/shownTime.ts"

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
export const endOfDay = (day: string): string => [day, "23:59:59Z"].join("T")
export const dayOf = (expiresAt: string | null): string => expiresAt?.slice(0, 10) ?? ""

export interface KeyFields {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly lastDay: string
}

export const keyFieldsOf = (fields: URLSearchParams): KeyFields => ({
  name: fields.get("name") ?? "",
  scopes: fields.getAll("scopes"),
  lastDay: fields.get("lastDay") ?? ""
})

/** The fields that a key has when it is made and when it is changed. */
export const keyFields = ({ lastDay, name, scopes }: KeyFields, errors: ReadonlyArray<FieldError>): Html =>
  html`<label>
      Name, for your own people
      <input
        name="name"
        value="${name}"
        maxlength="${companyLimits.longestKeyName}"
        autocomplete="off"
        placeholder="Showroom system"
        ${refusedAttributes("name", errors)}
      />
      ${problemAt("name", errors)}
    </label>
    <fieldset>
      <legend>It may</legend>
      ${KeyScope.literals.map(
        (scope) =>
          html`<label
            ><input type="checkbox" name="scopes" value="${scope}" ${scopes.includes(scope) && html`checked`} />
            ${scopeWords[scope]} <small>(<code>${scope}</code>)</small></label
          >`
      )}
      ${problemAt("scopes", errors)}
    </fieldset>
    <label>
      Last day, in UTC; empty for a key that never ends
      <input type="date" name="lastDay" value="${lastDay}" ${refusedAttributes("expiresAt", errors)} />
      ${problemAt("expiresAt", errors)}
    </label>`
