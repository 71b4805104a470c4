/**
 * The change of an endpoint's health, with the mail to the company's owners that the change causes. What a change
 * is, and when one is written, is decided in `actors/webhook/rules`.
 */
import type { HealthChange } from "../../../actors/webhook/rules/healthChanges.ts"
import { dateOrNull } from "../../postgres/parameters.ts"
import { modeOf } from "../../../schema/Mode.ts"
import type { MailId } from "../../../schema/ids.ts"

/** Writes an endpoint's health and the mail, unless the endpoint was saved in between. */
export const healthStatement = `
with u as (
  update webhook_endpoints set
    failing_since = $3::timestamptz, last_failed_at = $4::timestamptz, warnings = $5::int4,
    enabled = enabled and $6::timestamptz is null,
    off_reason = case when enabled and $6::timestamptz is not null then 'UNREACHABLE' else off_reason end,
    off_since = case when enabled and $6::timestamptz is not null then $6::timestamptz else off_since end
  where id = $1::uuid and revision = $2::int4 and removed_at is null
  returning id, company_id
)
insert into mails (id, cause, kind, company_id, facts, created_at, due_at)
select $7::uuid, $8::text, $9::text, u.company_id, $10::json, $11::timestamptz, $11::timestamptz
from u where $7::uuid is not null
on conflict (cause) do nothing`

const instant = (millis: number): string => new Date(millis).toISOString()

/** The mail that a change causes: one for each cause, no matter how often the change is written. */
const mailOf = ({ at, endpoint, health, turnedOffAt, warning }: HealthChange, id: string) => {
  const facts = {
    endpointId: endpoint.id,
    mode: modeOf(endpoint.livemode),
    // A path or a query may be a secret of the receiver's.
    url: new URL(endpoint.url).origin,
    failingSince: instant(health.failingSince ?? at)
  }
  const failing = `${endpoint.id}|${endpoint.revision}|${facts.failingSince}`
  if (turnedOffAt !== null) {
    return {
      id,
      cause: `endpoint-off|${failing}`,
      kind: "ENDPOINT_OFF",
      facts: { ...facts, offSince: instant(turnedOffAt) }
    }
  }
  return warning === null
    ? null
    : {
        id,
        cause: `endpoint-failing|${failing}|${warning}`,
        kind: "ENDPOINT_FAILING",
        facts: { ...facts, hours: warning }
      }
}

/** The parameters of the statement. `mailId` is the id of the mail, if the change causes one. */
export const healthParameters = (change: HealthChange, mailId: MailId): ReadonlyArray<unknown> => {
  const { at, endpoint, health, turnedOffAt } = change
  const mail = mailOf(change, mailId)
  return [
    endpoint.id,
    endpoint.revision,
    dateOrNull(health.failingSince),
    dateOrNull(health.lastFailedAt),
    health.warnings,
    dateOrNull(turnedOffAt),
    mail?.id ?? null,
    mail?.cause ?? null,
    mail?.kind ?? null,
    mail === null ? null : JSON.stringify(mail.facts),
    new Date(at)
  ]
}
