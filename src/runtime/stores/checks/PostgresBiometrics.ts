/**
 * Deletes the photos and videos of one journey in PostgreSQL. Which tables hold a face is listed here; a test finds a sealed
 * column about which nobody has decided. Retention deletes by age (`retentionStatements.ts`), erasure by customer
 * (`PostgresErasures.ts`).
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Biometrics } from "../../../actors/checks/Biometrics.ts"
import { storeWrite } from "../../postgres/storeCalls.ts"

/** The sealed columns that show a face, each with its table. */
export const biometricColumns: ReadonlyArray<string> = [
  "customer_photos.sealed",
  "identity_attempts.sealed_document",
  "identity_attempts.sealed_selfie",
  "identity_attempts.sealed_prints",
  "provider_results.sealed_portrait",
  "video_chunks.sealed",
  "video_frames.sealed"
]

/** Something was given before $2; without $2 everything was. */
const isBefore = (at: string): string => `($2::timestamptz is null or ${at} < $2::timestamptz)`

/** An attempt that is still being judged is closed: whoever judges it finds no open attempt and keeps no photo. */
const closeAttemptsStatement = `
update identity_attempts
set verdict = coalesce(verdict, 'NOT_JUDGED'), sealed_document = null, sealed_selfie = null, sealed_prints = null
where journey_id = $1::uuid and ${isBefore("at")}
  and (verdict is null or sealed_document is not null or sealed_selfie is not null or sealed_prints is not null)`

const dropPortraitStatement = `
update provider_results set sealed_portrait = null
where journey_id = $1::uuid and sealed_portrait is not null and ${isBefore("at")}`

const dropPhotoStatement = `delete from customer_photos where journey_id = $1::uuid and ${isBefore("at")}`

/** A file that was completed later was given later: only then its customer let go of it. */
const wasUploadedBefore = isBefore("coalesce(u.completed_at, u.begun_at)")

/** The parts of a video are many and large: one statement deletes some of them, so that no statement takes long. */
const partsAtOnce = 32
const dropPartsStatement = `
delete from video_chunks where (upload_id, number) in (
  select c.upload_id, c.number from video_chunks c join video_uploads u on u.id = c.upload_id
  where u.journey_id = $1::uuid and ${wasUploadedBefore} limit ${partsAtOnce}
) returning number`

/** Takes along the frames, and a part that arrived meanwhile. Without its upload no further part is taken. */
const dropUploadsStatement = `delete from video_uploads u where u.journey_id = $1::uuid and ${wasUploadedBefore}`

export const layer = Layer.effect(
  Biometrics,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return Biometrics.of({
      delete: Effect.fn("Biometrics.delete")(function* (journeyId, before) {
        const values = [journeyId, before === null ? null : new Date(before)]
        const run = (statement: string) => storeWrite(sql.unsafe(statement, values))
        yield* run(closeAttemptsStatement)
        yield* run(dropPhotoStatement)
        yield* run(dropPortraitStatement)
        while ((yield* run(dropPartsStatement)).length > 0);
        yield* run(dropUploadsStatement)
      })
    })
  })
)
