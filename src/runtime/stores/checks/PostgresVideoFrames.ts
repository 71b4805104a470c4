/**
 * The frames of handover videos in PostgreSQL, sealed beside their video. A video of which nobody has taken frames, because it
 * was compared with nothing, or before frames were kept, has them taken at the first look (`framesOnDemand.ts`).
 */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  VideoFrames,
  type MeasuredTurns,
  type NamedPhoto,
  type SeenFrame
} from "../../../actors/checks/video/VideoFrames.ts"
import { Videos } from "../../../actors/checks/video/Videos.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { arrayParameter } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"
import { makeFramesOnDemand } from "../../video/framesOnDemand.ts"
import { VideoReader } from "../../video/VideoReader.ts"

const keyStatement = `
select c.wrapped_key from video_uploads u join customers c on c.id = u.customer_id
where u.id = $1::uuid and c.wrapped_key is not null`

const KeyRow = rowModel({ wrappedKey: column.bytes })

// The upload is held, so that a video that is removed at the same time takes these frames along.
const keepStatement = `
with video as (
  update video_uploads set frames_at = $2::timestamptz, reference_name = $3::text, reference_of = $4::uuid,
    turns_outcome = $12::text, turns_seen = $13::text
  where id = $1::uuid returning id
), before as (
  delete from video_frames where upload_id in (select id from video) and number > $5::int4
)
insert into video_frames (upload_id, number, at_millis, outcome, similarity, sealed, turned)
select video.id, f.number, f.at_millis, f.outcome, f.similarity, f.sealed, f.turned
from video, unnest($6::int4[], $7::int4[], $8::text[], $9::float8[], $10::bytea[], $11::float8[])
  f (number, at_millis, outcome, similarity, sealed, turned)
on conflict (upload_id, number) do update set at_millis = excluded.at_millis, outcome = excluded.outcome,
  similarity = excluded.similarity, sealed = excluded.sealed, turned = excluded.turned`

const openStatement = `
select u.id, u.frames_at is not null as is_taken, f.sealed, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
  left join video_frames f on f.upload_id = u.id and f.number = $2::int4
where u.journey_id = $1::uuid and u.medium = 'VIDEO' and u.completed_at is not null and c.wrapped_key is not null`

const FrameRow = rowModel({
  id: column.text,
  isTaken: column.bool,
  sealed: column.orNull(column.bytes),
  wrappedKey: column.bytes
})

export const framePlace = (videoId: string, number: number): string => `video_frames|${videoId}|${number}`

export const layer = Layer.effect(
  VideoFrames,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const videos = yield* Videos
    const reader = yield* VideoReader

    const keep = Effect.fn("VideoFrames.keep")(function* (
      videoId: string,
      frames: ReadonlyArray<SeenFrame>,
      reference: NamedPhoto | null,
      turns: MeasuredTurns | null = null
    ) {
      const row = yield* storeRead(KeyRow.first(sql.unsafe(keyStatement, [videoId])))
      if (row === null) return
      const key = yield* customerKeyOf(vault, row.wrappedKey)
      const sealed = frames.map(({ jpeg }, at) => key.sealBytes(framePlace(videoId, at + 1), jpeg))
      yield* repeatableWrite(
        sql.unsafe(keepStatement, [
          videoId,
          new Date(yield* Clock.currentTimeMillis),
          reference?.name ?? null,
          reference?.of ?? null,
          frames.length,
          arrayParameter(
            frames.map((_, at) => at + 1),
            "int4"
          ),
          arrayParameter(
            frames.map(({ at }) => at),
            "int4"
          ),
          arrayParameter(
            frames.map(({ outcome }) => outcome),
            "text"
          ),
          arrayParameter(
            frames.map(({ similarity }) => similarity),
            "float8"
          ),
          arrayParameter(sealed, "bytea"),
          arrayParameter(
            frames.map(({ turned }) => turned ?? null),
            "float8"
          ),
          turns?.outcome ?? null,
          turns?.seen.join(",") ?? null
        ])
      )
    })

    /** Takes frames of a video that has none, for people to look at. A video that cannot be read has none for good. */
    const take = yield* makeFramesOnDemand(
      Effect.fnUntraced(function* (journeyId: JourneyId) {
        const video = yield* videos.read(journeyId)
        if (video === null) return
        const reading = yield* reader.frames(video)
        const frames = reading._tag === "Video" ? reading.frames : []
        yield* keep(
          video.id,
          frames.map(({ at, jpeg }): SeenFrame => ({ at, jpeg, outcome: "NOT_COMPARED", similarity: null })),
          null
        )
      })
    )

    const find = (journeyId: JourneyId, number: number) =>
      storeRead(FrameRow.first(sql.unsafe(openStatement, [journeyId, number])))

    return VideoFrames.of({
      keep,
      open: Effect.fn("VideoFrames.open")(function* (journeyId, number) {
        const found = yield* find(journeyId, number)
        if (found === null) return null
        if (!found.isTaken) yield* take(found.id, journeyId)
        const row = found.isTaken ? found : yield* find(journeyId, number)
        if (row === null || row.sealed === null) return null
        const key = yield* customerKeyOf(vault, row.wrappedKey)
        return yield* Effect.orDie(key.openBytes(framePlace(row.id, number), row.sealed))
      })
    })
  })
)
