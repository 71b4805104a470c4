/** Complete uploads of videos on a real database, and what is kept of them; what reads a video here is a stand-in. */
import { Duration, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { uploadBudget } from "../../../../src/actors/checks/limits.ts"
import { UploadRefused } from "../../../../src/actors/checks/uploads/Uploads.ts"
import { removeMediaStatement } from "../../../../src/runtime/stores/erasure/retentionStatements.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { chunkOf, later, startVideos } from "../../../support/videoGround.ts"
import { canary, contentOf, done, first, gone, place, reader, reading, second, uploadsOn } from "./videoUploads.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(reader)
})
afterAll(() => ground.stop())

const { begun, complete, state, kept, uploaded, twelve } = uploadsOn(() => ground)

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
    reading.isBusy = true
    expect(await complete(upload, 2)).toMatchObject({ failure: { _tag: "UploadNotRead", reason: "BUSY" } })
    reading.isBusy = false
    expect(await kept(journey)).toBeNull()
    expect(await complete(upload, 2)).toMatchObject(done)
    expect(await kept(journey)).toEqual(Buffer.concat([first, second]))
  })

  it("that another upload replaces before all of it was read is gone, and the store is not called away", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    reading.beforeRead = Effect.promise(async () => void (await begun(journey)))
    expect(await complete(upload, 2)).toMatchObject(gone)
    reading.beforeRead = Effect.void
    expect(await kept(journey)).toBeNull()
  })

  it("is measured once when twelve ask for it at once, and noise does not get through", async () => {
    const journey = await ground.journey()
    const upload = await uploaded(journey, first, second)
    reading.looks = 0
    expect(await twelve(upload)).toMatchObject(Array.from({ length: 12 }, () => done))
    expect([reading.looks, await kept(journey)]).toEqual([1, Buffer.concat([first, second])])
    const other = await ground.journey()
    const noise = await uploaded(other, first, Buffer.from("too long"))
    const refused = { failure: { _tag: "UploadRefused", code: "TOO_LONG" } }
    expect(await twelve(noise)).toMatchObject(Array.from({ length: 12 }, () => refused))
    expect([reading.looks, await kept(other)]).toEqual([2, null])
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

/** Other journeys of the company have uploaded so much today. */
const ofOthers = (companyId: string, livemode: boolean, bytes: number) =>
  ground.query(
    `insert into upload_days (journey_id, day, company_id, livemode, uploads, bytes)
      values (gen_random_uuid(), (now() at time zone 'UTC')::date, $1, $2, 1, $3)`,
    [companyId, livemode, bytes]
  )

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
    const { LIVE } = uploadBudget.mostBytesOfCompany
    const journey = await ground.journey()
    await ofOthers(journey.companyId, false, LIVE)
    expect(await begun(journey)).toMatchObject(done)
    await ofOthers(journey.companyId, true, LIVE)
    expect(await begun(journey)).toMatchObject(overBudget)
  })

  it.each([
    { livemode: false, outcome: overBudget },
    { livemode: true, outcome: done }
  ])("have less room for test journeys than for live ones (live: $livemode)", async ({ livemode, outcome }) => {
    const journey = await ground.journey({ livemode })
    await ofOthers(journey.companyId, livemode, uploadBudget.mostBytesOfCompany.TEST)
    expect(await begun(journey)).toMatchObject(outcome)
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
    expect(await ground.query(removeMediaStatement, [new Date(now), 10])).toEqual([{ journey_id: old.id }])
    expect([await kept(old), await kept(recent), await kept(running)]).toEqual([null, first, first])
    await ground.query("update companies set media_retention_days = 28 where id = $1", [recent.companyId])
    expect(await ground.query(removeMediaStatement, [new Date(now), 10])).toEqual([{ journey_id: recent.id }])
    expect([await kept(recent), await kept(running)]).toEqual([null, first])
  })
})
