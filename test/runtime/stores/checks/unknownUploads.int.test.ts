/**
 * The connection breaks after an upload was written and before the database could say so. The upload looks up what became of it:
 * nobody hears that nothing was kept, and nothing counts twice.
 */
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { UploadOf } from "../../../../src/actors/checks/uploads/Uploads.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { facePhoto } from "../../../support/photos.ts"
import { startProxy, type Proxy } from "../../../support/proxy.ts"
import { freshDatabase } from "../../../support/service.ts"
import { chunkOf, startVideos } from "../../../support/videoGround.ts"

const film = Buffer.from("\0\0\0\x20ftypisom\0\0\0\0 and more of it", "latin1")

/** Measures every video, and keeps what was sent. */
const reader = Layer.mock(VideoReader, {
  clean: (_video, keep) => Effect.as(keep(film), { _tag: "Cleaned" as const, seconds: 10, bytes: film.length })
})

let proxy: Proxy
let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  proxy = await startProxy(await freshDatabase())
  ground = await startVideos(reader, proxy.url)
})
afterAll(async () => {
  await ground?.stop()
  await proxy?.close()
})

const succeeded = { _tag: "Success" }

const begun = async (id: string): Promise<UploadOf> => {
  const journeyId = JourneyId.make(id)
  const answer = await ground.run(ground.uploads.begin(journeyId, "VIDEO"))
  if (answer._tag === "Failure") throw new Error(`not begun: ${answer.failure._tag}`)
  return { journeyId, medium: "VIDEO", uploadId: answer.success }
}

const sent = async (id: string, bytes = film): Promise<UploadOf> => {
  const upload = await begun(id)
  expect(await ground.run(ground.uploads.chunk(upload, chunkOf(0, bytes)))).toMatchObject(succeeded)
  return upload
}

const countedFor = (id: string) =>
  ground.query("select uploads, bytes::int from upload_days where journey_id = $1", [id])

/** The reply to the transaction of which this is a part gets lost, and it is one. */
const losing = async <A>(marker: string, asked: () => Promise<A>): Promise<A> => {
  const before = proxy.swallowed()
  proxy.swallowReplyTo(marker, { ofTransaction: true })
  const answer = await asked()
  expect(proxy.swallowed()).toBe(before + 1)
  return answer
}

it("an upload whose beginning got no answer has begun, and is counted once", async () => {
  const { id } = await ground.journey()
  const upload = await losing("insert into video_uploads", () => begun(id))
  expect(await ground.query("select id from video_uploads where journey_id = $1", [id])).toEqual([
    { id: upload.uploadId }
  ])
  expect(await countedFor(id)).toEqual([{ uploads: 1, bytes: 0 }])
})

it("a part whose keeping got no answer is kept, and is counted once", async () => {
  const { id } = await ground.journey()
  const upload = await begun(id)
  const kept = await losing(upload.uploadId, () => ground.run(ground.uploads.chunk(upload, chunkOf(0, film))))
  expect(kept).toMatchObject(succeeded)
  expect(await ground.run(ground.uploads.state(upload))).toMatchObject({ success: { chunks: [0], bytes: film.length } })
  expect(await countedFor(id)).toEqual([{ uploads: 1, bytes: film.length }])
})

it.each([true, false])("a video whose end got no answer is taken (live: %s)", async (livemode) => {
  const { id } = await ground.journey({ livemode })
  const upload = await sent(id)
  const taken = await losing(upload.uploadId, () => ground.run(ground.uploads.complete(upload, 1)))
  expect(taken).toMatchObject(succeeded)
  expect(
    await ground.query("select completed_at is not null as is_kept from video_uploads where id = $1", [upload.uploadId])
  ).toEqual(livemode ? [{ is_kept: true }] : [])
})

it("a photo that cannot be read is refused, also when the answer to its removal is lost", async () => {
  const { id } = await ground.journey({ handover: "AWAITING_IDENTITY", identity: { status: "REQUESTED" } })
  const journeyId = JourneyId.make(id)
  const answer = await ground.run(ground.uploads.begin(journeyId, "SELFIE"))
  const upload: UploadOf = { journeyId, medium: "SELFIE", uploadId: answer._tag === "Success" ? answer.success : "" }
  await ground.run(ground.uploads.chunk(upload, chunkOf(0, facePhoto().subarray(0, 100))))
  const before = proxy.swallowed()
  proxy.swallowReplyTo("delete from video_uploads where id = $1 and completed_at is null")
  expect(await ground.run(ground.uploads.complete(upload, 1))).toMatchObject({ failure: { code: "UNREADABLE" } })
  expect(proxy.swallowed()).toBe(before + 1)
})

it("an upload claims nothing while the database stays away", async () => {
  const { id } = await ground.journey()
  const upload = await begun(id)
  proxy.swallowReplyTo(upload.uploadId, { ofTransaction: true, andStayAway: true })
  const answer = await ground.run(ground.uploads.chunk(upload, chunkOf(0, film)))
  expect(answer).toMatchObject({ failure: { _tag: "OutcomeUnknown" } })
  proxy.heal()
})
