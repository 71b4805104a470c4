/**
 * Takes away again the providers of companies that were changed or taken away. The secret of after was lost with the database, so the
 * company has none until it sets one: its live journeys do not start, and those that run say so to the team as for any company without one.
 * Customers checked by the service itself are checked on: that has no secret.
 */
import { providerKinds, type ProviderKind } from "../../actors/company/providers.ts"
import { byStatement, endEach, endThose, isBefore, timesOf, uuidsOf, withLine, type Ending } from "./ending.ts"

const endOf = (provider: ProviderKind, field: string) =>
  byStatement<"PROVIDER">(
    withLine(
      `update companies c set ${provider} = null from unnest($1::uuid[], $2::timestamptz[]) t (id, since)
       where c.id = t.id and c.${provider} ->> 'sealedSecret' is not null and ${isBefore(`c.${provider}_since`)}
       returning c.id, c.id as company_id`,
      "company.changed",
      `json_build_object('fields', json_build_array('${field}'), 'values', json_build_object('${field}', null))`
    ),
    (lines) => [uuidsOf(lines, ({ companyId }) => companyId), timesOf(lines)]
  )

const ends: Readonly<Record<ProviderKind, Ending<"PROVIDER">>> = {
  identity_provider: endOf("identity_provider", "identityProvider"),
  finance_panel: endOf("finance_panel", "financePanel")
}

export const endProviders: Ending<"PROVIDER"> = (lines) =>
  endEach(providerKinds, (kind) =>
    endThose(
      lines.filter(({ provider }) => provider === kind),
      ends[kind]
    )
  )
