/**
 * The statement that writes starts, for any number of them at once: two constant texts, prepared once each. It writes all rows of a
 * start or none of them. What its outcome means to a caller is decided in `PostgresJourneyStore.ts`.
 */
import type { StartCommit } from "../../../actors/journey/actor/JourneyStore.ts"
import { batchSource, batchStatementWithRare, eachItem } from "../../postgres/batchStatement.ts"
import { insertDealerMails, insertDeliveries, insertLedgerLines, insertMails } from "./journeyParts.ts"
import {
  eventSource,
  mailSource,
  namedHandoverSource,
  photoSource,
  writtenColumns,
  writtenNames
} from "./journeySources.ts"

const startSource = batchSource(eachItem<StartCommit>, {
  id: ["uuid", ({ journey }) => journey.id],
  companyId: ["uuid", ({ journey }) => journey.companyId],
  livemode: ["bool", ({ journey }) => journey.livemode],
  externalReference: ["text", ({ journey }) => journey.externalReference],
  customerId: ["uuid", ({ customer }) => customer.customerId],
  idempotencyKey: ["text", ({ idempotencyKey }) => idempotencyKey],
  fingerprint: ["bytea", ({ fingerprint }) => fingerprint],
  at: ["timestamptz", ({ at }) => at],
  emailIndex: ["bytea", ({ customer }) => customer.emailIndex],
  wrappedKey: ["bytea", ({ customer }) => customer.wrappedKey],
  isNew: ["bool", ({ customer }) => customer.isNew],
  sealed: ["bytea", ({ sealedRecord }) => sealedRecord],
  sender: ["text", ({ sender }) => sender],
  message: ["json", ({ journey }) => ({ _tag: "Start", shape: journey.shape })],
  requestId: ["uuid", ({ requestId }) => requestId],
  registrationIndex: ["bytea", ({ registrationIndex }) => registrationIndex],
  dealerCompanyId: ["uuid", ({ dealerCompanyId }) => dealerCompanyId],
  ...writtenColumns
})

const holdSource = batchSource(
  (starts: ReadonlyArray<StartCommit>) =>
    starts.flatMap(({ charges, holds, journey }) =>
      holds.map((hold) => ({ ...hold, journey, isCharged: charges.includes(hold.wallet) }))
    ),
  {
    journeyId: ["uuid", ({ journey }) => journey.id],
    companyId: ["uuid", ({ journey }) => journey.companyId],
    wallet: ["text", ({ wallet }) => wallet],
    credits: ["int8", ({ credits }) => credits],
    isCharged: ["bool", ({ isCharged }) => isCharged]
  }
)

const written = writtenNames.join(", ")

/** Who is a customer already, whose row is held until the start is written, and whose row has gone. */
const customers = `known as (
  select r.id, c.id as customer_id, c.wrapped_key
  from r join customers c using (company_id, livemode, email_index)
  where r.is_new and c.wrapped_key is not null
), held as (
  select r.id from r join customers c on c.id = r.customer_id and c.email_index = r.email_index
  where not r.is_new order by c.id for key share of c
), gone as (
  select r.id from r where not r.is_new and not exists (select from held where held.id = r.id)`

/** The holds, and the journeys whose wallet is short of them. */
const holdsAndShort = (holds: string) => `, h as (${holds}
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
)`

/** The photos, what the wallets give, and the mails to named dealers. */
const photosAndWallets = ({ handovers, photos }: Readonly<Record<"handovers" | "photos", string>>) => `, ph as (
  insert into customer_photos (journey_id, customer_id, sealed, at)
  select p.journey_id, r.customer_id, p.sealed, r.at
  from (${photos}) p join r on r.id = p.journey_id join j on j.id = r.id
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
), wl as (${insertLedgerLines("taken where is_charged")}
), dm as (${insertDealerMails(handovers, "select id, r.dealer_company_id, r.livemode, r.at, r.traceparent from r join j using (id)")}
)`

/**
 * A row comes back for each journey that was written (`CREATED`), each whose customer has a row already, with that
 * customer's key (`KNOWN`), each whose wallet is short (`SHORT`), each whose customer's row has gone or has
 * another address (`GONE`), and each endpoint that has something due now (`DUE`). A row that a start uses stays until the start is
 * written: whoever erases a customer because of their age waits for it, and then sees its journey. No
 * row for a journey means that its idempotency key is taken. The statement inserts rows sorted by their unique keys: two
 * batches that share keys then wait for each other in one order and cannot deadlock.
 */
export const startStatement = (isMailKept: boolean) =>
  batchStatementWithRare(
    { starts: startSource, events: eventSource, mails: mailSource(isMailKept) },
    { holds: holdSource, photos: photoSource, handovers: namedHandoverSource },
    ({ events, mails, starts }, rare) => `
with r as (${starts}
), ${customers}
)${rare === null ? "" : holdsAndShort(rare.holds)}, j as (
  insert into journeys (id, company_id, livemode, version, external_reference, customer_id, idempotency_key, fingerprint,
    created_at, registration_index, dealer_company_id, is_filled, waiting_since, ${written})
  select id, company_id, livemode, 1, external_reference, customer_id, idempotency_key, fingerprint, at,
    registration_index, dealer_company_id, true, case when waiting_on is not null then at end, ${written}
  from r
  where not exists (select from known where known.id = r.id) and not exists (select from gone where gone.id = r.id)
    ${rare === null ? "" : "and not exists (select from short where short.journey_id = r.id)"}
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
  insert into journal (journey_id, version, message_id, sender, message, at, request_id)
  select id, 1, id, sender, message, at, request_id from r join j using (id)
), e as (
  insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at, traceparent, version)
  select e.journey_id, e.sequence, e.id, r.company_id, r.livemode, e.type, e.body, e.at, r.traceparent, 1
  from (${events}) e join r on r.id = e.journey_id join j on j.id = r.id
  returning id, journey_id, company_id, livemode, type
), d as (${insertDeliveries("r")}
), ml as (${insertMails(mails, "select id, r.company_id, r.livemode, r.at, r.traceparent, 1 as line from r join j using (id)")}
)${rare === null ? "" : photosAndWallets(rare)}
select id, 'CREATED' as outcome, null::uuid as customer_id, null::bytea as wrapped_key, null as wallet from j
union all select id, 'KNOWN', customer_id, wrapped_key, null from known
union all select id, 'GONE', null, null, null from gone
${rare === null ? "" : "union all select journey_id, 'SHORT', null, null, wallet from short"}
union all select distinct endpoint_id, 'DUE', null::uuid, null::bytea, null from d where due_at is not null`
  )
