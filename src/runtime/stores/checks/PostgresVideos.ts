/** The finished handover videos in PostgreSQL, opened part by part while somebody reads them. `PostgresUploads.ts` takes them. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Videos } from "../../../actors/checks/video/Videos.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { VideoKind } from "../../../schema/media/videoHeader.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { turnsColumn } from "./PostgresVideoChallenges.ts"
import { contentIn } from "./uploadContent.ts"

const videoStatement = `
select u.id, u.kind, u.bytes, u.chunks, u.turns_asked, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.journey_id = $1 and u.medium = 'VIDEO' and u.completed_at is not null and c.wrapped_key is not null`

const VideoRow = rowModel({
  id: column.text,
  kind: column.oneOf(Schema.Literals(["MP4", "WEBM"] satisfies ReadonlyArray<VideoKind>)),
  bytes: column.wholeNumber,
  chunks: column.number,
  turnsAsked: turnsColumn,
  wrappedKey: column.bytes
})

export const layer = Layer.effect(
  Videos,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const open = contentIn(sql, yield* Vault)
    return Videos.of({
      read: Effect.fn("Videos.read")(function* (journeyId) {
        const video = yield* storeRead(VideoRow.first(sql.unsafe(videoStatement, [journeyId])))
        if (video === null) return null
        const { turnsAsked } = video
        return { id: video.id, turnsAsked, kind: video.kind, bytes: video.bytes, ...(yield* open(video)) }
      })
    })
  })
)
