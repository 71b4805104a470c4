/** Videos as they are kept: the same frames in a new file, without sound and without what cameras, programs and people wrote into it. */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { imageHeader } from "../../../src/schema/media/imageHeader.ts"
import { openReader, videoOf } from "../../support/videoReading.ts"
import { makeVideos, recordedVideo } from "../../support/videos.ts"

/** What cameras, programs and people write into a video beside its frames. */
const notes = ["+51.5007-000.1246", "canary-note", "canary-track", "x264", "Lavf5", "mp4a"]

describe("a video", () => {
  const names = ["told", "turned", "fragmented", "recorded"] as const
  let videos: Record<(typeof names)[number], Buffer>
  let reader: Awaited<ReturnType<typeof openReader>>
  beforeAll(async () => {
    videos = await makeVideos(...names)
    reader = await openReader({})
  })
  afterAll(() => reader.stop())

  it.each([
    ["with a place, notes and sound", "told", [640, 674]],
    ["recorded on its side", "turned", [640, 674]],
    ["in pieces, as browsers record it", "fragmented", [640, 674]],
    ["without its length, as browsers record it", "recorded", [640, 674]]
  ] as const)("%s, is cleaned: the same frames, and nothing else", async (_name, name, [width, height]) => {
    const { answer, parts } = await reader.clean(videoOf(videos[name]))
    const cleaned = Buffer.concat(parts)
    expect(answer).toMatchObject({
      success: { _tag: "Cleaned", seconds: expect.closeTo(1.8), bytes: cleaned.length }
    })
    for (const note of notes) expect(cleaned.includes(note), note).toBe(false)
    const reading = await reader.frames(videoOf(cleaned))
    if (reading._tag === "Failure" || reading.success._tag === "Refused") throw new Error(JSON.stringify(reading))
    expect(reading.success.seconds).toBeCloseTo(1.8)
    expect(reading.success.frames.map(({ jpeg }) => imageHeader(jpeg))).toEqual(
      Array.from({ length: 8 }, () => ({ type: "JPEG", width, height }))
    )
  })

  it("tells what it tells before it is cleaned", () => {
    const before = Buffer.concat([videos.told, videos.recorded]).toString("latin1")
    for (const note of notes) expect(before, note).toContain(note)
  })

  it("of HEVC is cleaned, too", async () => {
    const { answer, parts } = await reader.clean(videoOf(recordedVideo("hevc.mp4")))
    expect(answer).toMatchObject({ success: { _tag: "Cleaned" } })
    expect(await reader.frames(videoOf(Buffer.concat(parts)))).toMatchObject({ success: { frames: { length: 8 } } })
  })
})

describe("the process that cleans a video", () => {
  const program = fileURLToPath(new URL("standInProcess.ts", import.meta.url))
  const gaveUp = { success: { _tag: "Refused", code: "UNREADABLE", rule: "must be readable with ordinary means" } }
  let reader: Awaited<ReturnType<typeof openReader>>
  beforeAll(async () => {
    reader = await openReader({ program })
  })
  afterAll(() => reader.stop())

  it.each([
    ["promises more than comes", 'answer {"_tag":"Cleaned","seconds":2,"bytes":5}'],
    ["promises more than may be", 'answer {"_tag":"Cleaned","seconds":2,"bytes":5000000000}'],
    ["says more than a line before the video", "babble 100000"],
    ["crashes over it", "crash"]
  ])("and %s has had a video that cannot be cleaned", async (_name, text) => {
    expect((await reader.clean(videoOf(Buffer.from(text)))).answer).toMatchObject(gaveUp)
  })
})
