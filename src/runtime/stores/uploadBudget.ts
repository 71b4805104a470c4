/**
 * What customers may upload in a day (UTC), counted in PostgreSQL by journey, and by company and mode as the sum of its journeys.
 * A session is one journey's, so it has no budget of its own. What is counted is removed with its day or its journey.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { uploadBudget } from "../../actors/checks/limits.ts"
import { UploadRefused } from "../../actors/checks/Uploads.ts"
import type { CompanyId, JourneyId } from "../../schema/ids.ts"
import { column, rowModel } from "../postgres/rows.ts"

const usedStatement = `
select coalesce(sum(bytes), 0)::int8 as of_company,
  coalesce(sum(bytes) filter (where journey_id = $1::uuid), 0)::int8 as of_journey,
  coalesce(sum(uploads) filter (where journey_id = $1::uuid), 0)::int8 as uploads
from upload_days where company_id = $2::uuid and livemode = $3 and day = $4::date`

const UsedRow = rowModel({ ofCompany: column.wholeNumber, ofJourney: column.wholeNumber, uploads: column.wholeNumber })

const beginStatement = `
insert into upload_days (journey_id, company_id, livemode, day, uploads, bytes)
values ($1::uuid, $2::uuid, $3, $4::date, 1, 0)
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

/** Inside the transaction that begins an upload, and holds the journey. */
export const countUpload = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  journeyId: JourneyId,
  { companyId, livemode }: { readonly companyId: CompanyId; readonly livemode: boolean }
) {
  const of = [journeyId, companyId, livemode, yield* today]
  const used = yield* UsedRow.first(sql.unsafe(usedStatement, of))
  const { mostBytesOfCompany, mostBytesOfJourney, mostUploads } = uploadBudget
  if (used !== null && (used.uploads >= mostUploads || used.ofJourney >= mostBytesOfJourney)) {
    return yield* refused("may come tomorrow: the journey has no more uploads left today")
  }
  if (used !== null && used.ofCompany >= mostBytesOfCompany[livemode ? "LIVE" : "TEST"]) {
    yield* Effect.logWarning("A company has used up its uploads of the day", { companyId, livemode })
    return yield* refused("may come tomorrow: the company has no more uploads left today")
  }
  yield* sql.unsafe(beginStatement, of)
})
