/**
 * What a case file tells of the frames of a journey's last video, in PostgreSQL: which there are, and the photo that they were
 * compared with ($1 is the journey). Opens nothing. Frames that nobody has taken yet are named by the moments at which they
 * will be taken.
 */
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { KeptFrame, KeptReference, KeptTurns } from "../../../actors/review/CaseFiles.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { TurnsOutcome } from "../../../schema/media/headTurns.ts"
import { FrameOutcome } from "../../../schema/review/CaseFile.ts"
import { PictureName } from "../../../schema/review/Review.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { momentsIn } from "../../video/frameMoments.ts"
import { videoLimits } from "../../video/limits.ts"
import { turnsColumn } from "../checks/PostgresVideoChallenges.ts"
import { referenceOfJourney } from "../checks/PostgresReferenceFace.ts"

const framesStatement = `
select u.seconds, u.frames_at is not null as is_taken, u.turns_asked, u.turns_seen, u.turns_outcome, coalesce((
  select json_agg(json_build_object(
    'number', f.number, 'at', f.at_millis, 'outcome', f.outcome, 'similarity', f.similarity, 'turned', f.turned
  ) order by f.number) from video_frames f where f.upload_id = u.id
), '[]') as frames
from video_uploads u where u.journey_id = $1::uuid and u.medium = 'VIDEO' and u.completed_at is not null`

const Frames = Schema.Array(
  Schema.Struct({
    number: Schema.Int,
    at: Schema.NullOr(Schema.Int),
    outcome: FrameOutcome,
    similarity: Schema.NullOr(Schema.Finite),
    turned: Schema.NullOr(Schema.Finite)
  })
)

const FramesRow = rowModel({
  seconds: column.orNull(column.number),
  isTaken: column.bool,
  turnsAsked: turnsColumn,
  turnsSeen: column.orNull(turnsColumn),
  turnsOutcome: column.orNull(column.oneOf(TurnsOutcome)),
  frames: column.ofSchema(Frames)
})

// What was compared is recorded beside the video; before that it is what would be compared now.
const referenceStatement = `
select coalesce(u.reference_name, f.name) as name, coalesce(u.reference_of, f.of) as of,
  u.reference_name is not null and coalesce(
    f.name is distinct from u.reference_name or f.of is distinct from u.reference_of or f.at > u.frames_at, false
  ) as replaced
from journeys j
  left join video_uploads u on u.journey_id = j.id and u.medium = 'VIDEO' and u.completed_at is not null
  left join lateral ${referenceOfJourney} f on true
where j.id = $1::uuid and coalesce(u.reference_name, f.name) is not null`

const ReferenceRow = rowModel({ name: column.oneOf(PictureName), of: column.text, replaced: column.bool })

const planned = (seconds: number | null): ReadonlyArray<KeptFrame> => {
  const moments = seconds === null ? null : momentsIn(seconds, videoLimits.framesTaken)
  return Array.from({ length: videoLimits.framesTaken }, (_, index) => ({
    number: index + 1,
    at: moments?.[index] ?? null,
    outcome: "NOT_COMPARED",
    similarity: null,
    turned: null
  }))
}

export const framesOfCase = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, journeyId: JourneyId) {
  const video = yield* FramesRow.first(sql.unsafe(framesStatement, [journeyId]))
  const reference: KeptReference | null = yield* ReferenceRow.first(sql.unsafe(referenceStatement, [journeyId]))
  const frames = video === null || video.isTaken ? (video?.frames ?? []) : planned(video.seconds)
  const turns: KeptTurns | null =
    video === null || video.turnsAsked.length === 0
      ? null
      : { asked: video.turnsAsked, seen: video.turnsSeen, outcome: video.turnsOutcome }
  return { frames, reference, turns }
})
