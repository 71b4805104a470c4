/**
 * The check of a handover video with real videos, real faces and sealed rows. What follows of what a stand-in sees:
 * `FrameVideoCheck.test.ts`.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { Jimp } from "jimp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Videos } from "../../../src/actors/checks/video/Videos.ts"
import { FaceCheck } from "../../../src/actors/faces/FaceCheck.ts"
import { ReferenceFace } from "../../../src/actors/checks/video/ReferenceFace.ts"
import { VideoFrames } from "../../../src/actors/checks/video/VideoFrames.ts"
import { VideoCheck } from "../../../src/actors/checks/video/VideoCheck.ts"
import * as PhotoFaceCheck from "../../../src/runtime/faces/looks/PhotoFaceCheck.ts"
import { BeforeLook } from "../../../src/runtime/faces/looks/PhotoPool.ts"
import * as FrameVideoCheck from "../../../src/runtime/video/FrameVideoCheck.ts"
import * as VideoReader from "../../../src/runtime/video/VideoReader.ts"
import { documentPhoto as cardPhoto, facePhoto, turnedFace } from "../../support/photos.ts"
import { lookOnce } from "../../support/seenPhotos.ts"
import { chunkOf, startVideos } from "../../support/videoGround.ts"
import { makeVideos, nodding, otherPerson, samplePhoto, turningVideo, type VideoName } from "../../support/videos.ts"
import type { HeadTurn } from "../../../src/schema/media/headTurns.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

const check = (journeyId: string) =>
  Effect.flatMap(VideoCheck, (videos) => Effect.result(videos.check(JourneyId.make(journeyId))))

const mirrored = (turns: ReadonlyArray<HeadTurn>) => turningVideo(turns, `${nodding},hflip`)
const others = (turns: ReadonlyArray<HeadTurn>) =>
  turningVideo(turns.map((turn) => (turn === "LEFT" ? "RIGHT" : "LEFT")))

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
    const threads = await Effect.runPromise(
      Layer.buildWithScope(Layer.provide(PhotoFaceCheck.layerOf(patient), Layer.succeed(BeforeLook, lookOnce)), scope)
    )
    faces = Layer.succeed(FaceCheck, Context.get(threads, FaceCheck))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await ground.stop()
  })

  const partBytes = 60_000

  const verdictOn = async (video: VideoName, reference: Uint8Array | null) =>
    judgedOf(made[video as keyof typeof made], reference)

  /** `film` makes a video for the turns that are asked for; other videos name no challenge. */
  const judgedOf = async (
    film: Buffer | ((turns: ReadonlyArray<HeadTurn>) => Promise<Buffer>),
    reference: Uint8Array | null
  ) => {
    const journey = await ground.journey()
    if (reference !== null) await journey.keepPhoto(reference)
    const asked = await Effect.runPromise(ground.challenges.ask(JourneyId.make(journey.id)))
    const bytes = typeof film === "function" ? await film(asked.turns) : film
    const chunks = Math.ceil(bytes.length / partBytes)
    const sent = Effect.gen(function* () {
      const upload = {
        journeyId: JourneyId.make(journey.id),
        medium: "VIDEO" as const,
        uploadId: yield* ground.uploads.begin(JourneyId.make(journey.id), "VIDEO", asked.id)
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
    return { judged, kept: await framesOf(journey.id), turns: await turnsOf(journey.id) }
  }

  const turnsOf = async (journeyId: string) =>
    (
      await ground.query<{
        readonly turns_outcome: string | null
        readonly turns_asked: string
        readonly turns_seen: string
      }>("select turns_asked, turns_seen, turns_outcome from video_uploads where journey_id = $1", [journeyId])
    )[0]

  const framesOf = (journeyId: string) =>
    ground.query<{
      readonly number: number
      readonly at_millis: number
      readonly outcome: string
      readonly turned: number | null
    }>(
      `select f.number, f.at_millis, f.outcome, f.turned from video_frames f join video_uploads u on u.id = f.upload_id
       where u.journey_id = $1 order by number`,
      [journeyId]
    )

  it.each([
    ["of the customer, who turns nowhere,", "indexAtEnd", "UNCLEAR", ["TURNS_NOT_SEEN"], ["SAME", "NOT_COMPARED"]],
    ["of the customer, as browsers record it,", "recorded", "UNCLEAR", ["TURNS_NOT_SEEN"], ["SAME", "NOT_COMPARED"]],
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
      const compared = kept.filter(({ turned }) => turned === null)
      expect(compared.map(({ number }) => number).slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect([...new Set(kept.map(({ outcome }) => outcome))]).toEqual(expect.arrayContaining([...outcomes]))
      const taken = compared.map(({ at_millis: at }) => at)
      expect(taken).toEqual(taken.toSorted((one, other) => one - other))
    }
  )

  it.each([
    ["that were asked for, matches", turningVideo, "MET", "MATCH", []],
    ["to the other sides, goes to a person", others, "OTHERS", "UNCLEAR", ["TURNS_OTHERS"]],
    ["that were asked for, but mirrored, goes to a person", mirrored, "OTHERS", "UNCLEAR", ["TURNS_OTHERS"]]
  ] as const)(
    "of the customer with the turns %s",
    { timeout: 240_000 },
    async (_name, film, outcome, verdict, reasons) => {
      const { judged, kept, turns } = await judgedOf(film, facePhoto())
      expect(judged).toMatchObject({ success: { verdict, reasons } })
      expect(turns).toMatchObject({ turns_outcome: outcome })
      expect(kept.filter(({ turned }) => turned !== null).length).toBeGreaterThanOrEqual(3)
    }
  )

  it(
    "in which somebody else turns between pictures of the customer goes to a person",
    { timeout: 240_000 },
    async () => {
      const { height, width } = await Jimp.read(turnedFace("ahead"))
      const customer = (await Jimp.read(samplePhoto(1))).crop(otherPerson).resize({ w: width, h: height })
      const photo = await customer.getBuffer("image/jpeg")
      const { judged, turns } = await judgedOf((asked) => turningVideo(asked, nodding, photo), photo)
      expect(judged).toMatchObject({ success: { verdict: "UNCLEAR", reasons: ["TURNS_NOT_SEEN"] } })
      expect(turns).toMatchObject({ turns_outcome: "NOT_SEEN", turns_seen: turns?.turns_asked })
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
