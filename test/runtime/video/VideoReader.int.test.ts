/** Real videos, read by the real process; and how a process is confined, with one that tries to get out. */
import { sentVideoLimits } from "../../../src/schema/media/limits.ts"
import { Effect, Stream } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Video } from "../../../src/actors/checks/video/Videos.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { imageHeader } from "../../../src/schema/media/imageHeader.ts"
import { childProcesses } from "../../support/childProcesses.ts"
import { eventually } from "../../support/eventually.ts"
import { inParts, logged, openReader, videoOf } from "../../support/videoReading.ts"
import { makeVideos, recordedVideo, type VideoName } from "../../support/videos.ts"

/** Others use the temporary folder, too, and tidy up. */
const isVideo = (name: string) => {
  const path = join(tmpdir(), name)
  try {
    const content = readFileSync(path)
    return content.subarray(4, 8).toString() === "ftyp" || (content[0] === 0xff && content[1] === 0xd8)
  } catch {
    return false
  }
}

describe("a video", () => {
  const names = [
    ...(["indexAtEnd", "indexAtStart", "quickTime", "webm", "recorded", "fragmented", "turned"] as const),
    ...(["hours", "enormous", "soundOnly", "nobody"] as const)
  ]
  let videos: Record<(typeof names)[number], Buffer>
  let reader: Awaited<ReturnType<typeof openReader>>
  beforeAll(async () => {
    videos = await makeVideos(...names)
    reader = await openReader({})
  })
  afterAll(() => reader.stop())

  it.each([
    ["MP4 with its index at the end", "indexAtEnd", [640, 674]],
    ["MP4 with its index at the start", "indexAtStart", [640, 674]],
    ["QuickTime", "quickTime", [640, 674]],
    ["WebM", "webm", [640, 674]],
    ["WebM as a browser records it, without its length", "recorded", [640, 674]],
    ["MP4 in pieces, as browsers record it", "fragmented", [640, 674]],
    ["recorded on its side", "turned", [640, 674]],
    ["of many details", "nobody", [640, 480]]
  ] as const satisfies ReadonlyArray<readonly [string, VideoName, readonly [number, number]]>)(
    "of two seconds, %s, gives eight frames, upright",
    async (_name, video, [width, height]) => {
      const reading = await reader.frames(videoOf(videos[video]))
      if (reading._tag === "Failure" || reading.success._tag === "Refused") throw new Error(JSON.stringify(reading))
      expect(reading.success.seconds).toBeCloseTo(1.8)
      const moments = reading.success.frames.map(({ at }) => at)
      expect(moments.map((at) => Math.round(at / 112.5))).toEqual([1, 3, 5, 7, 9, 11, 13, 15])
      expect(reading.success.frames.map(({ jpeg }) => imageHeader(jpeg))).toEqual(
        Array.from({ length: 8 }, () => ({ type: "JPEG", width, height }))
      )
    }
  )

  it.each([
    ["HEVC, as newer telephones record it", "hevc.mp4"],
    ["VP9, as newer browsers record it", "vp9.webm"]
  ] as const)("of %s, is read", async (_name, file) => {
    const reading = await reader.frames(videoOf(recordedVideo(file)))
    expect(reading).toMatchObject({ success: { _tag: "Video", frames: { length: 8 } } })
  })

  it("of hours is too long, however small it is", async () => {
    const rule = `must be at most ${sentVideoLimits.longestSeconds} seconds long`
    expect(await reader.clean(videoOf(videos.hours))).toMatchObject({
      answer: { success: { code: "TOO_LONG", rule } },
      parts: []
    })
  })

  it.each([
    ["with enormous frames", () => videoOf(videos.enormous)],
    ["of AV1", () => videoOf(recordedVideo("av1.webm"))],
    ["that is only sound", () => videoOf(videos.soundOnly)],
    ["whose index is cut off", () => videoOf(videos.indexAtEnd.subarray(0, -5000))],
    [
      "of noise after the right first bytes",
      () => videoOf(Buffer.concat([videos.webm.subarray(0, 40), noise(300_000)]))
    ],
    ["that is another kind than it is said to be", () => ({ ...videoOf(videos.webm), kind: "MP4" as const })],
    ["of one byte", () => videoOf(Buffer.from("x"))]
  ])("%s cannot be read", async (_name, video) => {
    expect(await reader.frames(video())).toMatchObject({ success: { _tag: "Refused", code: "UNREADABLE" } })
  })

  it("that is cut off gives the frames it has", async () => {
    const most = videos.indexAtStart.subarray(0, videos.indexAtStart.length * 0.7)
    const reading = await reader.frames(videoOf(most))
    if (reading._tag === "Failure" || reading.success._tag === "Refused") throw new Error(JSON.stringify(reading))
    expect(reading.success.frames.length).toBeGreaterThan(0)
    expect(reading.success.frames.length).toBeLessThan(8)
  })

  it("leaves nothing in the log or the temporary folder", async () => {
    const before = new Set(readdirSync(tmpdir()))
    await reader.frames(videoOf(videos.indexAtEnd))
    await reader.frames(videoOf(videos.indexAtEnd.subarray(0, 40_000)))
    expect(readdirSync(tmpdir()).filter((name) => !before.has(name) && isVideo(name))).toEqual([])
    expect(logged).toEqual([])
  })

  it("that stops coming is a failure of this service, which says of which kind", async () => {
    const cause = "no connection"
    const content = Stream.concat(inParts(videos.webm.subarray(0, 5000)), Stream.fail(new StoreUnavailable({ cause })))
    const reading = await reader.frames({ ...videoOf(videos.webm), content })
    expect(reading).toMatchObject({ failure: { _tag: "StoreUnavailable", cause } })
  })
})

const noise = (bytes: number): Buffer => {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1) content[at] = (at * 2_654_435_761) >>> 13
  return content
}

const order = (text: string): Video => videoOf(Buffer.from(text))

describe("the process that reads a video", () => {
  const program = fileURLToPath(new URL("standInProcess.ts", import.meta.url))
  let reader: Awaited<ReturnType<typeof openReader>>
  beforeAll(async () => {
    reader = await openReader({ program })
  })
  afterAll(() => reader.stop())

  const answerTo = async (text: string) => {
    const reading = await reader.frames(order(text))
    return reading._tag === "Success" && reading.success._tag === "Refused" ? reading.success.rule : reading
  }
  const gaveUp = { success: { _tag: "Refused", code: "UNREADABLE", rule: "must be readable with ordinary means" } }

  it("hears all of it", async () => {
    const bytes = Buffer.concat([Buffer.from("hear "), Buffer.alloc(3_000_000)])
    expect(await reader.frames(videoOf(bytes))).toMatchObject({ success: { rule: "3000005 of 3000005" } })
  })

  it("inherits nothing of the environment", async () => {
    process.env["A_SECRET_OF_OURS"] = "canary"
    expect(await answerTo("environment")).toMatch(/^(PATH|PWD|OLDPWD|SHLVL|_|,)*$/)
    delete process.env["A_SECRET_OF_OURS"]
  })

  it("leaves the cores to others", async () => {
    expect(Number(await answerTo("priority"))).toBeGreaterThanOrEqual(10)
  })

  it("reads no file but its program", async () => {
    expect(await answerTo(`read ${fileURLToPath(new URL("../../../package.json", import.meta.url))}`)).toMatch(/^done/)
    expect(await answerTo("read /etc/passwd")).toBe("ERR_ACCESS_DENIED")
    expect(await answerTo(`read ${fileURLToPath(import.meta.url)}`)).toBe("ERR_ACCESS_DENIED")
    expect(await answerTo("read /proc/self/environ")).toBe("ERR_ACCESS_DENIED")
  })

  it("writes none", async () => {
    expect(await answerTo("write journeys-video-canary")).toBe("ERR_ACCESS_DENIED")
    expect(existsSync(join(tmpdir(), "journeys-video-canary"))).toBe(false)
  })

  it("starts no other", async () => {
    expect(await answerTo("spawn")).toBe("ERR_ACCESS_DENIED")
  })

  it.each([
    ["says too much", `babble ${17 * 2 ** 20}`],
    ["says half an answer", "babble 10"],
    ["says what is no answer", "answer nonsense"],
    ["says an answer with half of its frames", 'answer {"_tag":"Video","seconds":2,"frames":[{"at":1,"bytes":5}]}'],
    [
      "says an answer with impossible frames",
      'answer {"_tag":"Video","seconds":2,"frames":[{"at":1,"bytes":5},{"at":2,"bytes":-5}]}'
    ],
    ["says an answer of another kind", 'answer {"_tag":"Verdict","rule":"MATCH"}'],
    ["crashes over it", "crash"],
    ["takes all memory", "grow"]
  ])("and %s has had a video that cannot be read", async (_name, text) => {
    expect(await reader.frames(order(text))).toMatchObject(gaveUp)
  })

  it("and does not begin is a failure of this service, also when time is over", async () => {
    expect(await reader.frames(order("fail"))).toMatchObject({ failure: { reason: "NOT_BEGUN" } })
    const short = await openReader({ program, readWithin: "1 second" })
    const neverWhole = Stream.concat(inParts(Buffer.from("hear")), Stream.never)
    expect(await short.frames({ ...order("hear"), content: neverWhole })).toMatchObject({
      failure: { reason: "NOT_BEGUN" }
    })
    await short.stop()
  })

  it("is ended by the system when it has used up its time", async () => {
    const short = await openReader({ program, coreSeconds: 1 })
    expect(await short.frames(order("busy"))).toMatchObject(gaveUp)
    await short.stop()
  })

  it("is ended when it takes too long, and the next one has its turn", async () => {
    const before = processes().length
    // Long enough to have begun on a machine that is busy with other tests.
    const short = await openReader({ program, readWithin: "8 seconds" })
    const ended: Array<string> = []
    const asked = (text: string) => short.frames(order(text)).finally(() => ended.push(text))
    const [first, second] = await Promise.all([asked("busy"), asked("hear")])
    expect([first, second]).toMatchObject([gaveUp, { success: { rule: "4 of 4" } }])
    expect(ended).toEqual(["busy", "hear"])
    expect(processes().length).toBe(before)
    await short.stop()
  })

  it("is ended when nobody waits for it any more", async () => {
    const before = processes()
    const asked = Effect.runFork(reader.reader.frames(order("busy")))
    await eventually(processes, (running) => running.length > before.length)
    asked.interruptUnsafe()
    await eventually(processes, (running) => running.length === before.length)
  })

  it("keeps a customer waiting for no longer than they would", async () => {
    const short = await openReader({ program, customerWaits: "1 second" })
    expect((await short.clean(order("busy"))).answer).toMatchObject({ failure: { reason: "BUSY" } })
    await short.stop()
  })

  const processes = () => childProcesses(program)
})

describe("FFmpeg", () => {
  it("is not talked into the network by what is in a file", async () => {
    let calls = 0
    const server = createServer((_request, response) => {
      calls += 1
      response.end()
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : 0
    const reader = await openReader({})
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`
    for (const kind of ["MP4", "WEBM"] as const) {
      expect(await reader.frames({ ...videoOf(Buffer.from(playlist)), kind })).toMatchObject({
        success: { _tag: "Refused" }
      })
    }
    expect(calls).toBe(0)
    server.close()
    await reader.stop()
  })
})
