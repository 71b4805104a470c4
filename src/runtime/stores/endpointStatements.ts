/**
 * The statements by which the settings change webhook endpoints. As with companies, each begins with the company's id
 * and its audit line, and writes the line exactly when it changed a row.
 */
import { audited } from "./auditedChange.ts"

/** Forgets what failures had led to. */
const healthy = "failing_since = null, last_failed_at = null, warnings = 0"

export const addEndpointStatement = audited(`
  insert into webhook_endpoints (company_id, livemode, url, events, enabled, off_reason, off_since, sealed_secret,
    created_at, id)
  values ($1, $6, $7, $8, $9::boolean, case when not $9::boolean then 'BY_HAND' end,
    case when not $9::boolean then $5::timestamptz end, $10, $5, $11)
  on conflict on constraint webhook_endpoints_of_mode do nothing`)

/** One that stays off has been off since it was; one that comes back after a removal is off from now on. */
export const saveEndpointStatement = audited(`
  update webhook_endpoints set
    url = $7::text,
    events = $8::text[],
    enabled = $9::boolean,
    off_reason = case when not $9::boolean then 'BY_HAND' end,
    off_since = case when not $9::boolean then
      coalesce(case when removed_at is null then off_since end, $5::timestamptz) end,
    sealed_secret = coalesce($10::bytea, sealed_secret),
    sealed_previous_secret = case when $10::bytea is null then sealed_previous_secret end,
    previous_until = case when $10::bytea is null then previous_until end,
    removed_at = null,
    revision = revision + 1,
    ${healthy}
  where company_id = $1::uuid and livemode = $6::boolean and revision = $11::integer`)

/** As it was read, and not removed. */
const asRead = "where company_id = $1::uuid and id = $6::uuid and revision = $7::integer and removed_at is null"

/** A roll leaves the revision, for a streak of failures goes on over it; the secret it replaces tells two rolls apart. */
export const rollSecretStatement = audited(`
  update webhook_endpoints set
    sealed_secret = $8::bytea,
    sealed_previous_secret = case when $9::timestamptz is not null then sealed_secret end,
    previous_until = $9::timestamptz
  ${asRead} and sealed_secret = $10::bytea`)

/** Nothing signs for it any more: its secrets go. */
export const removeEndpointStatement = audited(`
  update webhook_endpoints set
    enabled = false,
    off_reason = 'BY_HAND',
    off_since = coalesce(off_since, $5::timestamptz),
    sealed_secret = '',
    sealed_previous_secret = null,
    previous_until = null,
    removed_at = $5::timestamptz,
    revision = revision + 1,
    ${healthy}
  ${asRead}`)
