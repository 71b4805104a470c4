/** Uploads of videos on a real database, until they are complete; what reads a video here is a stand-in. */
import { Duration } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkLimits } from "../../../../src/actors/checks/limits.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { sentVideoLimits } from "../../../../src/schema/media/limits.ts"
import { chunkOf, later, startVideos } from "../../../support/videoGround.ts"
import { done, first, gone, reader, reading, second, uploadsOn } from "./videoUploads.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(reader)
})
afterAll(() => ground.stop())

const { begin, send, complete, state, kept, uploaded } = uploadsOn(() => ground)

describe("an upload", () => {
  it("becomes the journey's video when all its parts have come, in whatever order", async () => {
    const journey = await ground.journey()
    const upload = await begin(journey)
    expect(await send(upload, 1, second)).toMatchObject(done)
    expect(await state(upload)).toMatchObject({ success: { isComplete: false, chunks: [1], bytes: second.length } })
    expect(await send(upload, 0, first)).toMatchObject(done)
    expect(await kept(journey)).toBeNull()
    expect(await complete(upload, 2)).toMatchObject(done)
    expect(await state(upload)).toMatchObject({ success: { isComplete: true, chunks: [0, 1] } })
    expect(await kept(journey)).toEqual(Buffer.concat([first, second]))
    const [row] = await ground.query("select kind, seconds from video_uploads where journey_id = $1", [journey.id])
    expect(row).toEqual({ kind: "MP4", seconds: 1.5 })
  })

  it("is completed once however often it is asked for, also when the journey has gone on", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first)
    expect(await Promise.all([complete(upload, 1), complete(upload, 1)])).toMatchObject([done, done])
    await journey.is({ handover: "VIDEO_UPLOADED" })
    expect(await complete(upload, 1)).toMatchObject(done)
  })

  it("is not complete while parts are missing, wherever", async () => {
    const journey = await ground.journey()
    const upload = await begin(journey)
    const incomplete = { failure: { code: "INCOMPLETE" } }
    expect(await complete(upload, 0)).toMatchObject(incomplete)
    expect(await complete(upload, 1)).toMatchObject(incomplete)
    await send(upload, 1, second)
    expect(await complete(upload, 1)).toMatchObject(incomplete)
    await send(upload, 0, first)
    expect(await complete(upload, 1)).toMatchObject(incomplete)
    expect(await complete(upload, 3)).toMatchObject(incomplete)
    expect(await complete(upload, 2)).toMatchObject(done)
  })

  it("voids the one before it, with its parts", async () => {
    const journey = await ground.journey()
    const older = await uploaded(journey, first)
    const newer = await begin(journey)
    expect(await send(older, 1, second)).toMatchObject(gone)
    expect(await state(older)).toMatchObject(gone)
    expect(await complete(older, 1)).toMatchObject(gone)
    expect(await state(newer)).toMatchObject({ success: { chunks: [] } })
    const rows = await ground.query("select 1 from video_chunks where upload_id = $1", [older.uploadId])
    expect(rows).toEqual([])
  })

  it("is one, however many begin at once", async () => {
    const journey = await ground.journey()
    await Promise.all(Array.from({ length: 8 }, () => begin(journey)))
    const rows = await ground.query("select 1 from video_uploads where journey_id = $1", [journey.id])
    expect(rows).toHaveLength(1)
  })

  it("is void or complete when another one begins at that moment, and nobody waits for the other in vain", async () => {
    const journey = await ground.journey()
    for (let round = 0; round < 20; round += 1) {
      const older = await uploaded(journey, first)
      const newer = new Promise((resolve) => {
        reading.whenRead = () => resolve(ground.run(ground.uploads.begin(JourneyId.make(journey.id), "VIDEO")))
      })
      const completed = await complete(older, 1)
      expect(await newer).toMatchObject(done)
      if (completed._tag === "Failure") expect(completed).toMatchObject(gone)
      else expect(await kept(journey)).toEqual(first)
    }
    reading.whenRead = () => {}
  })

  it("goes on where it was when the service was started anew", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first)
    const again = await startVideos(reader, ground.url)
    expect(await again.run(again.uploads.state(upload))).toMatchObject({ success: { chunks: [0] } })
    expect(await again.run(again.uploads.chunk(upload, chunkOf(1, second)))).toMatchObject(done)
    expect(await again.run(again.uploads.complete(upload, 2))).toMatchObject(done)
    await again.stop()
    expect(await kept(journey)).toEqual(Buffer.concat([first, second]))
  })

  it("with a part beyond its end is not complete", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    expect(await send(upload, 7, second)).toMatchObject(done)
    expect(await complete(upload, 2)).toMatchObject({ failure: { code: "INCOMPLETE" } })
    expect(await complete(upload, 8)).toMatchObject({ failure: { code: "INCOMPLETE" } })
    expect(await kept(journey)).toBeNull()
  })

  it("takes the place of the journey's video only when it is complete", async () => {
    const journey = await ground.journey()
    await complete(await uploaded(journey, first), 1)
    const again = await uploaded(journey, first, second)
    expect(await kept(journey)).toEqual(first)
    await complete(again, 2)
    expect(await kept(journey)).toEqual(Buffer.concat([first, second]))
    const rows = await ground.query("select 1 from video_uploads where journey_id = $1", [journey.id])
    expect(rows).toHaveLength(1)
  })

  it("is of its own journey and its own medium only", async () => {
    const [journey, foreign] = [await ground.journey(), await ground.journey()]
    const upload = await uploaded(journey, first)
    for (const journeyId of [foreign.id, "no-uuid"].map((id) => JourneyId.make(id))) {
      const of = { ...upload, journeyId }
      expect(await state(of)).toMatchObject(gone)
      expect(await send(of, 1, second)).toMatchObject(gone)
      expect(await complete(of, 1)).toMatchObject(gone)
    }
    const journeyId = JourneyId.make(journey.id)
    expect(await state({ journeyId, medium: "VIDEO", uploadId: "no-uuid" })).toMatchObject(gone)
    expect(await state({ journeyId, medium: "SELFIE", uploadId: upload.uploadId })).toMatchObject(gone)
  })

  it.each([
    ["waits for something else", { handover: "AWAITING_LOCATION" }],
    ["has a video that is being checked", { handover: "VIDEO_UPLOADED" }],
    ["has ended", { status: "CANCELLED" }]
  ] as const)("is not begun when the journey %s", async (_name, facts) => {
    const journey = await ground.journey(facts)
    expect(await ground.run(ground.uploads.begin(JourneyId.make(journey.id), "VIDEO"))).toMatchObject({
      failure: { _tag: "UploadNotAwaited" }
    })
  })

  it("is begun on a test journey as on a live one (S8)", async () => {
    const journey = await ground.journey({ livemode: false })
    expect(await ground.run(ground.uploads.begin(JourneyId.make(journey.id), "VIDEO"))).not.toHaveProperty("failure")
  })

  it("is not completed when the journey has gone on without it", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first)
    await journey.is({ handover: "VIDEO_UPLOADED" })
    expect(await complete(upload, 1)).toMatchObject({ failure: { _tag: "UploadNotAwaited" } })
    expect(await kept(journey)).toBeNull()
  })

  it("is over after a day, and is then removed with its parts", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first)
    const afterADay = later(Duration.toMillis(checkLimits.uploadOpenFor) + 1000)
    expect(await ground.run(afterADay(ground.uploads.chunk(upload, chunkOf(1, second))))).toMatchObject(gone)
    expect(await ground.run(afterADay(ground.uploads.complete(upload, 1)))).toMatchObject(gone)
    const completed = await ground.journey()
    await complete(await uploaded(completed, first), 1)
    await ground.run(ground.uploads.removeUnfinished(Date.now() - 3_600_000, 1000))
    expect(await state(upload)).toMatchObject(done)
    expect(await ground.run(ground.uploads.removeUnfinished(Date.now() + 1000, 1000))).toMatchObject(done)
    expect(await ground.query("select 1 from video_uploads where journey_id = $1", [journey.id])).toEqual([])
    expect(await kept(completed)).toEqual(first)
  })

  it("of a customer who is erased is gone", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first)
    await journey.erased()
    expect(await send(upload, 1, second)).toMatchObject(gone)
    expect(await complete(upload, 1)).toMatchObject(gone)
    expect(await ground.run(ground.uploads.begin(JourneyId.make(journey.id), "VIDEO"))).toMatchObject({
      failure: { _tag: "UploadNotAwaited" }
    })
  })
})

describe("a part", () => {
  it("is kept once, however often and however much at once it is sent", async () => {
    const upload = await begin(await ground.journey())
    const sent = await Promise.all(Array.from({ length: 6 }, () => send(upload, 0, first)))
    expect(sent).toMatchObject(Array.from({ length: 6 }, () => done))
    expect(await state(upload)).toMatchObject({ success: { chunks: [0], bytes: first.length } })
  })

  it("is not replaced by another one of its number", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first)
    const other = Buffer.concat([first, second])
    expect(await send(upload, 0, other)).toMatchObject({ failure: { code: "WRONG_CHUNK" } })
    await complete(upload, 1)
    expect(await kept(journey)).toEqual(first)
  })

  it("may be sent again when the video is complete, and no new one may", async () => {
    const upload = await uploaded(await ground.journey(), first)
    await complete(upload, 1)
    expect(await send(upload, 0, first)).toMatchObject(done)
    expect(await send(upload, 2, second)).toMatchObject(gone)
  })

  it("that is not what its sender reckoned is refused", async () => {
    const upload = await begin(await ground.journey())
    const damaged = { ...chunkOf(0, first), bytes: Buffer.concat([first, Buffer.of(0)]) }
    expect(await ground.run(ground.uploads.chunk(upload, damaged))).toMatchObject({
      failure: { code: "DAMAGED_CHUNK" }
    })
    const shouted = { ...chunkOf(0, first), sha256: chunkOf(0, first).sha256.toUpperCase() }
    expect(await ground.run(ground.uploads.chunk(upload, shouted))).toMatchObject(done)
  })

  it.each([
    ["a negative number", -1, second],
    ["a fraction for a number", 0.5, second],
    ["a number beyond the last", sentVideoLimits.mostParts, second],
    ["nothing in it", 1, Buffer.alloc(0)],
    ["more than may be in it", 1, Buffer.alloc(sentVideoLimits.largestPartBytes + 1)]
  ])("with %s is refused", async (_name, number, bytes) => {
    const upload = await begin(await ground.journey())
    expect(await send(upload, number, bytes)).toMatchObject({ failure: { code: "WRONG_CHUNK" } })
  })

  it.each([
    ["begins another kind of file", "RIFF, but no video"],
    ["is too short to begin a video", "a note"]
  ])("that %s is refused at once, with the kinds that are read", async (_name, text) => {
    const upload = await begin(await ground.journey())
    const refused = await send(upload, 0, Buffer.from(text))
    expect(refused).toMatchObject({ failure: { code: "UNSUPPORTED", rule: expect.stringContaining("MP4") } })
  })

  it("that would make the video too large is refused, and parts up to the limit are not", async () => {
    const upload = await begin(await ground.journey())
    await send(upload, 0, first)
    await ground.query("update video_uploads set bytes = $2 where id = $1", [
      upload.uploadId,
      sentVideoLimits.largestBytes - second.length
    ])
    expect(await send(upload, 1, second)).toMatchObject(done)
    expect(await send(upload, 2, Buffer.of(1))).toMatchObject({ failure: { code: "TOO_LARGE" } })
  })
})
