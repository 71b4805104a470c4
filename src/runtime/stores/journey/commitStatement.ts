/**
 * The statement that writes handled messages, for any number of journeys at once: two constant texts, prepared once each. It writes
 * all rows of a commit, or none of them when the journey is no longer at the version that the commit was decided on.
 */
import type { Commit } from "../../../actors/journey/actor/JourneyStore.ts"
import { batchSource, batchStatementWithRare, eachItem } from "../../postgres/batchStatement.ts"
import {
  insertAuditLines,
  insertDealerMails,
  insertDeliveries,
  insertLedgerLines,
  insertMails,
  markSold
} from "./journeyParts.ts"
import {
  eventSource,
  mailSource,
  newHandoverSource,
  photoSource,
  writtenColumns,
  writtenNames
} from "./journeySources.ts"

const commitSource = batchSource(eachItem<Commit>, {
  id: ["uuid", ({ journey }) => journey.id],
  expected: ["int4", ({ expectedVersion }) => expectedVersion],
  messageId: ["uuid", ({ messageId }) => messageId],
  sender: ["text", ({ sender }) => sender],
  message: ["json", ({ message }) => message],
  sealedNote: ["bytea", ({ sealedNote }) => sealedNote],
  requestId: ["uuid", ({ requestId }) => requestId],
  at: ["timestamptz", ({ at }) => at],
  ...writtenColumns
})

/** Wallets whose hold is charged. */
const chargeSource = batchSource(
  (commits: ReadonlyArray<Commit>) =>
    commits.flatMap(({ charges, journey }) => charges.map((wallet) => ({ wallet, journeyId: journey.id }))),
  { journeyId: ["uuid", ({ journeyId }) => journeyId], wallet: ["text", ({ wallet }) => wallet] }
)

/** Journeys whose holds are all released. */
const releaseSource = batchSource(
  (commits: ReadonlyArray<Commit>) => commits.filter(({ releasesHolds }) => releasesHolds),
  { journeyId: ["uuid", ({ journey }) => journey.id] }
)

const saleSource = batchSource(
  (commits: ReadonlyArray<Commit>) => commits.filter(({ soldVehicle }) => soldVehicle !== null),
  { journeyId: ["uuid", ({ journey }) => journey.id], vehicleId: ["text", ({ soldVehicle }) => soldVehicle] }
)

/** Few commits have a line in the audit log, and its details name the message. */
const lineSource = batchSource(
  (commits: ReadonlyArray<Commit>) =>
    commits.flatMap(({ auditLine, journey, messageId }) =>
      auditLine === null ? [] : [{ ...auditLine, journeyId: journey.id, messageId }]
    ),
  {
    journeyId: ["uuid", ({ journeyId }) => journeyId],
    messageId: ["text", ({ messageId }) => messageId],
    actor: ["text", ({ actor }) => actor],
    action: ["text", ({ action }) => action],
    details: ["text", ({ details }) => details],
    at: ["timestamptz", ({ at }) => at],
    ipAddress: ["text", ({ ipAddress }) => ipAddress]
  }
)

/**
 * PostgreSQL carries out the parts that nothing reads from the last one back to the first. So the locks of audit logs, which stand first, are
 * taken last: whoever else holds a wallet and waits for a log finds the log free.
 *
 * A row comes back for each journey whose version was the expected one (`COMMITTED`), and for each endpoint that has
 * something due now (`DUE`). No row for a journey means a conflict.
 */
export const commitStatement = (isMailKept: boolean) =>
  batchStatementWithRare(
    { commits: commitSource, events: eventSource, mails: mailSource(isMailKept) },
    {
      photos: photoSource,
      charges: chargeSource,
      releases: releaseSource,
      sales: saleSource,
      handovers: newHandoverSource,
      lines: lineSource
    },
    ({ commits, events, mails }, rare) => `
with m as (${commits}
), u as (
  update journeys j
  set version = j.version + 1, set_aside_at = null, set_aside_reason = null,
    waiting_since = case when j.waiting_on = m.waiting_on then j.waiting_since when m.waiting_on is not null then m.at end,
    ${writtenNames.map((name) => `${name} = m.${name}`).join(", ")}
  from m where j.id = m.id and j.version = m.expected
  returning j.id, j.version, j.company_id, j.livemode, j.customer_id, j.traceparent, j.dealer_company_id
), l as (
  insert into journal (journey_id, version, message_id, sender, message, sealed_note, at, request_id)
  select u.id, u.version, m.message_id, m.sender, m.message, m.sealed_note, m.at, m.request_id from m join u using (id)
)${rare === null ? "" : salesAndLines(rare)}, e as (
  insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at, traceparent, version)
  select e.journey_id, e.sequence, e.id, u.company_id, u.livemode, e.type, e.body, e.at, u.traceparent, u.version
  from (${events}) e join u on u.id = e.journey_id
  returning id, journey_id, company_id, livemode, type
), d as (${insertDeliveries("m")}
), ml as (${insertMails(mails, "select u.id, u.company_id, u.livemode, m.at, u.traceparent, u.version as line from u join m using (id)")}
)${rare === null ? "" : photosAndHolds(rare)}
select id, 'COMMITTED' as outcome from u
union all select distinct endpoint_id, 'DUE' from d where due_at is not null`
  )

const salesAndLines = ({ lines, sales }: Readonly<Record<"lines" | "sales", string>>) => `, sold as (
  select t.journey_id, u.company_id, t.vehicle_id, m.at
  from (${sales}) t join u on u.id = t.journey_id join m on m.id = u.id
), ${markSold("sold")}, ${insertAuditLines(lines, "select id, company_id from u")}`

type HoldTexts = Readonly<Record<"charges" | "handovers" | "photos" | "releases", string>>

const photosAndHolds = ({ charges, handovers, photos, releases }: HoldTexts) => `, ph as (
  insert into customer_photos as old (journey_id, customer_id, sealed, at)
  select p.journey_id, u.customer_id, p.sealed, m.at
  from (${photos}) p join u on u.id = p.journey_id join m on m.id = u.id
  on conflict (journey_id) do update set sealed = excluded.sealed, at = excluded.at
), dm as (${insertDealerMails(handovers, "select u.id, u.dealer_company_id, u.livemode, m.at, u.traceparent from u join m using (id)")}
), charge as (${charges}
), spent as (
  delete from wallet_holds h using u, m
  where h.journey_id = u.id and m.id = u.id
    and (h.journey_id in (${releases}) or (h.journey_id, h.wallet) in (select journey_id, wallet from charge))
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
), wl as (${insertLedgerLines("spent where is_charged")}
)`
