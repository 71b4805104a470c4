/** The budget of uploads while uploads are under way: many that were begun in time may not together send more than a day allows. */
import { Duration, Effect, Layer } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { uploadBudget } from "../../../../src/actors/checks/limits.ts"
import { CurrentWorkFor } from "../../../../src/actors/kernel/WorkFor.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { CustomerSessionId, JourneyId } from "../../../../src/schema/ids.ts"
import { chunkOf, later, startVideos } from "../../../support/videoGround.ts"

const nobody = Layer.succeed(VideoReader, {
  clean: () => Effect.die("not asked for here"),
  frames: () => Effect.die("not asked for here"),
  beginning: () => Effect.die("not asked for here")
})
const first = Buffer.from("\0\0\0\x20ftypisom and more", "latin1")
const second = Buffer.from("the second part")
const overBudget = { failure: { _tag: "UploadRefused", code: "OVER_BUDGET" } }
const done = { _tag: "Success" }

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(nobody)
})
afterAll(() => ground.stop())

/** An upload with its first part. */
const underWay = async () => {
  const { companyId, id } = await ground.journey()
  const journeyId = JourneyId.make(id)
  const begun = await ground.run(ground.uploads.begin(journeyId, "VIDEO"))
  if (begun._tag === "Failure") throw new Error(`not begun: ${begun.failure._tag}`)
  const upload = { journeyId, medium: "VIDEO", uploadId: begun.success } as const
  const send = (number: number, bytes: Uint8Array) => ground.run(ground.uploads.chunk(upload, chunkOf(number, bytes)))
  expect(await send(0, first)).toMatchObject(done)
  return { companyId, journeyId, send }
}

it("a part is refused when other journeys have used up the company's day, and one that came before is known still", async () => {
  const { companyId, send } = await underWay()
  const ofOthers = (livemode: boolean) =>
    ground.query(
      `insert into upload_days (journey_id, day, company_id, livemode, uploads, bytes)
       values (gen_random_uuid(), (now() at time zone 'UTC')::date, $1, $2, 1, $3)`,
      [companyId, livemode, uploadBudget.mostBytesOfCompany.LIVE]
    )
  await ofOthers(false)
  expect(await send(1, second)).toMatchObject(done)
  await ofOthers(true)
  expect(await send(2, second)).toMatchObject(overBudget)
  expect(await send(1, second)).toMatchObject(done)
  expect(await (await underWay()).send(1, second)).toMatchObject(done)
})

it("a part is refused when its journey has used up its own day", async () => {
  const { journeyId, send } = await underWay()
  await ground.query("update upload_days set bytes = $2 where journey_id = $1", [
    journeyId,
    uploadBudget.mostBytesOfJourney
  ])
  expect(await send(1, second)).toMatchObject(overBudget)
})

it("a part is refused when its session has used up its share, and what another session of the journey sends is not", async () => {
  const { companyId, id } = await ground.journey()
  const journeyId = JourneyId.make(id)
  const as = (name: string) =>
    Effect.provideService(CurrentWorkFor, {
      companyId,
      livemode: true,
      who: id,
      sessionId: CustomerSessionId.make(name)
    })
  const begin = (name: string) => ground.run(as(name)(ground.uploads.begin(journeyId, "VIDEO")))
  const begun = await begin("first")
  if (begun._tag === "Failure") throw new Error(`not begun: ${begun.failure._tag}`)
  const upload = { journeyId, medium: "VIDEO", uploadId: begun.success } as const
  const send = (name: string, number: number, bytes: Uint8Array) =>
    ground.run(as(name)(ground.uploads.chunk(upload, chunkOf(number, bytes))))
  expect(await send("first", 0, first)).toMatchObject(done)
  expect(await send("other", 1, second)).toMatchObject(done)
  expect(await send("first", 2, second)).toMatchObject(done)
  expect(await ground.query("select of_sessions from upload_days where journey_id = $1", [id])).toEqual([
    {
      of_sessions: {
        first: { uploads: 1, bytes: first.length + second.length },
        other: { uploads: 0, bytes: second.length }
      }
    }
  ])
  await ground.query(
    "update upload_days set of_sessions = jsonb_set(of_sessions, '{first,bytes}', to_jsonb($2::int8)) where journey_id = $1",
    [id, uploadBudget.mostBytesOfSession]
  )
  expect(await send("first", 3, second)).toMatchObject(overBudget)
  expect(await begin("first")).toMatchObject(overBudget)
  expect(await send("other", 3, second)).toMatchObject(done)
  expect(await begin("other")).toMatchObject(done)
  const tomorrow = later(Duration.toMillis("1 day"))
  expect(await ground.run(as("first")(tomorrow(ground.uploads.begin(journeyId, "VIDEO"))))).toMatchObject(done)
})
