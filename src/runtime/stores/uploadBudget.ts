/**
 * What customers may upload in a day (UTC), counted in PostgreSQL by journey, and by company and mode as the sum of its journeys.
 * A session is one journey's, so it has no budget of its own. Each part is judged, and not the beginning alone: a company may begin
 * uploads of many journeys before any has sent much. What is counted is removed with its day or its journey.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { uploadBudget } from "../../actors/checks/limits.ts"
import { UploadRefused } from "../../actors/checks/Uploads.ts"
import { CompanyId, type JourneyId } from "../../schema/ids.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"

const usedStatement = `
select j.company_id, j.livemode, coalesce(sum(d.bytes), 0)::int8 as of_company,
  coalesce(sum(d.bytes) filter (where d.journey_id = j.id), 0)::int8 as of_journey,
  coalesce(sum(d.uploads) filter (where d.journey_id = j.id), 0)::int8 as uploads
from journeys j
left join upload_days d on d.company_id = j.company_id and d.livemode = j.livemode and d.day = $2::date
where j.id = $1::uuid group by j.id`

const UsedRow = rowModel({
  companyId: column.id(CompanyId),
  livemode: column.bool,
  ofCompany: column.wholeNumber,
  ofJourney: column.wholeNumber,
  uploads: column.wholeNumber
})

const beginStatement = `
insert into upload_days (journey_id, company_id, livemode, day, uploads, bytes)
select id, company_id, livemode, $2::date, 1, 0 from journeys where id = $1::uuid
on conflict (journey_id, day) do update set uploads = upload_days.uploads + 1`

/** A part of another statement: counts the bytes ($4) of a part of an upload ($1) on a day ($7). */
export const countBytes = `
insert into upload_days (journey_id, company_id, livemode, day, uploads, bytes)
select j.id, j.company_id, j.livemode, $7::date, 0, $4
from video_uploads u join journeys j on j.id = u.journey_id where u.id = $1
on conflict (journey_id, day) do update set bytes = upload_days.bytes + excluded.bytes`

export const today: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now) =>
  new Date(now).toISOString().slice(0, "2000-01-01".length)
)

const refused = (rule: string) => new UploadRefused({ code: "OVER_BUDGET", rule })

const { mostBytesOfCompany, mostBytesOfJourney, mostUploads } = uploadBudget

const ofJourney = refused("may come tomorrow: the journey has no more uploads left today")
const ofCompany = refused("may come tomorrow: the company has no more uploads left today")

const usedBy = (sql: SqlClient.SqlClient, journeyId: JourneyId, day: string) =>
  UsedRow.first(sql.unsafe(usedStatement, [journeyId, day]))

/** Null: there is room for more. */
const overBudget = (used: RowOf<typeof UsedRow>): UploadRefused | null => {
  if (used.ofJourney >= mostBytesOfJourney) return ofJourney
  return used.ofCompany >= mostBytesOfCompany[used.livemode ? "LIVE" : "TEST"] ? ofCompany : null
}

/** Inside the transaction that begins an upload, and holds the journey. */
export const countUpload = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, journeyId: JourneyId) {
  const day = yield* today
  const used = yield* usedBy(sql, journeyId, day)
  if (used !== null) {
    const refusal = used.uploads >= mostUploads ? ofJourney : overBudget(used)
    const { companyId, livemode } = used
    if (refusal === ofCompany) {
      yield* Effect.logWarning("A company has used up its uploads of the day", { companyId, livemode })
    }
    if (refusal !== null) return yield* refusal
  }
  yield* sql.unsafe(beginStatement, [journeyId, day])
})

/** Inside the transaction that keeps a part of an upload. What is being written at the same time may go over the budget. */
export const refusePartOverBudget = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, journeyId: JourneyId) {
  const used = yield* usedBy(sql, journeyId, yield* today)
  const refusal = used === null ? null : overBudget(used)
  if (refusal !== null) return yield* refusal
})
