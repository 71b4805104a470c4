/**
 * Videos made to do harm, read by the real process with its real limits: each is read or refused, and nothing of it is
 * left. What the process may not do is shown in `VideoReader.int.test.ts`.
 */
import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as VideoReader from "../../../src/runtime/video/VideoReader.ts"
import { childProcesses } from "../../support/childProcesses.ts"
import * as hostile from "../../support/hostileVideos.ts"
import { makeVideos } from "../../support/videos.ts"

const names = ["indexAtEnd", "indexAtStart", "fragmented", "recorded", "webm"] as const
let videos: Record<(typeof names)[number], Buffer>
let reader: VideoReader.VideoReader["Service"]
const scope = Scope.makeUnsafe()

beforeAll(async () => {
  videos = await makeVideos(...names)
  const built = await Effect.runPromise(Layer.buildWithScope(VideoReader.layerOf({ readWithin: "100 seconds" }), scope))
  reader = Context.get(built, VideoReader.VideoReader)
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** What is seen in it; by then nobody reads it any more. */
const read = async (bytes: Buffer, kind: "MP4" | "WEBM" = "MP4") => {
  const reading = await Effect.runPromise(reader.frames({ kind, bytes: bytes.length, content: Stream.make(bytes) }))
  expect(childProcesses(`\0FRAMES\0${kind}\0${bytes.length}\0`)).toEqual([])
  return reading
}

describe("a video", () => {
  const unreadable = { _tag: "Refused", code: "UNREADABLE" }
  const tooLong = { _tag: "Refused", code: "TOO_LONG" }
  const twoSeconds = { _tag: "Video", seconds: expect.closeTo(1.8) }

  it.each([
    [
      "whose headers say that it lasts hours is as long as its frames",
      () => hostile.sayingHours(videos.indexAtEnd),
      twoSeconds
    ],
    ["whose frames are shown for minutes is too long", () => hostile.slowed(videos.indexAtEnd), tooLong],
    [
      "whose headers say that it is enormous is as large as its frames",
      () => hostile.sayingEnormous(videos.indexAtEnd),
      twoSeconds
    ],
    ["of a thousand tracks cannot be read", () => hostile.thousandTracks(videos.indexAtEnd), unreadable],
    ["of endless frames cannot be read", () => hostile.endlessFrames(videos.indexAtEnd), unreadable],
    ["that plays its frames over and over is too long", () => hostile.endlessEdits(videos.indexAtEnd), tooLong],
    ["whose compressed index is large cannot be read", () => hostile.compressedIndex(videos.indexAtEnd), unreadable],
    [
      "whose compressed index lies cannot be read",
      () => hostile.compressedIndex(videos.indexAtEnd, 0xff_ff_ff_f0),
      unreadable
    ],
    ["of boxes in boxes cannot be read", () => hostile.deep(videos.indexAtEnd), unreadable],
    ["without a frame cannot be read", () => hostile.withoutFrames(videos.fragmented), unreadable],
    ["of an endless piece cannot be read", () => hostile.endlessPiece(videos.fragmented), unreadable],
    ["of noise cannot be read", () => hostile.noise(2_000_000, videos.indexAtStart.subarray(0, 32)), unreadable]
  ])("%s", async (_name, video, expected) => {
    expect(await read(video())).toMatchObject(expected)
  })

  it.each([
    ["with enormous frames cannot be read", () => hostile.enormousFrames(videos.webm), unreadable],
    ["of noise cannot be read", () => hostile.noise(2_000_000, videos.webm.subarray(0, 64)), unreadable]
  ])("of WebM %s", async (_name, video, expected) => {
    expect(await read(video(), "WEBM")).toMatchObject(expected)
  })

  it("that breaks off anywhere is read as far as it goes, or refused", async () => {
    const seen: Array<"READ" | "TOO_LONG" | "UNREADABLE"> = []
    for (let tenths = 1; tenths < 10; tenths += 1) {
      const reading = await read(
        videos.recorded.subarray(0, Math.floor((videos.recorded.length * tenths) / 10)),
        "WEBM"
      )
      seen.push(reading._tag === "Video" ? "READ" : reading.code)
    }
    expect(seen).not.toContain("TOO_LONG")
    expect(seen.at(-1)).toBe("READ")
  })
})
