/**
 * What customers may upload in a day (UTC), counted in PostgreSQL by journey with its sessions, and by company and mode as the sum
 * of its journeys. A session has a share of its journey's. Each part is judged, and not the beginning alone: a company may begin
 * uploads of many journeys before any has sent much. What is counted is removed with its day or its journey.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { uploadBudget } from "../../../actors/checks/limits.ts"
import { UploadRefused } from "../../../actors/checks/uploads/Uploads.ts"
import { CurrentWorkFor } from "../../../actors/kernel/WorkFor.ts"
import { CompanyId, type JourneyId } from "../../../schema/ids.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"

const usedStatement = `
select j.company_id, j.livemode, coalesce(sum(d.bytes), 0)::int8 as of_company,
  coalesce(sum(d.bytes) filter (where d.journey_id = j.id), 0)::int8 as of_journey,
  coalesce(sum(d.uploads) filter (where d.journey_id = j.id), 0)::int8 as uploads,
  coalesce(s.bytes, 0) as of_session, coalesce(s.uploads, 0) as uploads_of_session
from journeys j
left join lateral (
  select (o.of_sessions #>> array[$3::text, 'bytes'])::int8 as bytes, (o.of_sessions #>> array[$3::text, 'uploads'])::int8 as uploads
  from upload_days o where o.journey_id = j.id and o.day = $2::date
) s on true
left join upload_days d on d.company_id = j.company_id and d.livemode = j.livemode and d.day = $2::date
where j.id = $1::uuid group by j.id, s.bytes, s.uploads`

const UsedRow = rowModel({
  companyId: column.id(CompanyId),
  livemode: column.bool,
  ofCompany: column.wholeNumber,
  ofJourney: column.wholeNumber,
  uploads: column.wholeNumber,
  ofSession: column.wholeNumber,
  uploadsOfSession: column.wholeNumber
})

interface Counted {
  /** The journey, as `j`. */
  readonly from: string
  readonly day: string
  readonly uploads: string
  readonly bytes: string
  /** Null: nobody's. */
  readonly session: string
}

const numbersOf = (uploads: string, bytes: string) => `jsonb_build_object('uploads', ${uploads}, 'bytes', ${bytes})`

/** Adds to what a journey, and a session of it, has uploaded. */
const counting = ({ bytes, day, from, session, uploads }: Counted): string => {
  const used = (field: string) => `coalesce((upload_days.of_sessions #>> array[${session}::text, '${field}'])::int8, 0)`
  return `
insert into upload_days (journey_id, company_id, livemode, day, uploads, bytes, of_sessions)
select j.id, j.company_id, j.livemode, ${day}::date, ${uploads}, ${bytes}, case when ${session}::text is null then '{}'
  else jsonb_build_object(${session}::text, ${numbersOf(uploads, bytes)}) end
from ${from}
on conflict (journey_id, day) do update set
  uploads = upload_days.uploads + excluded.uploads, bytes = upload_days.bytes + excluded.bytes,
  of_sessions = case when ${session}::text is null then upload_days.of_sessions else jsonb_set(upload_days.of_sessions,
    array[${session}::text], ${numbersOf(`${used("uploads")} + excluded.uploads`, `${used("bytes")} + excluded.bytes`)}) end`
}

const beginStatement = counting({
  from: "journeys j where j.id = $1::uuid",
  day: "$2",
  uploads: "1",
  bytes: "0",
  session: "$3"
})

/** A part of another statement: counts the bytes ($4) of a part of an upload ($1) on a day ($7) for a session ($8). */
export const countBytes = counting({
  from: "video_uploads u join journeys j on j.id = u.journey_id where u.id = $1",
  day: "$7",
  uploads: "0",
  bytes: "$4::int4",
  session: "$8"
})

/** The session that uploads; null: nobody's. */
export const uploadingSession = Effect.map(CurrentWorkFor, ({ sessionId }) => sessionId ?? null)

export const today: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now) =>
  new Date(now).toISOString().slice(0, "2000-01-01".length)
)

const refused = (rule: string) => new UploadRefused({ code: "OVER_BUDGET", rule })

const { mostBytesOfCompany, mostBytesOfJourney, mostBytesOfSession, mostUploads, mostUploadsOfSession } = uploadBudget

const ofJourney = refused("may come tomorrow: the journey has no more uploads left today")
const ofSession = refused("may come tomorrow, or in another session: this one has no more uploads left today")
const ofCompany = refused("may come tomorrow: the company has no more uploads left today")

const usedBy = (sql: SqlClient.SqlClient, journeyId: JourneyId, day: string) =>
  Effect.flatMap(uploadingSession, (session) => UsedRow.first(sql.unsafe(usedStatement, [journeyId, day, session])))

/** Null: there is room for more. */
const overBudget = (used: RowOf<typeof UsedRow>): UploadRefused | null => {
  if (used.ofJourney >= mostBytesOfJourney) return ofJourney
  if (used.ofSession >= mostBytesOfSession) return ofSession
  return used.ofCompany >= mostBytesOfCompany[used.livemode ? "LIVE" : "TEST"] ? ofCompany : null
}

const overNumber = (used: RowOf<typeof UsedRow>): UploadRefused | null => {
  if (used.uploads >= mostUploads) return ofJourney
  return used.uploadsOfSession >= mostUploadsOfSession ? ofSession : null
}

/** Inside the transaction that begins an upload, and holds the journey. */
export const countUpload = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, journeyId: JourneyId) {
  const day = yield* today
  const used = yield* usedBy(sql, journeyId, day)
  if (used !== null) {
    const refusal = overNumber(used) ?? overBudget(used)
    const { companyId, livemode } = used
    if (refusal === ofCompany) {
      yield* Effect.logWarning("A company has used up its uploads of the day", { companyId, livemode })
    }
    if (refusal !== null) return yield* refusal
  }
  yield* sql.unsafe(beginStatement, [journeyId, day, yield* uploadingSession])
})

/** Inside the transaction that keeps a part of an upload. What is being written at the same time may go over the budget. */
export const refusePartOverBudget = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, journeyId: JourneyId) {
  const used = yield* usedBy(sql, journeyId, yield* today)
  const refusal = used === null ? null : overBudget(used)
  if (refusal !== null) return yield* refusal
})
