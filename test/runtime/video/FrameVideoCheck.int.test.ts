/**
 * The check of a handover video: with real videos, real faces and sealed rows; and, with faces as a stand-in sees them,
 * what follows of what cannot be seen.
 */
import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Videos } from "../../../src/actors/checks/Videos.ts"
import {
  FaceCheck,
  FaceCheckUnavailable,
  FaceRefused,
  PhotoUnreadable,
  type Likeness
} from "../../../src/actors/faces/FaceCheck.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { ReferenceFace } from "../../../src/actors/checks/ReferenceFace.ts"
import { VideoFrames } from "../../../src/actors/checks/VideoFrames.ts"
import { VideoCheck } from "../../../src/actors/checks/VideoCheck.ts"
import * as PhotoFaceCheck from "../../../src/runtime/faces/PhotoFaceCheck.ts"
import * as FrameVideoCheck from "../../../src/runtime/video/FrameVideoCheck.ts"
import * as VideoReader from "../../../src/runtime/video/VideoReader.ts"
import { documentPhoto as cardPhoto, facePhoto } from "../../support/photos.ts"
import { madePrint } from "../../support/prints.ts"
import { chunkOf, startVideos } from "../../support/videoGround.ts"
import { makeVideos, type VideoName } from "../../support/videos.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

const check = (journeyId: string) =>
  Effect.flatMap(VideoCheck, (videos) => Effect.result(videos.check(JourneyId.make(journeyId))))

describe("a handover video", () => {
  const names = [
    ...(["indexAtEnd", "recorded", "somebodyElse", "nobody", "manyPeople", "twoPeople"] as const),
    ...(["looped", "loopedMirrored"] as const)
  ]
  const scope = Scope.makeUnsafe()
  let made: Record<(typeof names)[number], Buffer>
  let ground: Awaited<ReturnType<typeof startVideos>>
  let faces: Layer.Layer<FaceCheck>
  beforeAll(async () => {
    made = await makeVideos(...names)
    ground = await startVideos(
      VideoReader.layerOf({ readWithin: "100 seconds", cleanWithin: "100 seconds", customerWaits: "100 seconds" })
    )
    const patient = { workers: 1, lookWithin: "100 seconds", answerWithin: "100 seconds" } as const
    const threads = await Effect.runPromise(Layer.buildWithScope(PhotoFaceCheck.layerOf(patient), scope))
    faces = Layer.succeed(FaceCheck, Context.get(threads, FaceCheck))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await ground.stop()
  })

  const partBytes = 60_000

  const verdictOn = async (video: VideoName, reference: Uint8Array | null) => {
    const bytes = made[video as keyof typeof made]
    const journey = await ground.journey()
    if (reference !== null) await journey.keepPhoto(reference)
    const chunks = Math.ceil(bytes.length / partBytes)
    const sent = Effect.gen(function* () {
      const upload = {
        journeyId: JourneyId.make(journey.id),
        medium: "VIDEO" as const,
        uploadId: yield* ground.uploads.begin(JourneyId.make(journey.id), "VIDEO")
      }
      for (let number = 0; number < chunks; number += 1) {
        const part = bytes.subarray(number * partBytes, (number + 1) * partBytes)
        yield* ground.uploads.chunk(upload, chunkOf(number, part))
      }
      yield* ground.uploads.complete(upload, chunks)
    })
    expect(await ground.run(sent)).toMatchObject({ _tag: "Success" })
    const layer = FrameVideoCheck.layer.pipe(
      Layer.provide(faces),
      Layer.provide(VideoReader.layerOf({ readWithin: "100 seconds" })),
      Layer.provide([Layer.succeed(Videos, ground.videos), Layer.succeed(ReferenceFace, ground.references)]),
      Layer.provide(Layer.succeed(VideoFrames, ground.frames))
    )
    const judged = await Effect.runPromise(Effect.provide(check(journey.id), layer))
    return { judged, kept: await framesOf(journey.id) }
  }

  const framesOf = (journeyId: string) =>
    ground.query<{ readonly number: number; readonly at_millis: number; readonly outcome: string }>(
      `select f.number, f.at_millis, f.outcome from video_frames f join video_uploads u on u.id = f.upload_id
       where u.journey_id = $1 order by number`,
      [journeyId]
    )

  it.each([
    ["of the customer, as telephones record it,", "indexAtEnd", "MATCH", [], ["SAME", "NOT_COMPARED"]],
    ["of the customer, as browsers record it,", "recorded", "MATCH", [], ["SAME", "NOT_COMPARED"]],
    ["of somebody else", "somebodyElse", "MISMATCH", ["VIDEO_MISMATCH"], ["DIFFERENT"]],
    ["of the customer and then somebody else", "twoPeople", "UNCLEAR", ["SEVERAL_PEOPLE"], ["SAME", "DIFFERENT"]],
    ["of several people at once", "manyPeople", "UNCLEAR", ["SEVERAL_PEOPLE"], ["SEVERAL_FACES"]],
    ["of nobody", "nobody", "UNCLEAR", ["NO_FACE"], ["NO_FACE"]]
  ] as const)(
    "%s is judged by its frames, which are kept with what was seen in them",
    { timeout: 240_000 },
    async (_name, video, verdict, reasons, outcomes) => {
      const { judged, kept } = await verdictOn(video, facePhoto())
      expect(judged).toMatchObject({ success: { verdict, reasons } })
      expect(kept.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect([...new Set(kept.map(({ outcome }) => outcome))]).toEqual(expect.arrayContaining([...outcomes]))
      expect(kept.every(({ at_millis: at }, index) => index === 0 || at > (kept[index - 1]?.at_millis ?? 0))).toBe(true)
    }
  )

  it.each([
    ["the photo that it is compared with,", "looped", facePhoto, "SAME_PICTURE"],
    ["that photo mirrored, smaller, darker and in worse quality,", "loopedMirrored", facePhoto, "SAME_PICTURE"],
    ["another photo of the customer", "looped", cardPhoto, "STILL_PICTURE"]
  ] as const)("that loops %s goes to a person, although it matches", async (_name, video, reference, reason) => {
    const { judged, kept } = await verdictOn(video, reference())
    expect(judged).toMatchObject({ success: { verdict: "UNCLEAR", reasons: [reason] } })
    expect(kept.filter(({ outcome }) => outcome === "SAME").length).toBeGreaterThan(4)
  })

  it("is for a person to judge when there is nothing to compare it with", async () => {
    expect(await verdictOn("nobody", null)).toMatchObject({
      judged: { success: { verdict: "UNCLEAR", reasons: ["NO_REFERENCE"] } },
      kept: []
    })
  })
})

const frame = (name: string) => Buffer.from(name)
const unclear = (reason: string) => ({ verdict: "UNCLEAR", reasons: [reason] })

describe("a check", () => {
  const read = { _tag: "Video" as const, seconds: 2 }
  const asSeen: Record<string, Likeness["verdict"]> = { S: "SAME", D: "DIFFERENT", U: "UNCLEAR" }

  /** Each frame says what the stand-in sees in it. */
  const faces = (asked: Array<string>) =>
    Layer.mock(FaceCheck, {
      compare: (photo) => {
        const name = Buffer.from(photo).toString()
        asked.push(name)
        const verdict = asSeen[name]
        const prints = [madePrint(`frame ${asked.length}`), madePrint("reference")] as const
        if (verdict !== undefined) return Effect.succeed({ verdict, similarity: 0.5, prints })
        if (name === "none") return Effect.fail(new FaceRefused({ code: "NO_FACE" }))
        if (name === "many") return Effect.fail(new FaceRefused({ code: "MULTIPLE_FACES" }))
        if (name === "damaged") return Effect.fail(new PhotoUnreadable({ rule: "must be whole" }))
        return Effect.fail(new FaceCheckUnavailable())
      }
    })

  const video = { id: "a video", kind: "MP4" as const, bytes: 1, content: Stream.empty, part: () => Stream.empty }
  const whole = { read: () => Effect.succeed(video) }

  const checked = async (
    names: ReadonlyArray<string>,
    changed: {
      readonly videos?: Partial<Videos["Service"]>
      readonly frames?: VideoReader.VideoReader["Service"]["frames"]
    } = {}
  ) => {
    const asked: Array<string> = []
    const kept: Array<string> = []
    const taken = names.map((name, at) => ({ at, jpeg: frame(name) }))
    const frames = changed.frames ?? (() => Effect.succeed({ ...read, frames: taken }))
    const layer = FrameVideoCheck.layer.pipe(
      Layer.provide([
        faces(asked),
        Layer.mock(Videos, changed.videos ?? whole),
        Layer.mock(VideoReader.VideoReader, { frames }),
        Layer.succeed(ReferenceFace, {
          of: () => Effect.succeed({ name: "selfie", of: "x", photo: frame("reference") })
        }),
        Layer.mock(VideoFrames, {
          keep: (_video, all) => Effect.sync(() => void kept.push(...all.map(({ outcome }) => outcome)))
        })
      ])
    )
    const result = await Effect.runPromise(Effect.provide(check("a journey"), layer))
    return { asked, kept, result: result._tag === "Success" ? result.success : result.failure }
  }

  it("leaves out frames without one clear face", async () => {
    const { kept, result } = await checked(["none", "S", "many", "S", "damaged", "none", "none", "U"])
    expect(result).toEqual({ verdict: "MATCH", reasons: [] })
    const seen = ["NO_FACE", "SAME", "SEVERAL_FACES", "SAME", "NO_FACE", "NO_FACE", "NO_FACE"]
    expect(kept).toEqual([...seen, "NOT_COMPARED"])
  })

  it("compares no more frames than it needs for a match, and all of them otherwise", async () => {
    const needed = await checked(["S", "S", "S", "none", "S", "S", "S", "S"])
    expect([needed.result, needed.asked.length]).toEqual([{ verdict: "MATCH", reasons: [] }, 5])
    const other = await checked(["D", "D", "D", "D", "D", "D", "D", "S"])
    expect([other.result, other.asked.length]).toEqual([{ verdict: "UNCLEAR", reasons: ["VIDEO_UNCLEAR"] }, 8])
  })

  it("leaves to a person what cannot be read, and a video that is gone", async () => {
    const refused = { _tag: "Refused", code: "UNREADABLE", rule: "must be whole" } as const
    expect((await checked([], { frames: () => Effect.succeed(refused) })).result).toEqual(unclear("UNREADABLE"))
    expect((await checked([], { videos: { read: () => Effect.succeed(null) } })).result).toEqual(unclear("NO_VIDEO"))
  })

  it.each([
    ["faces cannot be compared now", "FACE_CHECK", ["S", "broken"], {}],
    [
      "the process cannot be had",
      "NOT_BEGUN",
      [],
      { frames: () => Effect.fail(new VideoReader.VideoReaderUnavailable({ reason: "NOT_BEGUN" })) }
    ],
    [
      "the database is away",
      "DATABASE",
      [],
      { videos: { read: () => Effect.fail(new StoreUnavailable({ cause: "away" })) } }
    ]
  ])("fails, to be made again, when %s", async (_name, reason, frames, changed) => {
    expect((await checked(frames, changed)).result).toMatchObject({ _tag: "VideoCheckUnavailable", reason })
  })
})
