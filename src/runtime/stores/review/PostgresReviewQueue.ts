/**
 * The review queue in PostgreSQL. A review has no row of its own: the journey's row says which review is open (the index
 * `journeys_in_review` holds those rows), and the journey's events say since when.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { openReview } from "../../../actors/journey/rules/state/waiting.ts"
import { JourneyUnreadable } from "../../../actors/kernel/StoreError.ts"
import { beginningOf, kindOfBeginning } from "../../../actors/review/review.ts"
import { ReviewQueue, type Queue, type Review } from "../../../actors/review/ReviewQueue.ts"
import { JourneyMessage } from "../../../schema/journey/messages.ts"
import { readPage } from "../../postgres/pages.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { EventId, JourneyId } from "../../../schema/ids.ts"

const Beginning = Schema.Literals(Object.values(beginningOf))

const isBeginning = `type in (${Beginning.literals.map((type) => `'${type}'`).join(", ")})`

/** The event that began a journey's latest review. */
export const latestReviewOf = (journey: string) =>
  `select id, type, created_at from events where journey_id = ${journey} and ${isBeginning} order by sequence desc limit 1`

/** The open reviews of a company ($1) in a mode ($2), of one kind ($3) or of any. */
export const openReviews = `from (
  select j.id as journey_id, j.state, r.id, r.type, r.created_at
  from journeys j cross join lateral (${latestReviewOf("j.id")}) r
  where j.company_id = $1::uuid and j.livemode = $2::boolean and j.review is not null
    and ($3::text is null or j.review = $3::text)
) reviews`

/**
 * The review ($2) of a company ($1), and the message with an id ($3), if the review's journey has taken that message. A check that
 * could not be started is decided by the first later message that resends the check: the message that began the review may be such a
 * message itself, when the check could not be started once more. Events of earlier versions do not name their message.
 */
const findStatement = `
select j.id as journey_id, j.state, e.id, e.type, e.created_at,
  e.id = (select id from (${latestReviewOf("j.id")}) r) as is_latest,
  d.message, d.sender, d.at, coalesce(d.message_id = $3::uuid, false) as is_taken
from events e join journeys j on j.id = e.journey_id
  left join lateral (
    select l.message, l.message_id, l.sender, l.at from journal l
    where l.journey_id = j.id and (l.message_id = $3::uuid or (
      e.type = '${beginningOf.CHECK_UNAVAILABLE}' and l.message ->> '_tag' = 'TeamResendsCheck'
        and case when e.version is null then l.at > e.created_at else l.version > e.version end
    ))
    order by l.version limit 1
  ) d on true
where e.id = $2::uuid and e.company_id = $1::uuid and e.${isBeginning}`

/** What waits beside a review ($4). */
const besideStatement = `
with waiting as materialized (select id, created_at ${openReviews}),
here as (select id, created_at from events where id = $4::uuid)
select
  (select w.id from waiting w, here where (w.created_at, w.id) < (here.created_at, here.id)
    order by w.created_at desc, w.id desc limit 1) as previous,
  (select w.id from waiting w, here where (w.created_at, w.id) > (here.created_at, here.id)
    order by w.created_at, w.id limit 1) as next,
  (select count(*)::int4 from waiting) as waiting`

const BesideRow = rowModel({
  previous: column.orNull(column.id(EventId)),
  next: column.orNull(column.id(EventId)),
  waiting: column.number
})

const reviewColumns = {
  id: column.id(EventId),
  type: column.oneOf(Beginning),
  createdAt: column.millis,
  journeyId: column.id(JourneyId),
  state: column.json
}

const ReviewRow = rowModel(reviewColumns)

const FoundRow = rowModel({
  ...reviewColumns,
  isLatest: column.bool,
  message: column.orNull(column.ofSchema(JourneyMessage)),
  isTaken: column.bool,
  sender: column.orNull(column.text),
  at: column.orNull(column.millis)
})

type ReviewColumns = ReturnType<typeof ReviewRow.decodeRow>

const decodeJourney = Schema.decodeUnknownEffect(Journey)

const reviewOf = ({ createdAt, id, journeyId, state, type }: ReviewColumns): Effect.Effect<Review, JourneyUnreadable> =>
  decodeJourney(state).pipe(
    Effect.map((journey) => ({ id, kind: kindOfBeginning[type], since: createdAt, journey })),
    Effect.mapError((cause) => new JourneyUnreadable({ journeyId, cause }))
  )

/** A journey that cannot be read is reported to the log, and the other reviews are shown. */
const readable = (row: ReviewColumns): Effect.Effect<ReadonlyArray<Review>> =>
  reviewOf(row).pipe(
    Effect.map((review) => [review]),
    Effect.catch(({ journeyId }) =>
      Effect.as(Effect.logError("A stored journey cannot be read and is left out of the reviews", { journeyId }), [])
    )
  )

const valuesOf = ({ companyId, kind, livemode }: Queue): ReadonlyArray<unknown> => [companyId, livemode, kind]

export const layer = Layer.effect(
  ReviewQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return ReviewQueue.of({
      waiting: Effect.fnUntraced(function* (queue, page) {
        const list = { from: openReviews, order: "created_at, id", values: valuesOf(queue) }
        const { content, ...total } = yield* storeRead(readPage(sql, ReviewRow, list, page))
        const reviews = yield* Effect.forEach(content, readable)
        return { content: reviews.flat(), ...total }
      }),
      beside: (queue, reviewId) =>
        Effect.map(
          storeRead(BesideRow.first(sql.unsafe(besideStatement, [...valuesOf(queue), reviewId]))),
          (row) => row ?? { previous: null, next: null, waiting: 0 }
        ),
      find: Effect.fnUntraced(function* (companyId, reviewId, messageId) {
        const row = yield* storeRead(FoundRow.first(sql.unsafe(findStatement, [companyId, reviewId, messageId])))
        if (row === null) return null
        const review = yield* reviewOf(row)
        const { at, message, sender } = row
        return {
          ...review,
          isOpen: row.isLatest && openReview(review.journey) === review.kind,
          taken: row.isTaken ? message : null,
          decided: message === null || sender === null || at === null ? null : { message, sender, at }
        }
      })
    })
  })
)
