/**
 * Customers on slow lines, over real sockets: what they send takes longer than a request of a program may take, of which there is one
 * beside them. All requests go out at once, so that the file takes as long as the slowest of them.
 */
import { hash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { appLimits } from "../../../src/http/app/frame/limits.ts"
import { freshKey, type Conversation, type Reply } from "../../support/requests.ts"
import type { Service } from "../../support/service.ts"
import { sendSlowly } from "../../support/slowLine.ts"
import { expectRefusal } from "../api/journeys/oracle.ts"
import { tokenIn, type CustomerBrowser } from "./CustomerBrowser.ts"
import { signedIn, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

const patience = { timeout: 150_000 }
const kilobyte = 1000

let ground: PagesGround
let service: Service
/** A service of its own for the customers who take all places: their lines stand still while the others are slow. */
let crowd: Crowd
let slow: Readonly<Record<"form" | "part" | "stalledForm" | "stalledPart" | "program", Promise<Conversation>>>

const cookiesOf = ({ cookies }: CustomerBrowser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")

const headOf = (
  { baseUrl }: Service,
  customer: CustomerBrowser,
  method: string,
  path: string,
  type: string
): ReadonlyArray<string> => [
  `${method} ${path} HTTP/1.1`,
  `Host: ${new URL(baseUrl).host}`,
  `Origin: ${baseUrl}`,
  "Sec-Fetch-Site: same-origin",
  `Cookie: ${cookiesOf(customer)}`,
  `Content-Type: ${type}`
]

interface AtVideoPage {
  readonly at: Service
  readonly customer: CustomerBrowser
  readonly token: string
}

const atVideoPage = async (where: PagesGround): Promise<AtVideoPage> => {
  const customer = await signedIn(where, await startFinanceSale(where, "IN_STORE"), "RECORD_VIDEO")
  await customer.agree("video")
  return { at: where.service, customer, token: tokenIn(await customer.ask("/app/video")) }
}

const boundary = "----a-boundary-of-the-test"

/** The video page's form with a file of this many bytes, which is no video. An unfinished form lacks its end. */
const formOf = ({ challenge }: CustomerBrowser, token: string, bytes: number, isFinished: boolean): Uint8Array =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n`),
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="challenge"\r\n\r\n${challenge}\r\n`),
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n`),
    Buffer.alloc(bytes, "no video "),
    Buffer.from(isFinished ? `\r\n--${boundary}--\r\n` : "")
  ])

const sendForm = async (bytes: number, bytesPerSecond: number, announced?: number): Promise<Conversation> =>
  sendFormFrom(await atVideoPage(ground), bytes, bytesPerSecond, announced)

const sendFormFrom = (
  { at, customer, token }: AtVideoPage,
  bytes: number,
  bytesPerSecond: number,
  announced?: number
): Promise<Conversation> =>
  sendSlowly(at, {
    head: headOf(at, customer, "POST", "/app/video", `multipart/form-data; boundary=${boundary}`),
    body: formOf(customer, token, bytes, announced === undefined),
    bytesPerSecond,
    ...(announced === undefined ? {} : { announced })
  })

const sendPart = async (bytes: number, bytesPerSecond: number, announced?: number): Promise<Conversation> => {
  const { customer, token } = await atVideoPage(ground)
  const script = { origin: service.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token }
  const headers = { ...script, "x-challenge": customer.challenge }
  const begun = await customer.ask("/app/video-uploads", { method: "POST", headers })
  const { id } = JSON.parse(begun.text) as { readonly id: string }
  // Only the first part has to begin like a video.
  const body = Buffer.alloc(bytes, 7)
  return sendSlowly(service, {
    head: [
      ...headOf(service, customer, "PUT", `/app/video-uploads/${id}/chunks/1`, "application/octet-stream"),
      `X-Form-Token: ${token}`,
      `X-Chunk-Sha256: ${hash("sha256", body, "hex")}`
    ],
    body,
    bytesPerSecond,
    ...(announced === undefined ? {} : { announced })
  })
}

const sendStart = (bytesPerSecond: number): Promise<Conversation> =>
  sendSlowly(service, {
    head: [
      "POST /api/v1/journeys HTTP/1.1",
      `Host: ${new URL(service.baseUrl).host}`,
      `Authorization: Bearer ${ground.company.testKey}`,
      `Idempotency-Key: ${freshKey()}`,
      "Content-Type: application/json"
    ],
    body: Buffer.alloc(1000, " "),
    bytesPerSecond
  })

/** One more customer than a node reads videos in one form of, whose lines stand still, and one who comes then. */
const startCrowd = async () => {
  const where = await startPages()
  const late = await atVideoPage(where)
  const senders: Array<AtVideoPage> = []
  for (let at = 0; at <= appLimits.plainVideosAtOnce; at += 1) senders.push(await atVideoPage(where))
  return { late, stalled: senders.map((sender) => sendFormFrom(sender, 100, kilobyte, 1_000_000)) }
}
type Crowd = Awaited<ReturnType<typeof startCrowd>>

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
  slow = {
    form: sendForm(1500 * kilobyte, 40 * kilobyte),
    part: sendPart(1000 * kilobyte, 20 * kilobyte),
    stalledForm: sendForm(100, kilobyte, 1_000_000),
    stalledPart: sendPart(100, kilobyte, 1_000_000),
    program: sendStart(1)
  }
  crowd = await startCrowd()
})
afterAll(() => Promise.all([service?.stop(), crowd?.late.at.stop()]))

const replyOf = async (sending: Promise<Conversation>): Promise<Reply> =>
  (await sending).replies[0] ?? expect.fail("no answer came")

// The first, because the lines that stand still are ended after half a minute.
describe("a video in one form", () => {
  it("is asked to come again, on a page, while as many are being read as a node takes at once", patience, async () => {
    const { late, stalled } = crowd
    const { customer, token } = late
    // Once the one too many is refused, all others are being read.
    expect((await Promise.race(stalled)).replies[0]?.status).toBe(503)
    const form = () => {
      const sent = new FormData()
      sent.set("token", token)
      sent.set("video", new Blob(["no video"]), "a.mp4")
      return sent
    }
    const busy = await customer.send("/app/video", form())
    expect(busy.status).toBe(503)
    expect(busy.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(busy.text).toContain(`href="/app/video"`)
    await Promise.all(stalled)
    expect((await customer.send("/app/video", form())).status).toBe(422)
  })
})

describe("on a slow line", () => {
  it("a form that takes longer than half a minute arrives, and is answered with its page", patience, async () => {
    const reply = await replyOf(slow.form)
    expect([reply.status, reply.header("content-type")]).toEqual([422, "text/html; charset=utf-8"])
    expect(reply.text).toContain("not a kind of video we can read")
  })

  it("a part of a video that takes longer than half a minute arrives", patience, async () => {
    const reply = await replyOf(slow.part)
    expect([reply.status, reply.json]).toEqual([200, { code: "DONE" }])
  })
})

describe("a customer's upload that stands still", () => {
  it("ends on a page with the strict headers and a way back", patience, async () => {
    const reply = await replyOf(slow.stalledForm)
    expect([reply.status, reply.header("content-type")]).toEqual([408, "text/html; charset=utf-8"])
    expect(reply.header("content-security-policy")).toContain("default-src 'none'")
    expect(reply.text).toContain(`href="/app/video"`)
  })

  it("ends in JSON for a script", patience, async () => {
    const reply = await replyOf(slow.stalledPart)
    expect([reply.status, reply.header("content-type"), reply.code]).toEqual([
      408,
      "application/json",
      "REQUEST_TIMEOUT"
    ])
  })
})

describe("a program's body of one byte a second (BAD-H19)", () => {
  it("is cut after 30 seconds, with an answer", patience, async () => {
    expectRefusal(await replyOf(slow.program), "408 REQUEST_TIMEOUT", "request")
  })
})
