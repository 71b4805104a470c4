/** Uploads on a real database; how a video is looked at is tested with `VideoReader.ts`, and here it is a stand-in's. */
import { sentVideoLimits } from "../../../src/schema/media/limits.ts"
import { checkLimits, uploadBudget } from "../../../src/actors/checks/limits.ts"
import { Duration, Effect, Layer, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { UploadRefused, type UploadOf } from "../../../src/actors/checks/Uploads.ts"
import { VideoReader, VideoReaderUnavailable } from "../../../src/runtime/video/VideoReader.ts"
import { chunkOf, later, startVideos } from "../../support/videoGround.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

/** What must not be seen in any column. */
const canary = "canary-77e1"
const first = Buffer.from(`\0\0\0\x20ftypisom${canary}`, "latin1")
const second = Buffer.from(`the second part ${canary}`)

const contentOf = (content: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Effect.orDie(Stream.runCollect(content)), (parts) => Buffer.concat(parts))

/** What happens when a video has been measured. */
let measured = () => {}
let looks = 0
let isBusy = false
const place = "made at home"

/** Says what the video's own bytes tell it to. What it cleans away is the place. */
const reader = Layer.succeed(VideoReader, {
  clean: (video, keep) =>
    Effect.flatMap(contentOf(video.content), (bytes): ReturnType<VideoReader["Service"]["clean"]> => {
      measured()
      looks += 1
      if (isBusy) return Effect.fail(new VideoReaderUnavailable({ reason: "BUSY" }))
      const cleaned = Buffer.from(bytes.toString("latin1").replaceAll(place, ""), "latin1")
      const half = Math.floor(cleaned.length / 2)
      const kept = Effect.andThen(keep(cleaned.subarray(0, half)), keep(cleaned.subarray(half)))
      if (bytes.includes("too long")) {
        return Effect.as(kept, { _tag: "Refused", code: "TOO_LONG", rule: "is long" } as const)
      }
      return Effect.as(kept, { _tag: "Cleaned", seconds: 1.5, bytes: cleaned.length } as const)
    }),
  frames: () => Effect.die("not asked for here"),
  beginning: () => Effect.die("not asked for here")
})

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(reader)
})
afterAll(() => ground.stop())

type Journey = Awaited<ReturnType<(typeof ground)["journey"]>>

const begin = async ({ id }: Journey): Promise<UploadOf> => {
  const begun = await ground.run(ground.uploads.begin(JourneyId.make(id), "VIDEO"))
  if (begun._tag === "Failure") throw new Error(`not begun: ${begun.failure._tag}`)
  return { journeyId: JourneyId.make(id), medium: "VIDEO", uploadId: begun.success }
}
const send = (upload: UploadOf, number: number, bytes: Uint8Array) =>
  ground.run(ground.uploads.chunk(upload, chunkOf(number, bytes)))
const complete = (upload: UploadOf, chunks: number) => ground.run(ground.uploads.complete(upload, chunks))
const state = (upload: UploadOf) => ground.run(ground.uploads.state(upload))
const kept = async ({ id }: Journey): Promise<Buffer | null> => {
  const video = await ground.run(Effect.orDie(ground.videos.read(JourneyId.make(id))))
  if (video._tag === "Failure" || video.success === null) return null
  const content = await ground.run(contentOf(video.success.content))
  return content._tag === "Success" ? content.success : null
}
const uploaded = async (journey: Journey, ...parts: ReadonlyArray<Uint8Array>) => {
  const upload = await begin(journey)
  for (const [number, bytes] of parts.entries())
    expect(await send(upload, number, bytes)).toMatchObject({ _tag: "Success" })
  return upload
}
const twelve = (upload: UploadOf) => Promise.all(Array.from({ length: 12 }, () => complete(upload, 2)))
const begun = ({ id }: Journey) => ground.run(ground.uploads.begin(JourneyId.make(id), "VIDEO"))
const done = { _tag: "Success" }
const gone = { failure: { _tag: "UploadGone" } }

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
        measured = () => resolve(ground.run(ground.uploads.begin(JourneyId.make(journey.id), "VIDEO")))
      })
      const completed = await complete(older, 1)
      expect(await newer).toMatchObject(done)
      if (completed._tag === "Failure") expect(completed).toMatchObject(gone)
      else expect(await kept(journey)).toEqual(first)
    }
    measured = () => {}
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

  it("is of its own journey only", async () => {
    const [journey, foreign] = [await ground.journey(), await ground.journey()]
    const upload = await uploaded(journey, first)
    for (const journeyId of [foreign.id, "no-uuid"].map((id) => JourneyId.make(id))) {
      const of = { ...upload, journeyId }
      expect(await state(of)).toMatchObject(gone)
      expect(await send(of, 1, second)).toMatchObject(gone)
      expect(await complete(of, 1)).toMatchObject(gone)
    }
    expect(await state({ journeyId: JourneyId.make(journey.id), medium: "VIDEO", uploadId: "no-uuid" })).toMatchObject(
      gone
    )
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

describe("a complete upload", () => {
  it("that is no video to go by is refused with its rule, and gone: looking again would show the same", async () => {
    const upload = await uploaded(await ground.journey(), first, Buffer.from("too long"))
    const refused = await complete(upload, 2)
    expect(refused).toMatchObject({ failure: { code: "TOO_LONG", rule: "is long" } })
    expect(refused._tag === "Failure" && refused.failure).toBeInstanceOf(UploadRefused)
    expect(await state(upload)).toMatchObject(gone)
    expect(await ground.query("select 1 from video_chunks where upload_id = $1", [upload.uploadId])).toEqual([])
  })

  it("that cannot be measured now is not taken, and waits until it can", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    isBusy = true
    expect(await complete(upload, 2)).toMatchObject({ failure: { _tag: "UploadNotRead", reason: "BUSY" } })
    isBusy = false
    expect(await kept(journey)).toBeNull()
    expect(await complete(upload, 2)).toMatchObject(done)
    expect(await kept(journey)).toEqual(Buffer.concat([first, second]))
  })

  it("is measured once when twelve ask for it at once, and noise does not get through", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    looks = 0
    expect(await twelve(upload)).toMatchObject(Array.from({ length: 12 }, () => done))
    expect([looks, await kept(journey)]).toEqual([1, Buffer.concat([first, second])])
    const other = await ground.journey()
    const noise = await uploaded(other, first, Buffer.from("too long"))
    const refused = { failure: { _tag: "UploadRefused", code: "TOO_LONG" } }
    expect(await twelve(noise)).toMatchObject(Array.from({ length: 12 }, () => refused))
    expect([looks, await kept(other)]).toEqual([2, null])
  })

  it("is kept cleaned, and nothing is left of what was sent", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, Buffer.from(place), second, second)
    expect(await complete(upload, 4)).toMatchObject(done)
    const cleaned = Buffer.concat([first, second, second])
    expect(await kept(journey)).toEqual(cleaned)
    const parts = await ground.query<{ readonly bytes: number }>(
      "select bytes from video_chunks where upload_id = $1 order by number",
      [upload.uploadId]
    )
    const half = Math.floor(cleaned.length / 2)
    expect(parts.map(({ bytes }) => bytes)).toEqual([half, cleaned.length - half])
    expect(await state(upload)).toMatchObject({ success: { chunks: [0, 1], bytes: cleaned.length } })
    const video = await ground.run(Effect.orDie(ground.videos.read(JourneyId.make(journey.id))))
    if (video._tag === "Failure" || video.success === null) throw new Error("there is no video")
    const range = await ground.run(contentOf(video.success.part(half - 3, half + 3)))
    expect(range).toMatchObject({ success: cleaned.subarray(half - 3, half + 3) })
  })

  it("is completed by one of two nodes, when both clean it at once", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    const other = await startVideos(reader, ground.url)
    const both = await Promise.all([complete(upload, 2), other.run(other.uploads.complete(upload, 2))])
    await other.stop()
    expect(both.some(({ _tag }) => _tag === "Success")).toBe(true)
    expect(await complete(upload, 2)).toMatchObject(done)
    expect(await kept(journey)).toEqual(Buffer.concat([first, second]))
    const parts = await ground.query("select 1 from video_chunks where upload_id = $1", [upload.uploadId])
    expect(parts).toHaveLength(2)
  })
})

describe("uploads in a day", () => {
  const overBudget = { failure: { _tag: "UploadRefused", code: "OVER_BUDGET" } }

  it("are bounded for a journey by their number and bytes, and begin anew with the next day", async () => {
    const journey = await ground.journey()
    await uploaded(journey, first, second)
    const used = await ground.query("select uploads, bytes::int from upload_days where journey_id = $1", [journey.id])
    expect(used).toEqual([{ uploads: 1, bytes: first.length + second.length }])
    const set = (column: string, value: number) =>
      ground.query(`update upload_days set ${column} = $2 where journey_id = $1`, [journey.id, value])
    await set("uploads", uploadBudget.mostUploads)
    expect(await begun(journey)).toMatchObject(overBudget)
    await set("uploads", 1)
    await set("bytes", uploadBudget.mostBytesOfJourney)
    expect(await begun(journey)).toMatchObject(overBudget)
    expect(await begun(await ground.journey())).toMatchObject(done)
    const tomorrow = later(Duration.toMillis("1 day"))
    const next = await ground.run(tomorrow(ground.uploads.begin(JourneyId.make(journey.id), "VIDEO")))
    expect(next).toMatchObject(done)
  })

  it("are bounded for a company over all its journeys of a mode", async () => {
    const journey = await ground.journey()
    const ofOthers = (livemode: boolean) =>
      ground.query(
        `insert into upload_days (journey_id, day, company_id, livemode, uploads, bytes)
          values (gen_random_uuid(), (now() at time zone 'UTC')::date, $1, $2, 1, $3)`,
        [journey.companyId, livemode, uploadBudget.mostBytesOfCompany.LIVE]
      )
    await ofOthers(false)
    expect(await begun(journey)).toMatchObject(done)
    await ofOthers(true)
    expect(await begun(journey)).toMatchObject(overBudget)
  })
})

describe("what is kept", () => {
  it("shows nothing of a video, nor a fingerprint of it", async () => {
    const journey = await ground.journey()
    await complete(await uploaded(journey, first, second), 2)
    const dump = await ground.query<{ readonly row: string }>(
      `select row_to_json(c)::text as row from video_chunks c union all select row_to_json(u)::text from video_uploads u`
    )
    const text = dump.map(({ row }) => row).join()
    for (const secret of [canary, "ftyp"]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString("hex"))
    }
    expect(text).not.toContain(chunkOf(0, first).sha256)
  })

  it("cannot be moved to another place", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    await complete(upload, 2)
    await ground.query(
      `update video_chunks a set sealed = b.sealed from video_chunks b
        where a.upload_id = $1 and b.upload_id = $1 and a.number = 1 and b.number = 0`,
      [upload.uploadId]
    )
    await expect(kept(journey)).rejects.toThrow()
  })

  it("cannot be read when its customer is erased", async () => {
    const journey = await ground.journey()
    await complete(await uploaded(journey, first), 1)
    await journey.erased()
    expect(await kept(journey)).toBeNull()
  })

  it("is removed some time after its journey has ended, and not while it runs", async () => {
    const day = 24 * 60 * 60 * 1000
    const now = Date.now()
    const [old, recent, running] = [await ground.journey(), await ground.journey(), await ground.journey()]
    for (const journey of [old, recent, running]) await complete(await uploaded(journey, first), 1)
    await ground.query(
      "update video_uploads set completed_at = now() - interval '60 days' where journey_id in ($1, $2, $3)",
      [old.id, recent.id, running.id]
    )
    await old.is({ status: "COMPLETED", lastEventAt: now - 31 * day })
    await recent.is({ status: "COMPLETED", lastEventAt: now - 29 * day })
    await running.is({ lastEventAt: now - 59 * day })
    expect(await ground.run(ground.uploads.removeEnded(now, 10))).toMatchObject({ success: 1 })
    expect([await kept(old), await kept(recent), await kept(running)]).toEqual([null, first, first])
    await ground.query("update companies set media_retention_days = 28 where id = $1", [recent.companyId])
    expect(await ground.run(ground.uploads.removeEnded(now, 10))).toMatchObject({ success: 1 })
    expect([await kept(recent), await kept(running)]).toEqual([null, first])
  })
})
