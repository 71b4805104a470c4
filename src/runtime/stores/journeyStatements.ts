/**
 * The two statements that write journeys, for any number of them at once: constant text, prepared once, arrays in.
 * Each writes all rows of a journey's change or none of them, and says by its result what became of each item. Events
 * are written with their deliveries; an endpoint that has something due by it comes back as a row of its own (`DUE`).
 */
import { markSold } from "./vehicleStatements.ts"

/**
 * Deliveries of the events that `e` has written, to the endpoint of their company and mode if it wants them: due at
 * once, or parked while it is off (`eventSelection.ts` has the rule in words). `commits` gives each journey's time.
 */
const deliveries = (commits: string) => `
  insert into deliveries (endpoint_id, event_id, status, due_at)
  select w.id, e.id, case when w.enabled then 'PENDING' else 'PARKED' end, case when w.enabled then c.at end
  from e join ${commits} c on c.id = e.journey_id
    join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode and w.removed_at is null
  where w.events && array['*', e.type, split_part(e.type, '.', 1) || '.*']
  returning endpoint_id, due_at`

/** Mails that the commits owe, due at once; `commits` gives each journey's time, `of` its company. $`from` is the first column. */
const mails = (from: number, of: string) => `
  insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at)
  select gen_random_uuid(), t.journey_id || '|' || t.serial, t.kind, c.company_id, t.journey_id,
    json_build_object('again', t.again, 'attempt', t.serial), c.at, c.at
  from unnest($${from}::uuid[], $${from + 1}::int4[], $${from + 2}::text[], $${from + 3}::bool[])
    as t (journey_id, serial, kind, again)
  join (${of}) c on c.id = t.journey_id
  on conflict (cause) do nothing`

/** A charge in the ledger, from a part with the columns journey_id, company_id, wallet, credits and at. */
const ledgerLines = (charged: string) => `
  insert into wallet_ledger (company_id, wallet, amount, journey_id, note, at)
  select company_id, wallet, -credits, journey_id, 'Check asked for', at from ${charged}`

/**
 * Starts. A row comes back for each journey that was written (`CREATED`), each whose customer has a row already, with
 * that customer's key (`KNOWN`), and each whose wallet is short (`SHORT`). No row means that the idempotency key is
 * taken. Rows go in sorted by their unique keys: two batches that share keys then wait for each other in one order
 * instead of deadlocking.
 */
export const startStatement = `
with r as (
  select * from unnest(
    $1::uuid[], $2::uuid[], $3::bool[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::bytea[], $9::json[],
    $10::timestamptz[], $11::timestamptz[], $12::bytea[], $13::bytea[], $14::bool[], $15::bytea[], $16::text[], $17::json[],
    $30::text[], $31::text[], $32::text[]
  ) as t (id, company_id, livemode, status, external_reference, customer_id, idempotency_key, fingerprint, state,
    wake_at, at, email_index, wrapped_key, is_new, sealed, sender, message, type, waiting_on, traceparent)
), known as (
  select r.id, c.id as customer_id, c.wrapped_key
  from r join customers c using (company_id, livemode, email_index)
  where r.is_new and c.wrapped_key is not null
), h as (
  select * from unnest($18::uuid[], $19::uuid[], $20::text[], $21::int8[], $33::bool[])
    as t (journey_id, company_id, wallet, credits, is_charged)
), locked as (
  select w.company_id, w.wallet, w.balance - w.held as free
  from wallets w
  where (w.company_id, w.wallet) in (select h.company_id, h.wallet from h)
  order by w.company_id, w.wallet
  for update
), short as (
  select h.journey_id, h.wallet
  from (
    select h.*, sum(credits) over (partition by company_id, wallet order by journey_id) as wanted from h
  ) h left join locked using (company_id, wallet)
  where locked.free is null or h.wanted > locked.free
), j as (
  insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key,
    fingerprint, state, wake_at, created_at, type, waiting_on, traceparent)
  select id, company_id, livemode, status, 1, external_reference, customer_id, idempotency_key,
    fingerprint, state, wake_at, at, type, waiting_on, traceparent
  from r
  where not exists (select from known where known.id = r.id) and not exists (select from short where short.journey_id = r.id)
  order by company_id, livemode, idempotency_key
  on conflict on constraint journeys_idempotency_key do nothing
  returning id
), c as (
  insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
  select customer_id, company_id, livemode, email_index, wrapped_key, at
  from r join j using (id) where is_new
  order by company_id, livemode, email_index
), p as (
  insert into personal_records (journey_id, customer_id, sealed) select id, customer_id, sealed from r join j using (id)
), l as (
  insert into journal (journey_id, version, message_id, sender, message, at)
  select id, 1, id, sender, message, at from r join j using (id)
), e as (
  insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at, traceparent, version)
  select e.journey_id, e.sequence, e.id, r.company_id, r.livemode, e.type, e.body, e.at, r.traceparent, 1
  from unnest($22::uuid[], $23::int4[], $24::uuid[], $25::text[], $26::text[], $27::timestamptz[])
    as e (journey_id, sequence, id, type, body, at)
  join r on r.id = e.journey_id join j on j.id = r.id
  returning id, journey_id, company_id, livemode, type
), d as (${deliveries("r")}
), ph as (
  insert into customer_photos (journey_id, customer_id, sealed, at)
  select p.journey_id, r.customer_id, p.sealed, r.at
  from unnest($28::uuid[], $29::bytea[]) as p (journey_id, sealed) join r on r.id = p.journey_id join j on j.id = r.id
), u as (
  update wallets w set held = w.held + t.held, balance = w.balance - t.charged
  from (
    select h.company_id, h.wallet, coalesce(sum(h.credits) filter (where not is_charged), 0) as held,
      coalesce(sum(h.credits) filter (where is_charged), 0) as charged
    from h join j on j.id = h.journey_id group by 1, 2
  ) t
  where w.company_id = t.company_id and w.wallet = t.wallet
), taken as (
  select h.*, r.at from h join j on j.id = h.journey_id join r on r.id = j.id
), wh as (
  insert into wallet_holds (journey_id, company_id, wallet, credits, at)
  select journey_id, company_id, wallet, credits, at from taken where not is_charged
), wl as (${ledgerLines("taken where is_charged")}
), ml as (${mails(34, "select id, r.company_id, r.at from r join j using (id)")}
)
select id, 'CREATED' as outcome, null::uuid as customer_id, null::bytea as wrapped_key, null as wallet from j
union all select id, 'KNOWN', customer_id, wrapped_key, null from known
union all select journey_id, 'SHORT', null, null, wallet from short
union all select distinct endpoint_id, 'DUE', null::uuid, null::bytea, null from d where due_at is not null`

/** Handled messages. A row comes back for each journey whose version was the expected one; the others are conflicts. */
export const commitStatement = `
with m as (
  select * from unnest(
    $1::uuid[], $2::int4[], $3::text[], $4::json[], $5::timestamptz[], $6::uuid[], $7::text[], $8::json[], $9::bytea[],
    $10::timestamptz[], $19::text[], $20::text[], $21::text[]
  ) as t (id, expected, status, state, wake_at, message_id, sender, message, sealed_note, at, type, waiting_on, traceparent)
), u as (
  update journeys j
  set version = j.version + 1, status = m.status, state = m.state, wake_at = m.wake_at, set_aside_at = null,
    type = m.type, waiting_on = m.waiting_on, traceparent = m.traceparent
  from m where j.id = m.id and j.version = m.expected
  returning j.id, j.version, j.company_id, j.livemode, j.customer_id, j.traceparent
), l as (
  insert into journal (journey_id, version, message_id, sender, message, sealed_note, at)
  select u.id, u.version, m.message_id, m.sender, m.message, m.sealed_note, m.at from m join u using (id)
), e as (
  insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at, traceparent, version)
  select e.journey_id, e.sequence, e.id, u.company_id, u.livemode, e.type, e.body, e.at, u.traceparent, u.version
  from unnest($11::uuid[], $12::int4[], $13::uuid[], $14::text[], $15::text[], $16::timestamptz[])
    as e (journey_id, sequence, id, type, body, at)
  join u on u.id = e.journey_id
  returning id, journey_id, company_id, livemode, type
), ph as (
  insert into customer_photos as old (journey_id, customer_id, sealed, at)
  select p.journey_id, u.customer_id, p.sealed, m.at
  from unnest($17::uuid[], $18::bytea[]) as p (journey_id, sealed) join u on u.id = p.journey_id join m on m.id = u.id
  on conflict (journey_id) do update set sealed = excluded.sealed, at = excluded.at
), d as (${deliveries("m")}
), ml as (${mails(22, "select u.id, u.company_id, m.at from u join m using (id)")}
), charge as (
  select * from unnest($26::uuid[], $27::text[]) as t (journey_id, wallet)
), spent as (
  delete from wallet_holds h using u, m
  where h.journey_id = u.id and m.id = u.id
    and (h.journey_id in (select unnest($28::uuid[])) or (h.journey_id, h.wallet) in (select journey_id, wallet from charge))
  returning h.journey_id, h.company_id, h.wallet, h.credits, m.at,
    (h.journey_id, h.wallet) in (select journey_id, wallet from charge) as is_charged
), locked as (
  select company_id, wallet from wallets where (company_id, wallet) in (select company_id, wallet from spent)
  order by company_id, wallet for update
), w as (
  update wallets w set held = w.held - t.credits, balance = w.balance - t.charged
  from (
    select company_id, wallet, sum(credits) as credits, coalesce(sum(credits) filter (where is_charged), 0) as charged
    from spent join locked using (company_id, wallet) group by 1, 2
  ) t
  where w.company_id = t.company_id and w.wallet = t.wallet
), wl as (${ledgerLines("spent where is_charged")}
), sold as (
  select t.journey_id, u.company_id, t.vehicle_id, m.at
  from unnest($29::uuid[], $30::text[]) as t (journey_id, vehicle_id) join u on u.id = t.journey_id join m on m.id = u.id
), ${markSold("sold")}
select id, 'COMMITTED' as outcome from u
union all select distinct endpoint_id, 'DUE' from d where due_at is not null`

export const loadStatement = `
select j.id, j.version, j.state, j.traceparent,
  (select json_object_agg(l.message_id, l.message) from journal l where l.journey_id = j.id) as handled
from journeys j where j.id = any($1::uuid[])`

export const readStatement = `
select id, company_id, livemode, version, state from journeys where id = any($1::uuid[])`
