/**
 * Parts that the statements of starts and commits share: deliveries of new events, mails, lines of the wallets' ledger, and
 * vehicles that a completed handover sells.
 */
import { Duration } from "effect"
import { mailLimits } from "../../../actors/mail/limits.ts"

/**
 * Deliveries of the events that the part `e` has written, to the endpoint of their company and mode if it wants them. A
 * delivery is due at once, or parked while its endpoint is off (`schema/webhook/EventSelection.ts` has the rule in words). `commits` is
 * the part that gives each journey's time and test clock. The clock may be ahead: what is due at once is due by the real time.
 */
export const insertDeliveries = (commits: string) => `
  insert into deliveries (endpoint_id, event_id, status, due_at, clock_id)
  select w.id, e.id, case when w.enabled then 'PENDING' else 'PARKED' end, case when w.enabled then least(c.at, now()) end, c.clock_id
  from e join ${commits} c on c.id = e.journey_id
    join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode and w.removed_at is null
  where w.events && array['*', e.type, split_part(e.type, '.', 1) || '.*']
  returning endpoint_id, due_at`

/** The end of the cause of a mail to a named dealer. Of those that are shared out among its members, the id of one follows. */
export const dealerCause = "|dealer"

/**
 * Mails of the commits, due at once by the real time but for those that wait for their customer to leave. Those that go straight into
 * the built-in mailbox have left, and are written when somebody reads them. `mails` is their source; `journeys` gives each journey's id,
 * company, mode, time and span, and the line of its journal that owes the mails.
 */
export const insertMails = (mails: string, journeys: string) => `
  insert into mails (id, cause, kind, company_id, livemode, journey_id, facts, created_at, sent_at, is_unwritten, tries, due_at, traceparent)
  select gen_random_uuid(), t.journey_id || '|' || t.serial, t.kind, c.company_id, c.livemode, t.journey_id,
    json_strip_nulls(json_build_object('again', t.again, 'reminder', t.reminder, 'until', t.until, 'attempt', t.serial, 'waits', nullif(t.waits, false), 'line', c.line)), least(c.at, now()),
    case when t.is_unwritten then least(c.at, now()) end, t.is_unwritten, t.is_unwritten::int4,
    case when not t.is_unwritten then least(c.at, now()) end + case when t.waits then interval '${Duration.toSeconds(mailLimits.customerAwayFor)} seconds' else interval '0' end,
    c.traceparent
  from (${mails}) t join (${journeys}) c on c.id = t.journey_id
  on conflict (cause) do nothing`

/** To the dealers whom brokers have named for handovers that exist now; `handovers` and `journeys` as above, the company is the dealer. */
export const insertDealerMails = (handovers: string, journeys: string) => `
  insert into mails (id, cause, kind, company_id, livemode, journey_id, facts, created_at, due_at, traceparent)
  select gen_random_uuid(), t.journey_id || '${dealerCause}', 'DEALER_NAMED', c.dealer_company_id, c.livemode, t.journey_id, '{}', least(c.at, now()),
    least(c.at, now()), c.traceparent
  from (${handovers}) t join (${journeys}) c on c.id = t.journey_id
  where c.dealer_company_id is not null
  on conflict (cause) do nothing`

/** Charges in the ledger, from a part with the columns journey_id, company_id, wallet, credits and at. */
export const insertLedgerLines = (charged: string) => `
  insert into wallet_ledger (company_id, wallet, amount, journey_id, note, at)
  select company_id, wallet, -credits, journey_id, 'Check asked for', at from ${charged}`

/**
 * Marks vehicles sold, from a part with the columns journey_id, company_id, vehicle_id and at. Each journey sells
 * once. Of two journeys that sell one vehicle in the same statement the one with the lower id sells it. The part `sale`
 * keeps the outcome: an outcome other than MARKED is a note for the team. Each vehicle of the part `marked` gets its line by `insertAuditLines`.
 */
export const markSold = (sold: string) => `
stock as (
  select s.*, v.status, row_number() over (partition by s.company_id, s.vehicle_id order by s.journey_id) as turn
  from ${sold} s left join lateral (
    select status from vehicles where company_id = s.company_id and id = s.vehicle_id for update
  ) v on true
), sale as (
  insert into vehicle_sales (journey_id, company_id, vehicle_id, outcome, at)
  select journey_id, company_id, vehicle_id,
    case when status is null then 'UNKNOWN' when status = 'IN_STOCK' and turn = 1 then 'MARKED' else 'ALREADY_SOLD' end, at
  from stock
  on conflict (journey_id) do nothing
  returning *
), marked as (
  update vehicles v set status = 'SOLD', sold_by = sale.journey_id, changed_at = sale.at
  from sale where sale.outcome = 'MARKED' and v.company_id = sale.company_id and v.id = sale.vehicle_id
  returning v.*
)`

/**
 * Lines of the audit log: of the vehicles that the part `marked` has sold, and of what people have asked of journeys, each with the address
 * that it was asked from. One part writes them all, in the order of their companies, because each takes the lock of its company's log.
 * `lines` is their source, and `journeys` gives each journey's id and company.
 */
export const insertAuditLines = (lines: string, journeys: string) => `
audit_line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, actor, action, details, at from (
    select company_id, 'service' as actor, 'vehicle.sold' as action,
      json_build_object('vehicleId', id, 'journeyId', sold_by) as details, changed_at as at
    from marked
    union all
    select c.company_id, t.actor, t.action, t.details::json, t.at from (${lines}) t join (${journeys}) c on c.id = t.journey_id
  ) n order by company_id
  returning id, details
), audit_address as (
  insert into audit_addresses (line_id, ip_address, at)
  select l.id, t.ip_address, t.at from (${lines}) t join audit_line l on l.details ->> 'messageId' = t.message_id
  where t.ip_address is not null
)`
