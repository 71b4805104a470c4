/** Uploads of photos in PostgreSQL, beside those of videos, and photos that wait for a check: where they are kept and how long. */
import { Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { PhotoMedium } from "../../../../src/actors/checks/uploads/uploadRows.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { facePhoto, facePng } from "../../../support/photos.ts"
import { chunkOf, startVideos } from "../../../support/videoGround.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(Layer.mock(VideoReader, {}))
})
afterAll(() => ground?.stop())

/** A journey that asks for the identity check. */
const journeyAsked = () => ground.journey({ handover: "AWAITING_IDENTITY", identity: { status: "REQUESTED" } })

const begunOf = async (id: string, medium: PhotoMedium) => {
  const journeyId = JourneyId.make(id)
  const begun = await ground.run(ground.uploads.begin(journeyId, medium))
  if (begun._tag === "Failure") throw new Error(`not begun: ${begun.failure._tag}`)
  return { journeyId, medium, uploadId: begun.success }
}

const uploaded = async (id: string, medium: PhotoMedium, photo: Uint8Array) => {
  const upload = await begunOf(id, medium)
  expect(await ground.run(ground.uploads.chunk(upload, chunkOf(0, photo)))).toMatchObject({ _tag: "Success" })
  return ground.run(ground.uploads.complete(upload, 1))
}

const namesOf = async (id: string) => ground.run(ground.keptPhotos.names(JourneyId.make(id)))

describe("a photo that waits for a check", () => {
  it("is read back as it was sent, one of each medium, a later one in place of the one before", async () => {
    const { id } = await journeyAsked()
    await uploaded(id, "DOCUMENT_PHOTO", facePhoto())
    await uploaded(id, "SELFIE", facePng())
    await uploaded(id, "DOCUMENT_PHOTO", facePng())
    expect(await namesOf(id)).toMatchObject({ success: ["documentPhoto", "selfie"] })
    const read = await ground.run(ground.keptPhotos.read(JourneyId.make(id), "documentPhoto"))
    expect(read._tag === "Success" && read.success !== null && facePng().equals(read.success)).toBe(true)
    await ground.run(ground.keptPhotos.drop(JourneyId.make(id), ["documentPhoto"]))
    expect(await namesOf(id)).toMatchObject({ success: ["selfie"] })
  })

  it("is under way beside one of the other medium", async () => {
    const { id } = await journeyAsked()
    const both = [await begunOf(id, "DOCUMENT_PHOTO"), await begunOf(id, "SELFIE")]
    for (const upload of both) {
      expect(await ground.run(ground.uploads.chunk(upload, chunkOf(0, facePhoto())))).toMatchObject({ _tag: "Success" })
      expect(await ground.run(ground.uploads.complete(upload, 1))).toMatchObject({ _tag: "Success" })
    }
    expect(await namesOf(id)).toMatchObject({ success: ["documentPhoto", "selfie"] })
  })

  it("is refused when its bytes are no photo, or are damaged", async () => {
    const { id } = await journeyAsked()
    expect(await uploaded(id, "SELFIE", facePhoto().subarray(0, 100))).toMatchObject({
      failure: { code: "UNREADABLE" }
    })
    const begun = await ground.run(ground.uploads.begin(JourneyId.make(id), "SELFIE"))
    const upload = {
      journeyId: JourneyId.make(id),
      medium: "SELFIE" as const,
      uploadId: begun._tag === "Success" ? begun.success : ""
    }
    const film = Buffer.from("\0\0\0\x20ftypisom\0\0\0\0", "latin1")
    expect(await ground.run(ground.uploads.chunk(upload, chunkOf(0, film)))).toMatchObject({
      failure: { code: "UNSUPPORTED" }
    })
  })

  it("is taken only while the journey asks for the check, and read by nobody once its customer is erased", async () => {
    const atVideo = await ground.journey()
    expect(await ground.run(ground.uploads.begin(JourneyId.make(atVideo.id), "SELFIE"))).toMatchObject({
      failure: { _tag: "UploadNotAwaited" }
    })
    const journey = await journeyAsked()
    await uploaded(journey.id, "SELFIE", facePhoto())
    await journey.erased()
    expect(await namesOf(journey.id)).toMatchObject({ success: [] })
  })

  it("is removed after a while; a finished video is not", async () => {
    const { id } = await journeyAsked()
    const video = await ground.journey()
    await uploaded(id, "SELFIE", facePhoto())
    await ground.query(
      `insert into video_uploads (id, journey_id, customer_id, kind, bytes, chunks, begun_at, completed_at)
        values (gen_random_uuid(), $1, $2, 'MP4', 1, 1, now(), now())`,
      [video.id, video.customerId]
    )
    expect(await ground.run(ground.uploads.removePhotos(Date.now() - 60_000, 100))).toMatchObject({ success: 0 })
    await ground.query(
      "update video_uploads set completed_at = now() - interval '2 hours' where completed_at is not null"
    )
    const removed = await ground.run(ground.uploads.removePhotos(Date.now() - 60_000, 100))
    expect(removed._tag === "Success" && removed.success).toBeGreaterThan(0)
    expect(await ground.query("select medium from video_uploads where journey_id in ($1, $2)", [id, video.id])).toEqual(
      [{ medium: "VIDEO" }]
    )
  })
})
