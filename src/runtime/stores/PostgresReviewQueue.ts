/** The review queue in PostgreSQL: journeys and their events, read. The statements are in `reviewStatements.ts`. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Journey } from "../../actors/journey/rules/Journey.ts"
import { JourneyUnreadable } from "../../actors/kernel/StoreError.ts"
import { openReview } from "../../actors/journey/rules/waiting.ts"
import { kindOfBeginning } from "../../actors/review/review.ts"
import { ReviewQueue, type Review } from "../../actors/review/ReviewQueue.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { pageOf } from "./companyRows.ts"
import { findReviewStatement, oldestFirst, waiting } from "./reviewStatements.ts"
import { storeRead } from "../postgres/storeCalls.ts"

interface ReviewRow {
  readonly id: string
  readonly type: keyof typeof kindOfBeginning
  readonly created_at: Date
  readonly journey_id: string
  readonly state: unknown
}

interface FoundRow extends ReviewRow {
  readonly is_latest: boolean
  readonly told: JourneyMessage | null
}

const decodeJourney = Schema.decodeUnknownEffect(Journey)

const reviewFrom = (row: ReviewRow): Effect.Effect<Review, JourneyUnreadable> =>
  decodeJourney(row.state).pipe(
    Effect.map((journey) => ({
      id: row.id,
      kind: kindOfBeginning[row.type],
      since: row.created_at.getTime(),
      journey
    })),
    Effect.mapError((cause) => new JourneyUnreadable({ journeyId: row.journey_id, cause }))
  )

/** A row that cannot be read is told to the log, and its neighbours are shown. */
const readable = (row: ReviewRow): Effect.Effect<ReadonlyArray<Review>> =>
  reviewFrom(row).pipe(
    Effect.map((review) => [review]),
    Effect.catch(({ journeyId }) =>
      Effect.as(Effect.logError("A stored journey cannot be read and is left out of the reviews", { journeyId }), [])
    )
  )

export const layer = Layer.effect(
  ReviewQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return ReviewQueue.of({
      waiting: ({ companyId, livemode }, page) =>
        storeRead(
          pageOf(
            sql,
            { from: waiting, order: oldestFirst, values: [companyId, livemode] },
            page,
            (row: ReviewRow) => row
          )
        ).pipe(
          Effect.flatMap(({ content, totalElements }) =>
            Effect.map(Effect.forEach(content, readable), (reviews) => ({ content: reviews.flat(), totalElements }))
          )
        ),
      find: (companyId, reviewId, messageId) =>
        storeRead(sql.unsafe<FoundRow>(findReviewStatement, [companyId, reviewId, messageId])).pipe(
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.succeed(null)
              : Effect.map(reviewFrom(row), (review) => ({
                  ...review,
                  isOpen: row.is_latest && openReview(review.journey) === review.kind,
                  told: row.told
                }))
          )
        )
    })
  })
)
