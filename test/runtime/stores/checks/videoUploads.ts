/**
 * Videos that a test uploads part by part, and a reader that does what the bytes of a video say. Not a test itself: how a video is
 * looked at is tested with `VideoReader.ts`.
 */
import { Effect, Layer, Stream } from "effect"
import { expect } from "vitest"
import type { UploadOf } from "../../../../src/actors/checks/uploads/Uploads.ts"
import type { Video } from "../../../../src/actors/checks/video/Videos.ts"
import { VideoReader, VideoReaderUnavailable } from "../../../../src/runtime/video/VideoReader.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { chunkOf, type startVideos } from "../../../support/videoGround.ts"

/** What must not be seen in any column. */
export const canary = "canary-77e1"
export const first = Buffer.from(`\0\0\0\x20ftypisom${canary}`, "latin1")
export const second = Buffer.from(`the second part ${canary}`)
/** What the reader cleans away. */
export const place = "made at home"

export const contentOf = (content: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Effect.orDie(Stream.runCollect(content)), (parts) => Buffer.concat(parts))

/** What the reader has done and does: a test counts the looks, makes the reader busy, or acts before and when a video has been read. */
export const reading = { looks: 0, isBusy: false, beforeRead: Effect.void, whenRead: () => {} }

const read = ({ content }: Video) =>
  Effect.map(
    Effect.andThen(
      Effect.suspend(() => reading.beforeRead),
      Stream.runCollect(content)
    ),
    (parts) => Buffer.concat(parts)
  )

/** Says what the bytes of the video tell it to say. */
export const reader = Layer.succeed(VideoReader, {
  clean: (video, keep) =>
    Effect.flatMap(read(video), (bytes): ReturnType<VideoReader["Service"]["clean"]> => {
      reading.whenRead()
      reading.looks += 1
      if (reading.isBusy) return Effect.fail(new VideoReaderUnavailable({ reason: "BUSY" }))
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

export const done = { _tag: "Success" }
export const gone = { failure: { _tag: "UploadGone" } }

type Ground = Awaited<ReturnType<typeof startVideos>>
export type UploadingJourney = Awaited<ReturnType<Ground["journey"]>>

/** What a test does with uploads. `ground` is there once the test has started it. */
export const uploadsOn = (ground: () => Ground) => {
  const begun = ({ id }: UploadingJourney) => ground().run(ground().uploads.begin(JourneyId.make(id), "VIDEO"))
  const begin = async (journey: UploadingJourney): Promise<UploadOf> => {
    const upload = await begun(journey)
    if (upload._tag === "Failure") throw new Error(`not begun: ${upload.failure._tag}`)
    return { journeyId: JourneyId.make(journey.id), medium: "VIDEO", uploadId: upload.success }
  }
  const send = (upload: UploadOf, number: number, bytes: Uint8Array) =>
    ground().run(ground().uploads.chunk(upload, chunkOf(number, bytes)))
  const complete = (upload: UploadOf, chunks: number) => ground().run(ground().uploads.complete(upload, chunks))
  const state = (upload: UploadOf) => ground().run(ground().uploads.state(upload))
  const kept = async ({ id }: UploadingJourney): Promise<Buffer | null> => {
    const video = await ground().run(Effect.orDie(ground().videos.read(JourneyId.make(id))))
    if (video._tag === "Failure" || video.success === null) return null
    const content = await ground().run(contentOf(video.success.content))
    return content._tag === "Success" ? content.success : null
  }
  const uploaded = async (journey: UploadingJourney, ...parts: ReadonlyArray<Uint8Array>) => {
    const upload = await begin(journey)
    for (const [number, bytes] of parts.entries())
      expect(await send(upload, number, bytes)).toMatchObject({ _tag: "Success" })
    return upload
  }
  const twelve = (upload: UploadOf) => Promise.all(Array.from({ length: 12 }, () => complete(upload, 2)))
  return { begin, begun, send, complete, state, kept, uploaded, twelve }
}
