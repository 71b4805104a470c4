/** What a deletion removes and leaves (D7): with a time, what was given from then on stays; without one, nothing does. */
import { Layer } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { startVideos } from "../../../support/videoGround.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(Layer.mock(VideoReader, {}))
})
afterAll(() => ground.stop())

type Journey = Awaited<ReturnType<(typeof ground)["journey"]>>

const withdrawn = new Date("2026-03-02T12:00:00Z")
const askedAnew = new Date("2026-03-02T12:10:00Z")
const givenAnew = new Date("2026-03-02T12:20:00Z")

const sealed = Buffer.from("sealed")

const keepPhoto = ({ keepSealed }: Journey, at: Date) =>
  keepSealed(
    "insert into customer_photos (journey_id, customer_id, sealed, at) values ($1, $2, decode($3, 'base64'), $4)",
    sealed,
    [at]
  )

const keepAttempt = ({ keepSealed }: Journey, at: Date) =>
  keepSealed(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_selfie)
      values ($4, $1, $2, 1, $5, 'SAME', decode($3, 'base64'))`,
    sealed,
    [randomUUID(), at]
  )

const keepPortrait = ({ keepSealed }: Journey, at: Date) =>
  keepSealed(
    `insert into provider_results (id, journey_id, customer_id, check_number, sealed_portrait, at)
      values ($4, $1, $2, 1, decode($3, 'base64'), $5)`,
    sealed,
    [randomUUID(), at]
  )

const keepUpload = async ({ customerId, id }: Journey, begun: Date, completed: Date | null) => {
  const uploadId = randomUUID()
  await ground.query(
    `insert into video_uploads (id, journey_id, customer_id, kind, begun_at, completed_at, bytes, chunks)
      values ($1, $2, $3, 'MP4', $4, $5, 6, 1)`,
    [uploadId, id, customerId, begun, completed]
  )
  await ground.query(
    "insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, 0, '\\x00', 6, '\\x00')",
    [uploadId]
  )
}

const leftOf = async ({ id }: Journey) => {
  const rows = await ground.query<{ readonly what: string; readonly at: Date }>(
    `select 'photo' as what, at from customer_photos where journey_id = $1
    union all select 'selfie', at from identity_attempts where journey_id = $1 and sealed_selfie is not null
    union all select 'portrait', at from provider_results where journey_id = $1 and sealed_portrait is not null
    union all select 'part', coalesce(u.completed_at, u.begun_at)
      from video_uploads u join video_chunks c on c.upload_id = u.id where u.journey_id = $1
    order by 1, 2`,
    [id]
  )
  return rows.map(({ at, what }) => `${what} ${at.toISOString().slice(11, 16)}`)
}

const deleteOf = async ({ id }: Journey, before: Date | null) => {
  const done = await ground.run(ground.biometrics.delete(JourneyId.make(id), before?.getTime() ?? null))
  expect(done._tag).toBe("Success")
}

/** Every kind once from before the withdrawal and once from after the customer was asked anew; of the caller's photo there is one. */
const filled = async (photoAt: Date) => {
  const journey = await ground.journey()
  await keepPhoto(journey, photoAt)
  for (const at of [withdrawn, givenAnew]) {
    await keepAttempt(journey, at)
    await keepPortrait(journey, at)
  }
  await keepUpload(journey, withdrawn, givenAnew)
  await keepUpload(journey, withdrawn, null)
  return journey
}

it("leaves what was given since the time that it is told, the files that were completed since among it", async () => {
  const [early, late] = [await filled(withdrawn), await filled(askedAnew)]
  await deleteOf(early, askedAnew)
  expect(await leftOf(early)).toEqual(["part 12:20", "portrait 12:20", "selfie 12:20"])
  await deleteOf(late, askedAnew)
  expect(await leftOf(late)).toEqual(["part 12:20", "photo 12:10", "portrait 12:20", "selfie 12:20"])
})

it("closes an attempt that is being judged, and leaves the one that was begun since", async () => {
  const journey = await ground.journey()
  for (const at of [withdrawn, givenAnew]) {
    await ground.query(
      "insert into identity_attempts (id, journey_id, customer_id, check_number, at) values ($1, $2, $3, 1, $4)",
      [randomUUID(), journey.id, journey.customerId, at]
    )
  }
  await deleteOf(journey, askedAnew)
  expect(
    await ground.query("select verdict from identity_attempts where journey_id = $1 order by at", [journey.id])
  ).toEqual([{ verdict: "NOT_JUDGED" }, { verdict: null }])
})

it("leaves nothing when the customer was not asked anew", async () => {
  const journey = await filled(givenAnew)
  await deleteOf(journey, null)
  expect(await leftOf(journey)).toEqual([])
  expect(await ground.query("select id from video_uploads where journey_id = $1", [journey.id])).toEqual([])
})
