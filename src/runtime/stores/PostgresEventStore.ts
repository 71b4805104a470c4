/**
 * Events in PostgreSQL, for whoever follows them. Transactions do not commit in the order of the numbers they got: an
 * event of transaction 7 can become visible after one of 9. A reader that had gone on behind 9 would never see it. So a
 * list ends before the oldest transaction that still runs, the snapshot's xmin: below it everything has been decided,
 * and what is committed later stands at or behind it. A transaction that stays open holds the list up; `pool.ts` bounds
 * how long one of ours can.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventStore, type EventCursor, type StoredEvent } from "../../actors/webhook/actor/EventStore.ts"
import { storeRead } from "../postgres/storeCalls.ts"

/** Events a filter is held against for one page: some milliseconds, however rarely one passes. */
const mostLookedAt = 1000

const zeroId = "00000000-0000-0000-0000-000000000000"

/** Before every event: no transaction has the number 0. */
const beginning: EventCursor = { tx: "0", id: zeroId }

interface EventRow {
  readonly id: string
  readonly tx: string
  readonly sequence: number
  readonly body: string
}

interface PlaceRow {
  readonly id: string
  readonly tx: string
  /** Null in the row that says where looking ended. */
  readonly sequence: number | null
  readonly body: string | null
}

const isEvent = (row: PlaceRow): row is EventRow => row.body !== null

const stored = ({ body, id, sequence, tx }: EventRow): StoredEvent => ({
  id,
  cursor: { tx, id },
  sequence: sequence > 0 ? sequence : null,
  body
})

export const layer = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return EventStore.of({
      list: ({ companyId, livemode }, { after, delivered, journeyId, size, type }) => {
        const from = after ?? beginning
        // Two traps for the planner are taken away: it would read all of a company's events to find those of one journey,
        // and all of an endpoint's deliveries to find that of one event.
        const events =
          journeyId === null
            ? sql`events`
            : sql`(select * from events where journey_id = ${journeyId} and sequence > 0 offset 0)`
        const deliveredAt = sql`(
          select d.delivered_at from deliveries d where d.event_id = looked.id and d.endpoint_id =
            (select w.id from webhook_endpoints w where w.company_id = ${companyId} and w.livemode = ${livemode})
        )`
        const filters = [
          ...(type === null ? [] : [sql`type = ${type}`]),
          ...(delivered === null ? [] : [delivered ? sql`${deliveredAt} is not null` : sql`${deliveredAt} is null`])
        ]
        const passing = filters.length === 0 ? sql`` : sql`where ${sql.and(filters)}`
        const lookedAt = filters.length === 0 ? size : mostLookedAt
        return storeRead(
          sql<PlaceRow>`
            with looked as materialized (
              select e.id, e.tx, e.sequence, e.type, e.body from ${events} e
              where e.company_id = ${companyId} and e.livemode = ${livemode}
                and (e.tx, e.id) > (${from.tx}::text::xid8, ${from.id}::uuid)
                and e.tx < pg_snapshot_xmin(pg_current_snapshot())
              order by e.tx, e.id limit ${lookedAt}
            ), passing as (
              select id, tx, sequence, body from looked ${passing} order by tx, id limit ${size}
            )
            (select id, tx::text, sequence, body from passing order by passing.tx, id)
            union all (select id, tx::text, null, null from looked order by looked.tx desc, id desc limit 1)`
        ).pipe(
          Effect.map((rows) => {
            const content = rows.filter(isEvent).map(stored)
            const place = rows.find((row) => !isEvent(row))
            const lastLookedAt = place === undefined ? from : { tx: place.tx, id: place.id }
            return { content, next: (content.length === size ? content.at(-1)?.cursor : undefined) ?? lastLookedAt }
          })
        )
      },
      find: ({ companyId, livemode }, eventId) =>
        storeRead(
          sql<EventRow>`
            select id, tx::text, sequence, body from events
            where id = ${eventId} and company_id = ${companyId} and livemode = ${livemode}`
        ).pipe(Effect.map(([row]) => (row === undefined ? null : stored(row)))),
      // No event has this id, so that all of the first transaction to come stands behind it.
      end: Effect.map(
        storeRead(sql<{ readonly tx: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as tx`),
        ([row]) => ({ tx: row?.tx ?? beginning.tx, id: zeroId })
      )
    })
  })
)
