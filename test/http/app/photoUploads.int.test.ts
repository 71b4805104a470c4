/**
 * Photos of the identity check in parts, as the script of its page sends them, and what is kept of them: damaged, interrupted, with
 * the form's files, and by whom it is not meant.
 */
import { hash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../support/eventually.ts"
import { documentPhoto, facePhoto } from "../../support/photos.ts"
import type { Service } from "../../support/service.ts"
import { tokenIn, wordsOf, type Seen } from "./CustomerBrowser.ts"
import { journeyOf, signedIn, startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

/** A machine that is busy with other tests looks at photos slowly. */
const patience = { timeout: 150_000 }

let ground: PagesGround
let service: Service

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
})
afterAll(() => service?.stop())

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer
const json = ({ text }: Seen): any => JSON.parse(text)

const partsOf = (photo: Uint8Array, size = 40_000): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(photo.length / size) }, (_, at) => photo.subarray(at * size, (at + 1) * size))

/** Somebody at the page of the identity check, with its token. */
const atIdentityPage = async () => {
  const journeyId = await startCashSale(ground)
  const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
  await customer.agree("identity")
  const token = tokenIn(await customer.ask("/app/identity"))
  const send = (
    method: string,
    path: string,
    body: NonNullable<RequestInit["body"]> | null = null,
    headers: Record<string, string> = {}
  ) =>
    customer.ask(path, {
      method,
      body,
      headers: { origin: service.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token, ...headers }
    })
  const part = (path: string, number: number, bytes: Uint8Array, sha256 = hash("sha256", bytes, "hex")) =>
    send("PUT", `${path}/chunks/${number}`, Buffer.from(bytes), {
      "content-type": "application/octet-stream",
      "x-chunk-sha256": sha256
    })
  const complete = (path: string, chunks: number) =>
    send("POST", `${path}/complete`, JSON.stringify({ chunks }), { "content-type": "application/json" })
  const begin = async (which: "document" | "selfie") =>
    `/app/${which}-uploads/${json(await send("POST", `/app/${which}-uploads`)).id}`
  const upload = async (which: "document" | "selfie", photo: Uint8Array) => {
    const path = await begin(which)
    const parts = partsOf(photo)
    for (const [number, bytes] of parts.entries()) expect(json(await part(path, number, bytes)).code).toBe("DONE")
    return json(await complete(path, parts.length))
  }
  /** Sent again while the machine is too busy to look at photos, as the page asks for. */
  const check = (files: Readonly<Partial<Record<"documentPhoto" | "selfie", Uint8Array>>> = {}) => {
    const form = new FormData()
    form.set("token", token)
    for (const [name, bytes] of Object.entries(files)) {
      form.set(name, new Blob([Buffer.from(bytes)], { type: "image/jpeg" }), `${name}.jpg`)
    }
    return eventually(
      () => customer.send("/app/identity", form),
      ({ status }) => status !== 503,
      100_000
    )
  }
  const rows = () =>
    service.query<{ medium: string; done: boolean }>(
      "select medium, completed_at is not null as done from video_uploads where journey_id = $1 order by medium",
      [journeyId]
    )
  const status = async () => (await journeyOf(ground, journeyId)).delivery.status
  return { customer, journeyId, begin, part, complete, send, upload, check, rows, status }
}

describe("a photo in parts", patience, () => {
  it("arrives in any order, after damage and an interruption, and the check is made with what has come", async () => {
    const { begin, check, complete, customer, part, rows, send, status, upload } = await atIdentityPage()
    const [first, second, ...others] = partsOf(documentPhoto()) as [Uint8Array, Uint8Array, Uint8Array]
    const path = await begin("document")
    expect(json(await part(path, 1, second))).toEqual({ code: "DONE" })
    expect(json(await part(path, 0, first, hash("sha256", "something else", "hex")))).toEqual({ code: "SEND_AGAIN" })
    expect(json(await complete(path, 2 + others.length))).toEqual({ code: "SEND_AGAIN" })
    expect(json(await send("GET", path))).toEqual({ code: "DONE", isComplete: false, chunks: [1] })
    for (const [at, bytes] of [first, second, ...others].entries()) await part(path, at, bytes)
    expect(json(await complete(path, 2 + others.length))).toEqual({ code: "DONE" })
    expect(wordsOf(await customer.ask("/app/identity"))).toContain("We have this photo")
    expect(await upload("selfie", facePhoto())).toEqual({ code: "DONE" })
    expect(await rows()).toEqual([
      { medium: "DOCUMENT_PHOTO", done: true },
      { medium: "SELFIE", done: true }
    ])
    const checked = await check()
    expect(wordsOf(checked)).toContain("Thank you, that is you")
    expect(await status()).not.toBe("AWAITING_IDENTITY")
    expect(await rows()).toEqual([])
  })

  it("is refused when it is no photo, is damaged, or is a part too large, with words that say so", async () => {
    const { begin, complete, part, upload } = await atIdentityPage()
    const path = await begin("selfie")
    const refused = json(await part(path, 0, Buffer.from("MZ this is a program, not a photo")))
    expect(refused).toMatchObject({ code: "REFUSED", message: expect.stringContaining("cannot be read") })
    expect((await part(path, 0, new Uint8Array(2 ** 17))).status).toBe(413)
    const noMore = facePhoto().subarray(0, 100)
    expect(json(await part(path, 0, noMore)).code).toBe("DONE")
    expect(json(await complete(path, 1))).toMatchObject({ code: "REFUSED" })
    expect(await upload("selfie", facePhoto())).toEqual({ code: "DONE" })
  })

  it("is no other upload's, no other journey's, and asked of nobody at another step", async () => {
    const mine = await atIdentityPage()
    const path = await mine.begin("document")
    const other = await atIdentityPage()
    expect(json(await other.part(path, 0, facePhoto().subarray(0, 1000)))).toEqual({ code: "GONE" })
    const asSelfie = path.replace("document", "selfie")
    expect(json(await mine.part(asSelfie, 0, facePhoto().subarray(0, 1000)))).toEqual({ code: "GONE" })
    expect(json(await mine.send("POST", "/app/document-uploads", null, { "x-form-token": "x" })).code).toBe(
      "NOT_ALLOWED"
    )
    expect(json(await mine.send("POST", "/app/video-uploads")).code).toBe("NOT_ASKED")
    const handover = await signedIn(ground, await startFinanceSale(ground, "IN_STORE"), "RECORD_VIDEO")
    const token = tokenIn(await handover.ask("/app/video"))
    const headers = { origin: service.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token }
    expect(json(await handover.ask("/app/selfie-uploads", { method: "POST", headers })).code).toBe("NOT_ASKED")
  })
})

describe("the good photo of two", patience, () => {
  it("is kept, so that only the other one is taken again, also without a script", async () => {
    const { check, customer, journeyId, rows, status } = await atIdentityPage()
    const again = await check({ documentPhoto: documentPhoto(), selfie: Buffer.from("no photo at all") })
    expect(again.status).toBe(422)
    expect(wordsOf(again)).toContain("Please take one photo again")
    expect(wordsOf(again)).toContain("This does not count as a try")
    expect(again.text).toContain('id="selfie-error"')
    expect(wordsOf(again)).toContain("We have this photo. You need not take it again.")
    expect(again.text).toMatch(/id="selfie"[^>]*required/)
    expect(again.text).not.toMatch(/id="documentPhoto"[^>]*required/)
    expect(await rows()).toEqual([{ medium: "DOCUMENT_PHOTO", done: true }])
    // As a camera or our own encoder begins a file; three bytes alone also stand in what is sealed, by chance.
    const beginOfJpeg = Buffer.from(documentPhoto()).subarray(0, 20)
    const sealed = await service.query<{ sealed: Uint8Array }>(
      "select c.sealed from video_chunks c join video_uploads u on u.id = c.upload_id where u.journey_id = $1",
      [journeyId]
    )
    expect(sealed.some((row) => Buffer.from(row.sealed).includes(beginOfJpeg))).toBe(false)
    expect(wordsOf(await customer.ask("/app/identity"))).toContain("You have 5 of 5 tries left today")
    expect(wordsOf(await check({ selfie: facePhoto() }))).toContain("Thank you, that is you")
    expect(await status()).not.toBe("AWAITING_IDENTITY")
    expect(await rows()).toEqual([])
  })

  it("is forgotten after an hour", async () => {
    const { check, customer, journeyId } = await atIdentityPage()
    await check({ documentPhoto: documentPhoto() })
    expect(wordsOf(await customer.ask("/app/identity"))).toContain("We have this photo")
    await service.query(
      "update video_uploads set completed_at = completed_at - interval '61 minutes' where journey_id = $1",
      [journeyId]
    )
    expect(wordsOf(await customer.ask("/app/identity"))).not.toContain("We have this photo")
    expect(wordsOf(await check({ selfie: facePhoto() }))).toContain(
      "Photo of your identity document: This photo is missing"
    )
  })
})

it("one picture twice is refused with its reason, and costs one of the tries", patience, async () => {
  const { check } = await atIdentityPage()
  const refused = await check({ documentPhoto: facePhoto(), selfie: facePhoto() })
  expect(refused.status).toBe(422)
  expect(wordsOf(refused)).toContain("Both photos are the same")
  expect(wordsOf(refused)).toContain("You have 4 of 5 tries left today")
})
