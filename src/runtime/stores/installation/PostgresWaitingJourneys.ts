/**
 * Active journeys of all companies by what they wait on, in PostgreSQL. The index `journeys_longest_waiting` has the journeys
 * of one type that wait on one thing in order, so a page reads one page of each of them, however many journeys there are.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WaitingJourneys, type WaitingJourney } from "../../../actors/installation/WaitingJourneys.ts"
import { CompanyId, JourneyId } from "../../../schema/ids.ts"
import { JourneyType } from "../../../schema/journey/statuses.ts"
import { waitingOn as everyWait } from "../../../schema/journey/steps.ts"
import { dateOrNull, textArray } from "../../postgres/parameters.ts"
import { microsColumn, microsOf, momentOf, placeParameters } from "../../postgres/places.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const WaitingRow = rowModel({
  id: column.id(JourneyId),
  companyId: column.id(CompanyId),
  companyName: column.text,
  livemode: column.bool,
  type: column.oneOf(JourneyType),
  waitingOn: column.oneOf({ literals: everyWait }),
  waitingSince: column.millis,
  ...microsColumn
})

/** The parameters: the place behind which to go on, how many, what is waited on, since when at the latest, and all types. */
export const longestWaitingStatement = `
select f.*, c.name as company_name from (
  select j.* from unnest($4::text[]) w (waiting_on) cross join unnest($6::text[]) t (type) cross join lateral (
    select id, company_id, livemode, type, waiting_on, waiting_since, ${microsOf("waiting_since")} from journeys
    where status = 'ACTIVE' and waiting_on = w.waiting_on and type = t.type
      and waiting_since <= coalesce($5::timestamptz, 'infinity') and (waiting_since, id) > (${momentOf("$1")}, $2::uuid)
    order by waiting_since, id limit $3::int4
  ) j order by waiting_since, id limit $3::int4
) f join companies c on c.id = f.company_id
order by f.waiting_since, f.id`

const waitingOf = ({ id, micros, waitingSince, ...row }: ReturnType<typeof WaitingRow.decodeRow>): WaitingJourney => ({
  ...row,
  journeyId: id,
  since: waitingSince,
  place: { micros, id }
})

const types = textArray(JourneyType.literals)

export const layer = Layer.effect(
  WaitingJourneys,
  Effect.map(SqlClient.SqlClient, (sql) =>
    WaitingJourneys.of({
      list: ({ after, before, size, waitingOn }) => {
        const waits = textArray(waitingOn === null ? everyWait : [waitingOn])
        const values = [...placeParameters(after), size, waits, dateOrNull(before), types]
        return Effect.map(storeRead(WaitingRow.all(sql.unsafe(longestWaitingStatement, values))), (rows) =>
          rows.map(waitingOf)
        )
      }
    })
  )
)
