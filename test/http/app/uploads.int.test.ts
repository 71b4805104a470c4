/** A video in parts, as the script of the video page sends it: damaged, repeated, interrupted and by strangers. */
import { hash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { startWithPhoto } from "../../support/multipart.ts"
import { startService, type Service } from "../../support/service.ts"
import { makeVideos } from "../../support/videos.ts"
import { CustomerBrowser, newLink, tokenIn, wordsOf, type Seen } from "./CustomerBrowser.ts"

let service: Service
let company: TestCompany
let video: Uint8Array

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 100 })
  video = (await makeVideos("webm")).webm
})
afterAll(() => service?.stop())

/** Somebody at the video page, with its token. */
const atVideoPage = async () => {
  const body = startBody("FINANCE_SALE")
  body.delivery.type = "IN_STORE"
  const { data } = await startWithPhoto(service, company.liveKey, body)
  const customer = new CustomerBrowser(service)
  await customer.signIn(await newLink(service, data.id, "RECORD_VIDEO"))
  const token = tokenIn(await customer.ask("/app/video"))
  const send = (
    method: string,
    path: string,
    sent: NonNullable<RequestInit["body"]> | null = null,
    headers: Record<string, string> = {}
  ) =>
    customer.ask(`/app/video-uploads${path}`, {
      method,
      body: sent,
      headers: { origin: service.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token, ...headers }
    })
  const part = (id: string, number: number, bytes: Uint8Array, sha256 = hash("sha256", bytes, "hex")) =>
    send("PUT", `/${id}/chunks/${number}`, Buffer.from(bytes), {
      "content-type": "application/octet-stream",
      "x-chunk-sha256": sha256
    })
  const complete = (id: string, chunks: unknown) =>
    send("POST", `/${id}/complete`, JSON.stringify({ chunks }), { "content-type": "application/json" })
  const begin = async (): Promise<string> =>
    json(await send("POST", "", null, { "x-challenge": customer.challenge })).id
  const status = async () => (await ask(service, company.liveKey, `/api/v1/journeys/${data.id}`)).data.delivery.status
  return { customer, token, send, part, complete, begin, status, journeyId: data.id as string }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer
const json = ({ text }: Seen): any => JSON.parse(text)

const parts = (count: number): ReadonlyArray<Uint8Array> => {
  const size = Math.ceil(video.length / count)
  return Array.from({ length: count }, (_, at) => video.subarray(at * size, (at + 1) * size))
}

describe("a video in parts", () => {
  it("arrives in any order, again and after an interruption, and becomes the journey's video once", async () => {
    const { begin, complete, part, send, status } = await atVideoPage()
    const [first, second, third] = parts(3) as [Uint8Array, Uint8Array, Uint8Array]
    const id = await begin()
    expect(json(await part(id, 2, third))).toEqual({ code: "DONE" })
    expect(json(await part(id, 0, first))).toEqual({ code: "DONE" })
    expect(json(await part(id, 0, first))).toEqual({ code: "DONE" })
    expect(json(await send("GET", `/${id}`))).toEqual({ code: "DONE", isComplete: false, chunks: [0, 2] })
    expect(json(await complete(id, 3))).toEqual({ code: "SEND_AGAIN" })
    expect(json(await part(id, 1, second, hash("sha256", "something else", "hex")))).toEqual({ code: "SEND_AGAIN" })
    expect(json(await part(id, 1, second))).toEqual({ code: "DONE" })
    expect(await status()).toBe("AWAITING_VIDEO")
    expect(json(await complete(id, 3))).toEqual({ code: "DONE" })
    expect(await status()).not.toBe("AWAITING_VIDEO")
    expect(json(await complete(id, 3)).code).toBe("NOT_ASKED")
  })

  it("is nobody's but the customer's who began it, from our own page", async () => {
    const mine = await atVideoPage()
    const id = await mine.begin()
    const [only] = parts(1) as [Uint8Array]
    const other = await atVideoPage()
    expect(json(await other.part(id, 0, only))).toEqual({ code: "GONE" })
    expect(json(await other.send("GET", `/${id}`))).toEqual({ code: "GONE" })
    expect(json(await mine.send("GET", "/no-uuid"))).toEqual({ code: "GONE" })
    for (const headers of [
      { "x-form-token": "x" },
      { "x-form-token": other.token },
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" }
    ]) {
      const refused = await mine.send("POST", "", null, headers)
      expect([refused.status, json(refused)]).toEqual([403, { code: "NOT_ALLOWED" }])
    }
    mine.customer.cookies.clear()
    expect((await mine.part(id, 0, only)).status).toBe(403)
  })

  it("names the turns that its page showed: others, used ones and none are refused, and the next page shows turns again", async () => {
    const { begin, complete, customer, journeyId, part, send } = await atVideoPage()
    const named = (challenge: string) => send("POST", "", null, { "x-challenge": challenge })
    const refused = { code: "REFUSED", message: expect.stringContaining("another one with the turns below") }
    expect(json(await send("POST", ""))).toEqual(refused)
    expect(json(await named("x"))).toEqual(refused)
    expect(json(await named((await atVideoPage()).customer.challenge))).toEqual(refused)

    const shown = customer.challenge
    expect(json(await send("POST", "/challenge"))).toMatchObject({ code: "DONE", id: shown })
    await service.query("update video_challenges set asked_at = now() - interval '11 minutes' where journey_id = $1", [
      journeyId
    ])
    expect(json(await named(shown)).code).toBe("BEGUN")
    await service.query("update video_challenges set asked_at = now() - interval '21 minutes' where journey_id = $1", [
      journeyId
    ])
    expect(json(await named(shown))).toEqual(refused)
    const next = json(await send("POST", "/challenge"))
    expect(next).toMatchObject({ code: "DONE", turns: [expect.any(String), expect.any(String), expect.any(String)] })
    expect(next.id).not.toBe(shown)
    expect(json(await named(shown))).toEqual(refused)

    customer.challenge = next.id
    const [only] = parts(1) as [Uint8Array]
    const id = await begin()
    await part(id, 0, only)
    expect(json(await complete(id, 1))).toEqual({ code: "DONE" })
    expect(
      await service.query("select from video_challenges where journey_id = $1 and used_at is null", [journeyId])
    ).toEqual([])
    expect(json(await send("POST", "/challenge"))).toEqual({ code: "NOT_ASKED" })
    const foreign = await send("POST", "/challenge", null, { origin: "https://evil.example" })
    expect(json(foreign)).toEqual({ code: "NOT_ALLOWED" })
  })

  it("is refused when it is no video, too large a part, or nonsense", async () => {
    const { begin, complete, part, send } = await atVideoPage()
    const id = await begin()
    expect((await part(id, 0, new Uint8Array(2 ** 20 + 1))).status).toBe(413)
    expect(json(await part(id, -1, video)).code).toBe("REFUSED")
    expect(json(await complete(id, "three")).code).toBe("REFUSED")
    expect((await send("POST", `/${id}/complete`, "{", { "content-type": "application/json" })).status).toBe(400)
    const noVideo = json(await part(id, 0, Buffer.from("MZ this is a program, not a video")))
    expect(noVideo).toMatchObject({ code: "REFUSED", message: expect.stringContaining("MP4, MOV or WebM") })
  })
})

const form = (token: string, bytes: Uint8Array): FormData => {
  const sent = new FormData()
  sent.set("token", token)
  sent.set("video", new Blob([Buffer.from(bytes)], { type: "video/webm" }), "video.webm")
  return sent
}

describe("the form without a script", () => {
  it("sends a video in one piece", async () => {
    const { customer, status, token } = await atVideoPage()
    expect(await customer.send("/app/video", form(token, video))).toMatchObject({
      status: 303,
      location: "/app/journey"
    })
    expect(await status()).not.toBe("AWAITING_VIDEO")
  })

  it("is refused without the turns that its page showed, and its page comes again with turns to record", async () => {
    const { customer, status, token } = await atVideoPage()
    for (const challenge of ["", "x", "00000000-0000-4000-8000-000000000000"]) {
      const sent = form(token, video)
      sent.set("challenge", challenge)
      const page = await customer.send("/app/video", sent)
      expect([page.status, wordsOf(page).includes("another one with the turns below")]).toEqual([422, true])
      expect(page.text).toMatch(/<ol id="turns">(\s*<li>To your (left|right)<\/li>){3}/)
    }
    expect(await status()).toBe("AWAITING_VIDEO")
  })

  it("says what is wrong with what was sent", async () => {
    const { customer, status, token } = await atVideoPage()
    expect(wordsOf(await customer.send("/app/video", form(token, new Uint8Array())))).toContain("No video was chosen")
    const other = await customer.send("/app/video", form(token, Buffer.from("a letter, not a video")))
    expect([other.status, wordsOf(other).includes("not a kind of video we can read")]).toEqual([422, true])
    expect((await customer.send("/app/video", form("x", video))).status).toBe(403)
    expect(await status()).toBe("AWAITING_VIDEO")
  })
})
