/**
 * Journeys that were set aside, in PostgreSQL. The index `journeys_set_aside` holds them, and they are few. A journey that is
 * taken back keeps its alarm, so the next look for due work finds it.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SetAsideJourneys, type SetAsideJourney } from "../../../actors/installation/SetAsideJourneys.ts"
import { CompanyId, JourneyId } from "../../../schema/ids.ts"
import { SetAsideReason } from "../../../schema/installation/SetAsideJourney.ts"
import { JourneyType } from "../../../schema/journey/statuses.ts"
import { microsColumn, microsOf, momentOf, placeParameters } from "../../postgres/places.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { linePerRow, lineParameters } from "../kernel/auditedChange.ts"

const SetAsideRow = rowModel({
  id: column.id(JourneyId),
  companyId: column.id(CompanyId),
  companyName: column.text,
  livemode: column.bool,
  type: column.orNull(column.oneOf(JourneyType)),
  setAsideAt: column.millis,
  setAsideReason: column.orNull(column.oneOf(SetAsideReason)),
  wakeAt: column.orNull(column.millis),
  ...microsColumn
})

/** The parameters: the place behind which to go on, and how many. */
export const setAsideStatement = `
select j.id, j.company_id, c.name as company_name, j.livemode, j.type, j.set_aside_at, j.set_aside_reason, j.wake_at,
  ${microsOf("j.set_aside_at")}
from (
  select * from journeys where set_aside_at is not null and (set_aside_at, id) > (${momentOf("$1")}, $2::uuid)
  order by set_aside_at, id limit $3::int4
) j join companies c on c.id = j.company_id
order by j.set_aside_at, j.id`

const takeBackStatement = `
with found as (
  select from journeys where id = $1::uuid
), changed as (
  update journeys set set_aside_at = null, set_aside_reason = null
  where id = $1::uuid and set_aside_at is not null returning company_id
), ${linePerRow("from changed", "company_id")}
select exists (select from changed) as taken_back from found`

const TakenBackRow = rowModel({ takenBack: column.bool })

const setAsideOf = ({
  id,
  micros,
  setAsideAt,
  setAsideReason,
  wakeAt,
  ...row
}: ReturnType<typeof SetAsideRow.decodeRow>): SetAsideJourney => ({
  ...row,
  place: { micros, id },
  journeyId: id,
  since: setAsideAt,
  reason: setAsideReason,
  dueSince: wakeAt
})

export const layer = Layer.effect(
  SetAsideJourneys,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SetAsideJourneys.of({
      list: (after, size) =>
        Effect.map(
          storeRead(SetAsideRow.all(sql.unsafe(setAsideStatement, [...placeParameters(after), size]))),
          (rows) => rows.map(setAsideOf)
        ),
      takeBack: (journeyId, line) =>
        Effect.map(
          storeWrite(TakenBackRow.first(sql.unsafe(takeBackStatement, lineParameters(journeyId, line)))),
          (row) => (row === null ? null : row.takenBack ? "TAKEN_BACK" : "NOT_SET_ASIDE")
        )
    })
  )
)
