/** Who has a review open, in PostgreSQL: a row for each review and person. A look that begins after an earlier one is over has a new beginning. */
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ReviewLooks } from "../../../actors/review/ReviewLooks.ts"
import { EventId } from "../../../schema/ids.ts"
import { reviewLimits } from "../../../schema/review/limits.ts"
import { uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"

/** $5: a look that was said to go on before that is over. */
const openStatement = `
insert into review_looks as l (company_id, review_id, actor, since, seen_at)
values ($1::uuid, $2::uuid, $3::text, $4::timestamptz, $4::timestamptz)
on conflict (review_id, actor) do update set
  seen_at = excluded.seen_at, since = case when l.seen_at <= $5::timestamptz then excluded.since else l.since end`

const ofStatement = `
select review_id, actor, since from review_looks
where review_id = any($2::uuid[]) and company_id = $1::uuid and seen_at > $3::timestamptz
order by since, actor`

const LookRow = rowModel({ reviewId: column.id(EventId), actor: column.text, since: column.millis })

/** Looks that were said to go on at this moment, or before it, are over. */
const over = Effect.map(
  Clock.currentTimeMillis,
  (now) => [new Date(now), new Date(now - Duration.toMillis(reviewLimits.lookLasts))] as const
)

export const layer = Layer.effect(
  ReviewLooks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return ReviewLooks.of({
      open: Effect.fnUntraced(function* (companyId, reviewId, actor) {
        const [now, overAt] = yield* over
        yield* repeatableWrite(sql.unsafe(openStatement, [companyId, reviewId, actor, now, overAt]))
      }),
      of: Effect.fnUntraced(function* (companyId, reviewIds) {
        if (reviewIds.length === 0) return new Map()
        const [, overAt] = yield* over
        const rows = yield* storeRead(LookRow.all(sql.unsafe(ofStatement, [companyId, uuidArray(reviewIds), overAt])))
        return Map.groupBy(rows, ({ reviewId }) => reviewId)
      })
    })
  })
)
