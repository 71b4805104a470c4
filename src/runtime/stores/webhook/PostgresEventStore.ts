/**
 * Events in PostgreSQL, for callers who follow them. Transactions do not commit in the order of their numbers: an event of
 * transaction 7 can become visible after one of transaction 9, and a reader that had gone on behind 9 would never see it.
 * So a list ends before the oldest transaction that still runs, the snapshot's xmin. Everything below xmin is decided, and
 * what is committed later stands at or behind it. A transaction that stays open holds the list up; `limits.ts` bounds how
 * long one of ours can stay open.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { EventStore, type EventCursor, type StoredEvent } from "../../../actors/webhook/actor/EventStore.ts"
import { textArray } from "../../postgres/parameters.ts"
import { column, rowModel, rowsDecodedBy, type RowOf } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"
import { smallestId } from "../../../schema/uuid.ts"

/** Before every event: no transaction has the number 0. */
const beginning: EventCursor = { tx: "0", id: smallestId }

const EventRow = rowModel({ id: column.text, tx: column.text, sequence: column.number, body: column.text })

/** An event, or the place where looking ended, which has no body. */
const ListRow = rowsDecodedBy((row) =>
  row["body"] === null
    ? { event: null, place: Place.decodeRow(row) }
    : { event: stored(EventRow.decodeRow(row)), place: null }
)
const Place = rowModel({ id: column.text, tx: column.text })

const EndRow = rowModel({ tx: column.text })

const stored = ({ body, id, sequence, tx }: RowOf<typeof EventRow>): StoredEvent => ({
  id,
  cursor: { tx, id },
  sequence: sequence > 0 ? sequence : null,
  body
})

export const layer = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * A place before every event that was written from a time on. Ids begin with the time at which they were made, and events
     * become visible in another order: of several nodes, or of a commit that took long. So the place is the smallest transaction
     * of many ids from then on, and it is not behind the present end, because an event of then may still be on its way.
     */
    const placeAt = (firstId: Statement.Fragment) =>
      Effect.map(
        storeRead(
          EndRow.first(sql`
            select tx::text from (
              (select tx from events where id >= ${firstId} order by id limit ${storeLimits.idsOfTime})
              union all select pg_snapshot_xmin(pg_current_snapshot())
            ) places order by places.tx limit 1`)
        ),
        (row) => ({ tx: row?.tx ?? beginning.tx, id: smallestId })
      )

    return EventStore.of({
      list: Effect.fnUntraced(function* ({ companyId, livemode }, { after, delivered, journeyId, since, size, types }) {
        // An id has no time before 1970.
        const firstId = since === null ? null : sql`first_id_at(${new Date(Math.max(0, since))}::timestamptz)`
        const from = after ?? (firstId === null || journeyId !== null ? beginning : yield* placeAt(firstId))
        // Left to itself, the planner would read all of a company's events to find those of one journey, and all of an
        // endpoint's deliveries to find that of one event.
        const events =
          journeyId === null
            ? sql`events`
            : sql`(select * from events where journey_id = ${journeyId} and sequence > 0 offset 0)`
        const deliveredAt = sql`(
          select d.delivered_at from deliveries d where d.event_id = looked.id and d.endpoint_id =
            (select w.id from webhook_endpoints w where w.company_id = ${companyId} and w.livemode = ${livemode})
        )`
        const filters = [
          ...(types === null ? [] : [sql`type = any(${textArray(types)})`]),
          ...(delivered === null ? [] : [delivered ? sql`${deliveredAt} is not null` : sql`${deliveredAt} is null`])
        ]
        const passing = filters.length === 0 ? sql`` : sql`where ${sql.and(filters)}`
        const lookedAt = filters.length === 0 ? size : storeLimits.eventsLookedAt
        return yield* storeRead(
          ListRow.all(sql`
            with looked as materialized (
              select e.id, e.tx, e.sequence, e.type, e.body from ${events} e
              where e.company_id = ${companyId} and e.livemode = ${livemode}
                and (e.tx, e.id) > (${from.tx}::text::xid8, ${from.id}::uuid)
                and e.tx < pg_snapshot_xmin(pg_current_snapshot())
                ${firstId === null ? sql`` : sql`and e.id >= ${firstId}`}
              order by e.tx, e.id limit ${lookedAt}
            ), passing as (
              select id, tx, sequence, body from looked ${passing} order by tx, id limit ${size}
            )
            (select id, tx::text, sequence, body from passing order by passing.tx, id)
            union all (select id, tx::text, null, null from looked order by looked.tx desc, id desc limit 1)`)
        ).pipe(
          Effect.map((rows) => {
            const content = rows.flatMap(({ event }) => (event === null ? [] : [event]))
            const lastLookedAt = rows.find(({ place }) => place !== null)?.place ?? from
            return { content, next: (content.length === size ? content.at(-1)?.cursor : undefined) ?? lastLookedAt }
          })
        )
      }),
      find: ({ companyId, livemode }, eventId) =>
        Effect.map(
          storeRead(
            EventRow.first(sql`
              select id, tx::text, sequence, body from events
              where id = ${eventId} and company_id = ${companyId} and livemode = ${livemode}`)
          ),
          (row) => (row === null ? null : stored(row))
        ),
      // No event has this id: the whole first transaction to come stands behind it.
      end: Effect.map(
        storeRead(EndRow.first(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as tx`)),
        (row) => ({ tx: row?.tx ?? beginning.tx, id: smallestId })
      )
    })
  })
)
