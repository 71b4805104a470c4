/** The photos, the video and its frames of a case: what there is to see, who is written down, and what an erasure leaves. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rangeIn } from "../../../../src/http/api/frame/videoResponse.ts"
import { framesBesideReference } from "../../../../src/http/console/cases/casePictures.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"
import { makeVideos } from "../../../support/videos.ts"
import { keepFrames, keepPhoto, keepVideo, keptVideo } from "./caseGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 20, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

const casePath = (id: string) => `/companies/${company.id}/journeys/${id}/case`
const read = async (id: string) => (await askSettings(service, casePath(id))).data

const look = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${operatorToken}`, ...headers } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

const audit = async (): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data.content
const looksAt = async (journeyId: string, action: string) =>
  (await audit())
    .filter((one) => one["action"] === action && (one["details"] as { journeyId?: string }).journeyId === journeyId)
    .map(({ details }) => details)

/** A live journey whose caller sent a photo and whose video is with the team. */
const sale = async () => {
  const { data } = await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))
  await keepPhoto(service, data.id)
  await service.query(
    `update journeys set version = version + 1, state = jsonb_set(state::jsonb, '{handover}', $2::text::jsonb)::json where id = $1`,
    [data.id, JSON.stringify({ status: "UNDER_REVIEW", createdAt: 0, completedAt: null, mismatches: 0 })]
  )
  return data
}

const savedAs = ({ headers }: Response) => headers.get("content-disposition")

describe("the turns that a video must show", () => {
  it("stand beside what was seen of them, and in words on the page of the team", async () => {
    const { id } = await sale()
    const video = await keepVideo(service, id)
    await keepFrames(service, video, [{ at: 900, outcome: "NOT_COMPARED", similarity: null }], null)
    expect((await read(id)).video.turns).toBeNull()
    await service.query("update video_uploads set turns_asked = 'LEFT,RIGHT,RIGHT' where id = $1", [video])
    expect((await read(id)).video.turns).toEqual({ asked: ["LEFT", "RIGHT", "RIGHT"], seen: null, outcome: null })
    await service.query("update video_uploads set turns_seen = 'RIGHT', turns_outcome = 'OTHERS' where id = $1", [
      video
    ])
    await service.query("update video_frames set turned = -0.31 where upload_id = $1", [video])
    const file = await read(id)
    expect(file.video.turns).toEqual({ asked: ["LEFT", "RIGHT", "RIGHT"], seen: ["RIGHT"], outcome: "OTHERS" })
    const page = framesBesideReference(file, "review")
    expect(page).toMatchObject({ text: expect.stringMatching(/left, right, right.*Other turns.*head turned -0\.31/s) })
  })
})

describe("the frames of a video", () => {
  it("are listed with their moments and outcomes beside the photo they were compared with, and each can be seen", async () => {
    const { id } = await sale()
    const video = await keepVideo(service, id)
    await keepFrames(
      service,
      video,
      [
        { at: 781, outcome: "UNCLEAR", similarity: 0.41 },
        { at: 2343, outcome: "NO_FACE", similarity: null }
      ],
      { name: "customer-photo", of: id }
    )
    const found = await read(id)
    const base = `/settings/v1${casePath(id)}`
    expect(found.video.frames).toEqual([
      { number: 1, at: 781, outcome: "UNCLEAR", similarity: 0.41, turned: null, path: `${base}/video/frames/1` },
      { number: 2, at: 2343, outcome: "NO_FACE", similarity: null, turned: null, path: `${base}/video/frames/2` }
    ])
    const photo = `${base}/pictures/${id}/customer-photo`
    expect(found.video.reference).toEqual({ name: "customer-photo", attemptId: null, path: photo, replaced: false })
    const seen = await look(`${found.video.frames[1].path}?reason=review`)
    expect([seen.status, seen.headers.get("content-type"), seen.headers.get("cache-control")]).toEqual([
      200,
      "image/jpeg",
      "no-store"
    ])
    expect(savedAs(seen)).toBe(`inline; filename="journey-${id}-frame-2.jpg"`)
    expect(await seen.text()).toBe("frame 2")
    expect(await looksAt(id, "case.frame_opened")).toEqual([{ journeyId: id, reason: "review", frame: 2 }])
    for (const strange of ["0", "3", "01", "-1", "first"]) {
      expect((await look(`${base}/video/frames/${strange}`)).status).toBe(404)
    }
    // A photo that came later is not the one that was compared.
    await service.query("update customer_photos set at = now() + interval '1 minute' where journey_id = $1", [id])
    expect((await read(id)).video.reference.replaced).toBe(true)
  })

  it("that nobody has taken yet are taken at the first look, once for all who look", { timeout: 120_000 }, async () => {
    const { indexAtEnd } = await makeVideos("indexAtEnd")
    const { id } = await sale()
    const half = Math.floor(indexAtEnd.length / 2)
    await keepVideo(service, id, [indexAtEnd.subarray(0, half), indexAtEnd.subarray(half)], "MP4")
    const { frames, reference } = (await read(id)).video
    expect(frames).toHaveLength(8)
    expect(frames[0]).toMatchObject({ number: 1, at: 781, outcome: "NOT_COMPARED", similarity: null })
    expect(reference).toMatchObject({ name: "customer-photo", replaced: false })
    const seen = await Promise.all(frames.map(({ path }: { readonly path: string }) => look(path)))
    expect(seen.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    for (const one of seen) expect((await bytesOf(one)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    // The moments are now those of the video itself, which lasts two seconds.
    expect((await read(id)).video.frames.at(-1).at).toBeLessThan(2000)
  })

  it("of a video that cannot be read are none, and that is known from then on", async () => {
    const { id } = await sale()
    await keepVideo(service, id)
    const [first] = (await read(id)).video.frames
    expect((await look(first.path)).status).toBe(404)
    expect((await read(id)).video.frames).toEqual([])
    expect(await looksAt(id, "case.frame_opened")).toEqual([])
  })

  it("go with their video, and with their customer", async () => {
    const kept = async (id: string) => {
      const video = await keepVideo(service, id)
      await keepFrames(service, video, [{ at: 1, outcome: "SAME", similarity: 1 }], { name: "customer-photo", of: id })
      return video
    }
    const rows = (video: string) => service.query("select from video_frames where upload_id = $1", [video])
    const replaced = await sale()
    const before = await kept(replaced.id)
    await service.query("delete from video_uploads where id = $1", [before])
    expect(await rows(before)).toEqual([])
    const erased = await sale()
    const video = await kept(erased.id)
    const { path } = (await read(erased.id)).video.frames[0]
    expect((await look(path)).status).toBe(200)
    await askSettings(service, `/companies/${company.id}/customers/${erased.customerReference}`, { method: "DELETE" })
    expect(await rows(video)).toEqual([])
    expect((await look(path)).status).toBe(404)
    expect(await read(erased.id)).toMatchObject({
      erased: true,
      pictures: [],
      video: { path: null, frames: [], reference: null }
    })
  })
})

describe("the video", () => {
  it("comes in the part that a player asks for, across the parts in which it is kept", async () => {
    const { id } = await sale()
    const parts = [Buffer.from("0123456"), Buffer.from("789"), Buffer.from("abcdef")]
    await keepVideo(service, id, parts)
    const path = `/settings/v1${casePath(id)}/video?reason=review`
    for (const [range, text, answered] of [
      ["bytes=0-", "0123456789abcdef", "bytes 0-15/16"],
      ["bytes=5-11", "56789ab", "bytes 5-11/16"],
      ["bytes=7-7", "7", "bytes 7-7/16"],
      ["bytes=-3", "def", "bytes 13-15/16"]
    ] as const) {
      const part = await look(path, { range })
      expect([part.status, part.headers.get("content-range")]).toEqual([206, answered])
      expect([part.headers.get("content-length"), part.headers.get("content-type")]).toEqual([
        String(text.length),
        "video/webm"
      ])
      expect(savedAs(part)).toBe(`inline; filename="journey-${id}-video.webm"`)
      expect(await part.text()).toBe(text)
    }
    for (const range of ["bytes=16-", "bytes=4-3", "bytes=0-1,3-4", "lines=1-2", "bytes=-"]) {
      const whole = await look(path, { range })
      expect([whole.status, whole.headers.get("accept-ranges"), await whole.text()]).toEqual([
        200,
        "bytes",
        "0123456789abcdef"
      ])
    }
  })

  it("is one look from its beginning on, and a part without a beginning is a look, too", async () => {
    const { id } = await sale()
    await keepVideo(service, id)
    const path = `/settings/v1${casePath(id)}/video`
    const line = { journeyId: id, reason: "support" }
    await (await look(path, { range: "bytes=5-" })).text()
    expect(await looksAt(id, "case.video_opened")).toEqual([line])
    await (await look(path, { range: "bytes=7-" })).text()
    expect(await looksAt(id, "case.video_opened")).toEqual([line])
    await (await look(path, { range: "bytes=0-" })).text()
    await (await look(path)).text()
    expect(await looksAt(id, "case.video_opened")).toEqual([line, line, line])
    // Time passes for what was written: the triggers that keep the log as it is are off meanwhile.
    await service.query("alter table audit disable trigger user")
    await service.query("update audit set at = at - interval '16 minutes' where company_id = $1", [company.id])
    await service.query("alter table audit enable trigger user")
    await (await look(path, { range: "bytes=7-" })).text()
    expect(await looksAt(id, "case.video_opened")).toHaveLength(4)
  })

  it("is whole for a range that is none", () => {
    expect([rangeIn(undefined, 9), rangeIn("bytes=", 9), rangeIn("bytes=99999999999999999-", 9)]).toEqual([
      null,
      null,
      null
    ])
    expect([rangeIn("bytes=-20", 9), rangeIn("bytes=2-99", keptVideo.length)]).toEqual([
      { from: 0, end: 9 },
      { from: 2, end: keptVideo.length }
    ])
  })
})
