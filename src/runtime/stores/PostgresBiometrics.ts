/**
 * Deletes the photos and videos of one journey in PostgreSQL. Which tables hold a face is listed here; a test finds a sealed
 * column about which nobody has decided. Retention deletes by age (`retentionStatements.ts`), erasure by customer
 * (`PostgresErasures.ts`).
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Biometrics } from "../../actors/checks/Biometrics.ts"
import type { JourneyId } from "../../schema/ids.ts"
import { storeWrite } from "../postgres/storeCalls.ts"

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

/** An attempt that is still being judged is closed: whoever judges it finds no open attempt and keeps no photo. */
const closeAttemptsStatement = `
update identity_attempts
set verdict = coalesce(verdict, 'NOT_JUDGED'), sealed_document = null, sealed_selfie = null, sealed_prints = null
where journey_id = $1::uuid
  and (verdict is null or sealed_document is not null or sealed_selfie is not null or sealed_prints is not null)`

const dropPortraitStatement = `
update provider_results set sealed_portrait = null where journey_id = $1::uuid and sealed_portrait is not null`

const dropPhotoStatement = "delete from customer_photos where journey_id = $1::uuid"

/** The parts of a video are many and large: one statement deletes some of them, so that no statement takes long. */
const partsAtOnce = 32
const dropPartsStatement = `
delete from video_chunks where (upload_id, number) in (
  select c.upload_id, c.number from video_chunks c join video_uploads u on u.id = c.upload_id
  where u.journey_id = $1::uuid limit ${partsAtOnce}
) returning number`

/** Takes along the frames, and a part that arrived meanwhile. Without its upload no further part is taken. */
const dropUploadsStatement = "delete from video_uploads where journey_id = $1::uuid"

export const layer = Layer.effect(
  Biometrics,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statement: string, journeyId: JourneyId) => storeWrite(sql.unsafe(statement, [journeyId]))
    return Biometrics.of({
      delete: Effect.fn("Biometrics.delete")(function* (journeyId) {
        yield* run(closeAttemptsStatement, journeyId)
        yield* run(dropPhotoStatement, journeyId)
        yield* run(dropPortraitStatement, journeyId)
        while ((yield* run(dropPartsStatement, journeyId)).length > 0);
        yield* run(dropUploadsStatement, journeyId)
      })
    })
  })
)
