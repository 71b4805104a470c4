/**
 * Begins an upload in PostgreSQL, inside a transaction that holds the journey: the upload of its medium that was open before is gone.
 * Whether the journey asks for one, and what becomes of its parts, is decided in `PostgresUploads.ts`.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { UploadRefused } from "../../../actors/checks/uploads/Uploads.ts"
import type { Medium } from "../../../actors/checks/uploads/uploadRows.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { namedChallenge } from "./PostgresVideoChallenges.ts"
import { countUpload } from "./uploadBudget.ts"

const voidStatement = "delete from video_uploads where journey_id = $1 and medium = $2 and completed_at is null"

const beginStatement =
  "insert into video_uploads (id, journey_id, customer_id, begun_at, medium, challenge_id, turns_asked) values ($1, $2, $3, $4, $5, $6, $7)"

const begunStatement = "select id from video_uploads where id = $1"

const noChallenge = new UploadRefused({ code: "NO_CHALLENGE", rule: "must name the turns that its customer was shown" })

export interface NewUpload {
  readonly uploadId: string
  readonly journeyId: JourneyId
  readonly customerId: string
  readonly medium: Medium
  readonly challengeId: string | null
}

export const beginnerIn = (sql: SqlClient.SqlClient) => {
  const begin = Effect.fnUntraced(function* ({
    challengeId,
    customerId,
    journeyId,
    medium,
    uploadId
  }: NewUpload): Effect.fn.Return<void, UploadRefused | SqlError> {
    const challenge = challengeId === null ? null : yield* namedChallenge(sql, journeyId, challengeId)
    if (challenge === null && challengeId !== null) return yield* noChallenge
    yield* countUpload(sql, journeyId)
    yield* sql.unsafe(voidStatement, [journeyId, medium])
    const of = [uploadId, journeyId, customerId, new Date(yield* Clock.currentTimeMillis), medium]
    yield* sql.unsafe(beginStatement, [...of, challenge?.id ?? null, challenge?.turns.join(",") ?? null])
  })
  return {
    begin,
    /** After a first attempt of unknown outcome: what has begun is neither begun nor counted twice. */
    beginUnlessBegun: Effect.fnUntraced(function* (upload: NewUpload) {
      const begun = yield* sql.unsafe(begunStatement, [upload.uploadId])
      if (begun.length === 0) yield* begin(upload)
    })
  }
}
