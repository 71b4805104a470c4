/** The turns that a video must show, on a real database: how long they hold, for whom, and what uses them up. */
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { UploadOf } from "../../../../src/actors/checks/uploads/Uploads.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { chunkOf, later, startVideos } from "../../../support/videoGround.ts"

const first = Buffer.from("\0\0\0\x20ftypisom", "latin1")

let isReadable = true
const reader = Layer.mock(VideoReader, {
  clean: (_video, keep) =>
    Effect.as(
      keep(first),
      isReadable
        ? ({ _tag: "Cleaned", seconds: 2, bytes: first.length } as const)
        : ({ _tag: "Refused", code: "UNREADABLE", rule: "must be whole" } as const)
    )
})

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(reader)
})
afterAll(() => ground.stop())

type Journey = Awaited<ReturnType<(typeof ground)["journey"]>>
const done = { _tag: "Success" }

const ask = ({ id }: Journey) => ground.run(ground.challenges.ask(JourneyId.make(id)))
const asked = async (journey: Journey) => {
  const result = await ask(journey)
  if (result._tag === "Failure") throw new Error(`not asked: ${result.failure._tag}`)
  return result.success
}
const named = ({ id }: Journey, challengeId: string) =>
  ground.run(ground.uploads.begin(JourneyId.make(id), "VIDEO", challengeId))

describe("the turns that a video must show", () => {
  const refused = { failure: { _tag: "UploadRefused", code: "NO_CHALLENGE" } }

  it("stay the same for ten minutes, so that nobody chooses them by asking again, and are others then", async () => {
    const journey = await ground.journey()
    const first = await asked(journey)
    const all = await Promise.all(Array.from({ length: 12 }, () => asked(journey)))
    expect(all).toEqual(all.map(() => first))
    const next = await ground.run(later(601_000)(ground.challenges.ask(JourneyId.make(journey.id))))
    expect(next).toMatchObject(done)
    expect(await named(journey, first.id)).toMatchObject(refused)
  })

  it("belong to one journey, hold for twenty minutes, and are kept beside the video that names them", async () => {
    const [journey, other] = [await ground.journey(), await ground.journey()]
    const { id, turns } = await asked(journey)
    expect(await named(other, id)).toMatchObject(refused)
    const atTheEnd = ground.uploads.begin(JourneyId.make(journey.id), "VIDEO", id)
    expect(await ground.run(later(1_201_000)(atTheEnd))).toMatchObject(refused)
    expect(await ground.run(later(1_199_000)(atTheEnd))).toMatchObject(done)
    expect(await ground.query("select turns_asked from video_uploads where journey_id = $1", [journey.id])).toEqual([
      { turns_asked: turns.join(",") }
    ])
  })

  it("are used up by the finished video, and not by one that could not be read", async () => {
    const journey = await ground.journey()
    const { id } = await asked(journey)
    for (const now of [false, true]) {
      isReadable = now
      const begun = await named(journey, id)
      if (begun._tag === "Failure") throw new Error("not begun")
      const upload: UploadOf = { journeyId: JourneyId.make(journey.id), medium: "VIDEO", uploadId: begun.success }
      await ground.run(ground.uploads.chunk(upload, chunkOf(0, first)))
      expect(await ground.run(ground.uploads.complete(upload, 1))).toMatchObject(
        now ? done : { failure: { _tag: "UploadRefused" } }
      )
    }
    expect(await named(journey, id)).toMatchObject(refused)
    expect((await asked(journey)).id).not.toBe(id)
  })

  it("are asked of nobody whose journey waits for no video", async () => {
    const over = { failure: { _tag: "UploadNotAwaited" } }
    expect(await ask(await ground.journey({ handover: "VIDEO_UPLOADED" }))).toMatchObject(over)
    expect(await ask(await ground.journey({ status: "CANCELLED" }))).toMatchObject(over)
  })
})
