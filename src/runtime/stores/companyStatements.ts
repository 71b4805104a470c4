/**
 * The statements that change companies and keys. Each begins with the same five parameters, the company's id and its
 * audit line (actor, action, details, time), and writes the line exactly when it changed a row.
 */

/** The line of a change whose rows are `changed`. */
export const auditLine = `
  insert into audit (company_id, actor, action, details, at)
  select $1::uuid, $2::text, $3::text, $4::json, $5::timestamptz from changed`

export const audited = (change: string): string => `
with changed as (${change} returning *),
line as (${auditLine})
select * from changed`

export const addCompanyStatement = audited(`
  insert into companies (id, name, kind, admin_email, active, identity_window_days, handover_window_days,
    media_retention_days, sandbox, created_at)
  values ($1, $6, $7, $8, $9, $10, $11, $12, $13, $14)`)

/** A null keeps what is there; the two columns that may become null say in front whether they are named. */
export const changeCompanyStatement = audited(`
  update companies set
    name = coalesce($6::text, name),
    admin_email = coalesce($7::text, admin_email),
    active = coalesce($8::boolean, active),
    identity_window_days = coalesce($9::integer, identity_window_days),
    handover_window_days = coalesce($10::integer, handover_window_days),
    media_retention_days = coalesce($11::integer, media_retention_days),
    sandbox = json_strip_nulls((sandbox::jsonb || $12::jsonb)::json),
    identity_provider = case when $13::boolean then $14::json else identity_provider end,
    finance_panel = case when $15::boolean then $16::json else finance_panel end
  where id = $1::uuid`)

export const addKeyStatement = audited(`
  insert into api_keys (company_id, id, livemode, name, hash, last4, scopes, developer, expires_at, created_at)
  values ($1, $6, $7, $8, $9, $10, $11, $12, $13, $14)`)

const ofLivingKey = "where company_id = $1::uuid and id = $6::uuid and revoked_at is null"

export const changeKeyStatement = audited(`
  update api_keys set
    name = coalesce($7::text, name),
    scopes = coalesce($8::text[], scopes),
    developer = coalesce($9::boolean, developer),
    expires_at = case when $10::boolean then $11::timestamptz else expires_at end
  ${ofLivingKey}`)

export const rotateKeyStatement = audited(`update api_keys set hash = $7::bytea, last4 = $8::text ${ofLivingKey}`)

export const revokeKeyStatement = audited(`update api_keys set revoked_at = $5::timestamptz ${ofLivingKey}`)
