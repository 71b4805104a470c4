/**
 * The log of callers' requests: one narrow row each, without bodies, names or values. A day has a slot, which is its number modulo 32,
 * and each slot is a table of its own: what is older than 30 days goes by emptying the slot of tomorrow, whatever its size. The id of a
 * request is the Request-Id that its caller was answered with, and its order is that of time.
 */
const slots = Array.from({ length: 32 }, (_, slot) => slot)

export const sql = `
create table requests (
  slot smallint not null,
  id uuid not null,
  at timestamptz not null,
  company_id uuid not null,
  livemode boolean not null,
  key_id uuid not null,
  route text not null,
  status smallint,
  code text,
  fields json not null,
  duration_millis integer not null,
  journey_id uuid,
  is_replay boolean not null
) partition by list (slot);
${slots.map((slot) => `create table requests_${slot} partition of requests for values in (${slot});`).join("\n")}
create index requests_of_company on requests (company_id, livemode, id);
`
