/**
 * The overview of a company, read by one statement. Each part of the statement reads an index and stops at a bound, so that the
 * statement costs the same for a company with a hundred thousand journeys.
 */
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CompanyOverview } from "../../../actors/company/CompanyOverview.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { ReviewKind } from "../../../schema/journey/ReviewKind.ts"
import { waitingOn } from "../../../schema/journey/steps.ts"
import { Mode } from "../../../schema/Mode.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { OffReason } from "../../../schema/webhook/Endpoint.ts"
import { textArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"

const { eventsOfOverview, mostCounted } = companyLimits

/** Epoch milliseconds inside JSON, where a time would be text in the form of the connection. */
const millis = (moment: string) => `floor(extract(epoch from ${moment}) * 1000)::float8`

const mode = (livemode: string) => `case when ${livemode} then 'LIVE' else 'TEST' end`

const counted = (rows: string) => `(select count(*)::int4 from (${rows} limit ${mostCounted + 1}) counted)`

const lastEvents = (livemode: boolean) => `(
  select id, type, ${livemode} as livemode, case when sequence > 0 then journey_id end as journey_id, created_at
  from events where company_id = $1::uuid and livemode = ${livemode} order by tx desc, id desc limit ${eventsOfOverview}
)`

const hasKey = (livemode: boolean) => `exists (
  select from api_keys where company_id = $1::uuid and livemode = ${livemode} and revoked_at is null
    and (expires_at is null or expires_at > $3::timestamptz)
)`

/** $1 the company, $2 what a journey can wait on, $3 now. */
export const overviewStatement = `
select
  ${hasKey(false)} as test_key,
  ${hasKey(true)} as live_key,
  exists (select from journeys where company_id = $1::uuid and livemode = false)
    or exists (select from journeys where company_id = $1::uuid and livemode = true) as test_journey,
  exists (
    select from webhook_endpoints w cross join lateral (
      select status from deliveries where endpoint_id = w.id order by event_id desc limit ${storeLimits.deliveriesOfOverview}
    ) d
    where w.company_id = $1::uuid and w.livemode = false and w.removed_at is null and d.status = 'DELIVERED'
  ) as webhook,
  (select count(*)::int4 from (select from members where company_id = $1::uuid limit 2) m) as members,
  (
    select coalesce(json_agg(json_build_object('mode', ${mode("livemode")}, 'waitingOn', waiting_on, 'count', n) order by livemode desc, n desc), '[]')
    from (
      select m.livemode, w.waiting_on, ${counted(
        "select from journeys j where j.company_id = $1::uuid and j.livemode = m.livemode and j.listed_as = w.waiting_on"
      )} as n
      from (values (true), (false)) m (livemode) cross join unnest($2::text[]) w (waiting_on)
    ) waiting
    where n > 0
  ) as waiting,
  (
    select coalesce(json_agg(json_build_object('mode', ${mode("m.livemode")}, 'kind', k.review, 'count', k.n) order by m.livemode desc, k.review), '[]')
    from (values (true), (false)) m (livemode) cross join lateral (
      select r.review, count(*)::int4 as n from (
        select j.review from journeys j where j.company_id = $1::uuid and j.livemode = m.livemode and j.review is not null
        limit ${mostCounted + 1}
      ) r group by r.review
    ) k
  ) as reviews,
  (
    select coalesce(json_agg(json_build_object('mode', ${mode("livemode")}, 'enabled', enabled, 'offReason', off_reason,
      'offSince', ${millis("off_since")}, 'failingSince', ${millis("failing_since")}) order by livemode desc), '[]')
    from webhook_endpoints where company_id = $1::uuid and removed_at is null
  ) as endpoints,
  (select stopped_at from mail_standings where company_id = $1::uuid) as mail_stopped_at,
  (
    select coalesce(json_agg(json_build_object('id', id, 'type', type, 'mode', ${mode("livemode")}, 'journeyId', journey_id,
      'createdAt', ${millis("created_at")}) order by created_at desc, id desc), '[]')
    from (select * from (${lastEvents(true)} union all ${lastEvents(false)}) newest
      order by created_at desc, id desc limit ${eventsOfOverview}) e
  ) as events`

const OverviewRow = rowModel({
  testKey: column.bool,
  liveKey: column.bool,
  testJourney: column.bool,
  webhook: column.bool,
  members: column.number,
  waiting: column.ofSchema(
    Schema.Array(Schema.Struct({ mode: Mode, waitingOn: Schema.Literals(waitingOn), count: Schema.Int }))
  ),
  reviews: column.ofSchema(Schema.Array(Schema.Struct({ mode: Mode, kind: ReviewKind, count: Schema.Int }))),
  endpoints: column.ofSchema(
    Schema.Array(
      Schema.Struct({
        mode: Mode,
        enabled: Schema.Boolean,
        offReason: Schema.NullOr(OffReason),
        offSince: Schema.NullOr(Schema.Finite),
        failingSince: Schema.NullOr(Schema.Finite)
      })
    )
  ),
  mailStoppedAt: column.orNull(column.millis),
  events: column.ofSchema(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        type: Schema.String,
        mode: Mode,
        journeyId: Schema.NullOr(Schema.String),
        createdAt: Schema.Finite
      })
    )
  )
})

/** A number that was counted up to the bound. */
const bounded = (count: number): number => Math.min(count, mostCounted)
const isBeyond = (count: number): boolean => count > mostCounted

/** Of each mode in which a review waits, how many, and how many of each kind. */
const reviewsOf = (found: ReadonlyArray<{ readonly mode: Mode; readonly kind: ReviewKind; readonly count: number }>) =>
  Mode.literals.flatMap((mode) => {
    const kinds = found.filter((one) => one.mode === mode).map(({ count, kind }) => ({ kind, count }))
    const count = kinds.reduce((sum, one) => sum + one.count, 0)
    return count === 0 ? [] : [{ mode, count: bounded(count), isMore: isBeyond(count), kinds }]
  })

export const overviewParameters = (companyId: CompanyId, now: number): ReadonlyArray<unknown> => [
  companyId,
  textArray(waitingOn),
  new Date(now)
]

export const layer = Layer.effect(
  CompanyOverview,
  Effect.map(SqlClient.SqlClient, (sql) =>
    CompanyOverview.of({
      read: Effect.fnUntraced(function* (companyId) {
        const now = yield* Clock.currentTimeMillis
        const row = yield* storeRead(
          OverviewRow.first(sql.unsafe(overviewStatement, overviewParameters(companyId, now)))
        )
        if (row === null) return yield* Effect.die(new Error("the statement of an overview has no row"))
        const { endpoints, events, liveKey, mailStoppedAt, members, reviews, testJourney, testKey, waiting, webhook } =
          row
        return {
          firstSteps: {
            testKey,
            testJourney,
            testEndpoint: endpoints.some((endpoint) => endpoint.mode === "TEST"),
            webhook,
            team: members > 1,
            liveEndpoint: endpoints.some(({ enabled, mode }) => enabled && mode === "LIVE"),
            liveKey
          },
          waiting: waiting.map(({ count, mode, waitingOn }) => ({
            mode,
            waitingOn,
            count: bounded(count),
            isMore: isBeyond(count)
          })),
          reviews: reviewsOf(reviews),
          endpoints: endpoints.map(({ enabled, failingSince, mode, offReason, offSince }) => ({
            mode,
            enabled,
            offReason,
            offSince: timestampOrNull(offSince),
            failingSince: timestampOrNull(failingSince)
          })),
          mailStoppedAt: timestampOrNull(mailStoppedAt),
          events: events.map(({ createdAt, id, journeyId, mode, type }) => ({
            id,
            type,
            mode,
            journeyId,
            createdAt: timestamp(createdAt)
          }))
        }
      })
    })
  )
)
