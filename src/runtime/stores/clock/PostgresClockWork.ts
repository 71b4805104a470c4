/**
 * What waits for a test clock, in PostgreSQL. The alarms of its journeys are in their states, which are opaque to the database, so
 * all journeys of a clock are read; a clock has few.
 */
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClockWork } from "../../../actors/clock/ClockWork.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { mailLimits } from "../../../actors/mail/limits.ts"
import { EndpointId, EventId, JourneyId, MailId } from "../../../schema/ids.ts"
import { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead, storeWrite } from "../../postgres/storeCalls.ts"

const StateRow = rowModel({ id: column.id(JourneyId), version: column.number, state: column.json })
const decodeJourney = Schema.decodeUnknownEffect(Journey)

const WaitingRow = rowModel({
  endpointId: column.id(EndpointId),
  eventId: column.id(EventId),
  journeyId: column.id(JourneyId),
  type: column.text,
  at: column.millis
})

const nextDeliveryStatement = `
select d.endpoint_id, d.event_id, e.journey_id, e.type, d.clock_due_at as at
from deliveries d join events e on e.id = d.event_id
where d.clock_id = $1::uuid and d.status = 'PENDING' and d.due_at is null
order by d.clock_due_at, d.event_id limit 1`

/** A delivery that was attempted meanwhile waits for another time: a repeated call does not make it due again. */
const makeDueStatement = `
update deliveries set due_at = $3::timestamptz, clock_due_at = null
where endpoint_id = $1::uuid and event_id = $2::uuid and status = 'PENDING' and due_at is null
  and clock_due_at < $4::timestamptz + interval '1 millisecond'`

const EndpointRow = rowModel({ endpointId: column.id(EndpointId) })
const MailRow = rowModel({ id: column.id(MailId) })

/** A mail that was tried and failed waits for its next try, and one for a customer who is still at the page waits for them to leave. */
const unsentStatement = `
select m.id from journeys j join mails m on m.journey_id = j.id
where j.clock_id = $1::uuid and m.due_at is not null
  and (m.tries = 0 and m.due_at <= now() or m.tries = 1 and m.due_at > now() + interval '${Duration.toSeconds(mailLimits.firstRetryAfter)} seconds')`

const HandledRow = rowModel({
  version: column.number,
  messages: column.listOf(column.text),
  events: column.listOf(column.text)
})

const handledStatement = `
select coalesce(max(l.version), $2::int4)::int4 as version,
  coalesce(array_agg(l.message ->> '_tag' order by l.version), array[]::text[]) as messages,
  array(select e.type from events e where e.journey_id = $1::uuid and e.version > $2::int4 order by e.sequence) as events
from journal l where l.journey_id = $1::uuid and l.version > $2::int4`

const AttemptsRow = rowModel({ attempts: column.number, status: column.oneOf(WebhookDeliveryStatus) })

const oneRow = <A>(row: A | null): Effect.Effect<A> =>
  row === null ? Effect.die(new Error("the statement answers with one row")) : Effect.succeed(row)

export const layer = Layer.effect(
  ClockWork,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** No alarm wakes a journey on a clock, so what cannot be read is set aside here, and does not hold up the others. */
    const orSetAside = ({ id, state, version }: RowOf<typeof StateRow>) =>
      decodeJourney(state).pipe(
        Effect.map((journey) => [{ journey, version }]),
        Effect.catchTag("SchemaError", (cause) =>
          repeatableWrite(sql`
            update journeys set set_aside_at = now(), set_aside_reason = 'UNREADABLE' where id = ${id} and version = ${version}`).pipe(
            Effect.andThen(
              Effect.logError("A journey on a test clock cannot be read and is set aside", { journeyId: id }, cause)
            ),
            Effect.as([])
          )
        )
      )

    return ClockWork.of({
      journeys: (clockId) =>
        Effect.flatMap(
          storeRead(
            StateRow.all(sql`
              select id, version, state from journeys where clock_id = ${clockId} and set_aside_at is null order by id`)
          ),
          (rows) => Effect.map(Effect.forEach(rows, orSetAside), (found) => found.flat())
        ),
      nextDelivery: (clockId) => storeRead(WaitingRow.first(sql.unsafe(nextDeliveryStatement, [clockId]))),
      makeDue: ({ at, endpointId, eventId }, now) =>
        Effect.asVoid(storeWrite(sql.unsafe(makeDueStatement, [endpointId, eventId, new Date(now), new Date(at)]))),
      sendingTo: (clockId) =>
        Effect.map(
          storeRead(
            EndpointRow.all(sql`
              select distinct endpoint_id from deliveries where clock_id = ${clockId} and due_at is not null`)
          ),
          (rows) => rows.map(({ endpointId }) => endpointId)
        ),
      unsentMails: (clockId) =>
        Effect.map(storeRead(MailRow.all(sql.unsafe(unsentStatement, [clockId]))), (rows) => rows.map(({ id }) => id)),
      handledSince: (journeyId, version) =>
        Effect.flatMap(storeRead(HandledRow.first(sql.unsafe(handledStatement, [journeyId, version]))), oneRow),
      attemptsOf: ({ endpointId, eventId }) =>
        Effect.flatMap(
          storeRead(
            AttemptsRow.first(sql`
              select attempts, status from deliveries where endpoint_id = ${endpointId} and event_id = ${eventId}`)
          ),
          oneRow
        )
    })
  })
)
