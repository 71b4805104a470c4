/**
 * The request log in PostgreSQL. Lines wait in a bounded buffer and are written by one statement a second, off the requests' path:
 * a log is no reason to keep callers waiting.
 */
import { Clock, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { RequestLog, type RequestLine } from "../../../actors/company/RequestLog.ts"
import { ApiKeyId, CompanyId } from "../../../schema/ids.ts"
import { batchSource, batchStatement, eachItem } from "../../postgres/batchStatement.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { withStatementTimeout } from "../../postgres/timeouts.ts"
import { requestLogLimits } from "../../../schema/company/limits.ts"
import { requestLogStoreLimits } from "../kernel/limits.ts"
import { requestLogBuffer } from "./requestLogBuffer.ts"
import { largestId } from "../../../schema/uuid.ts"

const slotMillis = Duration.toMillis(requestLogStoreLimits.slotLasts)
const keptMillis = Duration.toMillis(requestLogLimits.keptFor)
const countedMillis = Duration.toMillis(requestLogLimits.countedFor)

/** The slot of a day; the migration has as many. */
export const slotOf = (at: number): number => Math.floor(at / slotMillis) % requestLogStoreLimits.slots

/** When the oldest day of which there are lines begins: a day goes as a whole. */
export const oldestDayAt = (now: number): number => Math.floor((now - keptMillis) / slotMillis) * slotMillis

const writeStatement = batchStatement(
  {
    lines: batchSource(eachItem<RequestLine>, {
      slot: ["int4", ({ at }) => slotOf(at)],
      id: ["uuid", ({ requestId }) => requestId],
      at: ["timestamptz", ({ at }) => at],
      companyId: ["uuid", ({ companyId }) => companyId],
      livemode: ["bool", ({ livemode }) => livemode],
      keyId: ["uuid", ({ keyId }) => keyId],
      route: ["text", ({ route }) => route],
      status: ["int4", ({ status }) => status],
      code: ["text", ({ code }) => code],
      fields: ["json", ({ fields }) => fields],
      durationMillis: ["int4", ({ durationMillis }) => durationMillis],
      journeyId: ["uuid", ({ journeyId }) => journeyId],
      isReplay: ["bool", ({ isReplay }) => isReplay]
    })
  },
  ({ lines }) => `
insert into requests (slot, id, at, company_id, livemode, key_id, route, status, code, fields, duration_millis, journey_id, is_replay)
${lines}`
)

const LineRow = rowModel({
  requestId: column.text,
  at: column.millis,
  companyId: column.id(CompanyId),
  livemode: column.bool,
  keyId: column.id(ApiKeyId),
  route: column.text,
  status: column.orNull(column.number),
  code: column.orNull(column.text),
  fields: column.ofSchema(Schema.Array(Schema.String)),
  durationMillis: column.number,
  journeyId: column.orNull(column.text),
  isReplay: column.bool,
  isFound: column.bool
})

/** $3: before this id, $4: from then on, $5 to $7, $9 and $10: the filter. The last line that was looked at comes along, found or not. */
const listStatement = `
with looked as materialized (
  select * from requests
  where company_id = $1::uuid and livemode = $2::bool and id < $3::uuid and at >= $4::timestamptz
  order by company_id desc, livemode desc, id desc limit ${requestLogStoreLimits.linesLookedAt}
), found as (
  select id from looked
  where ($5::text is null or code = $5) and ($6::uuid is null or key_id = $6) and ($7::uuid is null or journey_id = $7)
    and ($9::text is null or starts_with(route, $9 || ' ')) and ($10::bool is null or $10 = (code is not null))
  order by id desc limit $8
), last as (
  select id from looked order by id limit 1
)
select l.*, l.id as request_id, f.id is not null as is_found
from looked l left join found f using (id)
where f.id is not null or (l.id = (select id from last) and (select count(*) from looked) = ${requestLogStoreLimits.linesLookedAt})
order by l.id desc`

const ErrorRow = rowModel({
  code: column.text,
  count: column.number,
  lastAt: column.millis,
  lastKeyId: column.id(ApiKeyId),
  oldestAt: column.millis,
  looked: column.number
})

/** $3: from then on. The newest lines alone are looked at, over the index that lists them. */
const errorsStatement = `
with looked as materialized (
  select id, at, code, key_id from requests
  where company_id = $1::uuid and livemode = $2::bool and at >= $3::timestamptz
  order by company_id desc, livemode desc, id desc limit ${requestLogLimits.linesCounted}
), bounds as (
  select count(*)::int4 as looked, min(at) as oldest_at from looked
)
select code, count(*)::int4 as count, max(at) as last_at, (array_agg(key_id order by id desc))[1] as last_key_id,
  (select oldest_at from bounds) as oldest_at, (select looked from bounds) as looked
from looked where code is not null
group by code order by 2 desc, 3 desc`

export const layer = Layer.effect(
  RequestLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const note = yield* requestLogBuffer((lines) => withStatementTimeout(sql.unsafe(...writeStatement(lines))))
    return RequestLog.of({
      note,
      list: Effect.fnUntraced(function* ({ companyId, livemode }, filter, { after, size }) {
        const { code, isRefused, journeyId, keyId, method } = filter
        const since = new Date((yield* Clock.currentTimeMillis) - keptMillis)
        const values = [companyId, livemode, after ?? largestId, since, code, keyId, journeyId, size, method, isRefused]
        const rows = yield* storeRead(LineRow.all(sql.unsafe(listStatement, values)))
        const content = rows.filter(({ isFound }) => isFound)
        const last = content.length === size ? content.at(-1) : rows.findLast(({ isFound }) => !isFound)
        return { content, next: last?.requestId ?? null }
      }),
      errors: Effect.fnUntraced(function* ({ companyId, livemode }) {
        const weekAgo = (yield* Clock.currentTimeMillis) - countedMillis
        const values = [companyId, livemode, new Date(weekAgo)]
        const rows = yield* storeRead(ErrorRow.all(sql.unsafe(errorsStatement, values)))
        const [first] = rows
        return {
          since: first?.looked === requestLogLimits.linesCounted ? first.oldestAt : weekAgo,
          errors: rows.map(({ code, count, lastAt, lastKeyId }) => ({ code, count, lastAt, lastKeyId }))
        }
      })
    })
  })
)
