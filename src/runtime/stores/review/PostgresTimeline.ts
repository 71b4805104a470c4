/**
 * Timelines in PostgreSQL, put together from the journal, events, deliveries and mails of one journey ($1 in every
 * statement). Notes are opened with the customer's key. Who may read a timeline is decided by its endpoint.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { notePlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { isExternal } from "../../../actors/journey/rules/pendingEffects.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { Timeline } from "../../../actors/review/Timeline.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { readPage } from "../../postgres/pages.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { dealerCause } from "../journey/journeyParts.ts"
import { storeLimits } from "../kernel/limits.ts"
import {
  TimelineEventRow,
  timelineEntry,
  TimelineLine,
  TimelineMailRow,
  TimelineSale,
  TimelineWorkRow,
  type TimelineParts
} from "./timelineRows.ts"

/** The line of the journal that something belongs to whose row says only when it was made. */
const lineAt = (at: string) =>
  `(select coalesce(max(l.version), 1) from journal l where l.journey_id = $1::uuid and l.at <= ${at})`

/** The key that sealed the notes. A customer who was erased has none, and no notes. */
const keyStatement = `
select c.wrapped_key from journeys j join customers c on c.id = j.customer_id
where j.id = $1::uuid and c.wrapped_key is not null`

/** Lines up to $2; null: every line. */
const journal = "from journal where journey_id = $1::uuid and version <= coalesce($2::int4, version)"

/** Events of the lines from $2 to $3 with their deliveries. A company has one endpoint for each mode. */
const eventsStatement = `
select e.*, d.status, d.attempts, coalesce(d.due_at, d.clock_due_at) as due_at, d.delivered_at, a.latest_attempts
from (
  select id, sequence, type, body, created_at, company_id, livemode, coalesce(version, ${lineAt("created_at")}) as line
  from events where journey_id = $1::uuid
) e
left join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode
left join deliveries d on d.endpoint_id = w.id and d.event_id = e.id
left join lateral (
  select json_agg(json_build_object('number', n.number, 'at', floor(extract(epoch from n.at) * 1000),
    'trigger', n.trigger, 'httpStatus', n.http_status, 'error', n.error, 'durationMillis', n.duration_millis)
    order by n.number desc) as latest_attempts
  from (
    select * from attempts where event_id = d.event_id order by number desc limit ${storeLimits.attemptsInTimeline}
  ) n
) a on true
where e.line between $2::int4 and $3::int4
order by e.sequence`

/** Mails of the lines from $2 to $3. Those of one moment stand in the order in which the journey owed them. Of those to a named dealer the first: how many people the dealer has is not the broker's to know. */
const mailsStatement = `
select * from (
  select id, kind, tries, created_at, due_at, sent_at, given_up_at, returned_as, (facts ->> 'attempt')::int4 as attempt,
    coalesce((facts ->> 'line')::int4, ${lineAt("created_at")}) as line
  from mails where journey_id = $1::uuid and strpos(cause, '${dealerCause}|') = 0
) m
where line between $2::int4 and $3::int4
order by created_at, attempt, sent_at, id`

/** What the completed handover meant for the vehicle in the company's stock. */
const saleStatement = `select outcome, ${lineAt("at")} as line from vehicle_sales where journey_id = $1::uuid`

/** Lines from $2 to $3 that are about pending work: which attempt it was, and whether a later line is about the same work. */
const workStatement = `
with about as (
  select version, message ->> '_tag' as tag, (message ->> 'serial')::int4 as serial, message ->> 'kind' as kind
  from journal where journey_id = $1::uuid and message ->> '_tag' in ('OwedBegun', 'OwedFailed', 'OwedDone')
)
select a.version as line, a.serial, a.kind,
  (select count(*)::int4 from about b where b.serial = a.serial and b.tag = 'OwedBegun' and b.version <= a.version) as attempt,
  not exists (select from about b where b.serial = a.serial and b.version > a.version) as is_last
from about a
where a.version between $2::int4 and $3::int4`

const KeyRow = rowModel({ wrappedKey: column.bytes })

export const layer = Layer.effect(
  Timeline,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const notesIn = Effect.fnUntraced(function* (
      journeyId: JourneyId,
      lines: ReadonlyArray<RowOf<typeof TimelineLine>>
    ) {
      const sealed = lines.flatMap(({ sealedNote: note, version }) => (note === null ? [] : [{ note, version }]))
      if (sealed.length === 0) return new Map<number, string>()
      const row = yield* KeyRow.first(sql.unsafe(keyStatement, [journeyId]))
      if (row === null) return new Map<number, string>()
      // The vault is checked when the service starts, and the place is the note's own: what does not open is damaged.
      const key = yield* customerKeyOf(vault, row.wrappedKey)
      const open = ({ note, version }: (typeof sealed)[number]) =>
        Effect.map(Effect.orDie(key.open(notePlace(journeyId), note)), (text) => [version, text] as const)
      return new Map(yield* Effect.forEach(sealed, open))
    })

    return Timeline.of({
      read: (journey, { order, upTo, ...page }) =>
        storeRead(
          Effect.gen(function* () {
            const values = [journey.id, upTo]
            const query = { from: journal, order: order === "NEWEST_FIRST" ? "version desc" : "version", values }
            const { content, ...total } = yield* readPage(sql, TimelineLine, query, page)
            const versions = [content[0]?.version ?? 0, content.at(-1)?.version ?? 0]
            const lines = [journey.id, ...versions.toSorted((one, other) => one - other)]
            const parts: TimelineParts = {
              pending: journey.owed.filter(isExternal),
              work: yield* TimelineWorkRow.all(sql.unsafe(workStatement, lines)),
              events: yield* TimelineEventRow.all(sql.unsafe(eventsStatement, lines)),
              mails: yield* TimelineMailRow.all(sql.unsafe(mailsStatement, lines)),
              sales: yield* TimelineSale.all(sql.unsafe(saleStatement, [journey.id])),
              notes: yield* notesIn(journey.id, content)
            }
            return { content: content.map((line) => timelineEntry(line, parts)), ...total }
          })
        )
    })
  })
)
