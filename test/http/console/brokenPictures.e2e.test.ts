/**
 * Pictures of a case that could not be loaded at first, in a real browser: behind a server that answers 503 to the first request for each
 * of them, as the service does when it is busy. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { facePhoto } from "../../support/photos.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openBrowser, type Browser } from "../documents/browser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"
import { identityReview } from "./reviewsGround.ts"

const isCi = process.env["CI"] === "true"
const patience = { timeout: 120_000 }

/** `asked` counts the requests for each picture. */
const busyAtFirst = async (baseUrl: string, asked: Map<string, number>): Promise<Server> => {
  const server = createServer(async (request, response) => {
    const path = request.url ?? ""
    if (/\/pictures\//.test(path)) {
      asked.set(path, (asked.get(path) ?? 0) + 1)
      if (asked.get(path) === 1) return void response.writeHead(503, { "retry-after": "1" }).end()
    }
    const found = await fetch(`${baseUrl}${path}`, { headers: { cookie: request.headers.cookie ?? "" } })
    const type = found.headers.get("content-type") ?? ""
    response.writeHead(found.status, { "content-type": type, "cache-control": "no-store" })
    response.end(Buffer.from(await found.arrayBuffer()))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

describe.skipIf(chromium === undefined && !isCi)("a picture that answers 503 at first, in Chromium", patience, () => {
  let ground: ConsoleGround
  let browser: Browser
  let server: Server
  let screen: Phone
  let review: Awaited<ReturnType<typeof identityReview>>
  const asked = new Map<string, number>()

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    ground = await startConsole({ credits: 20, settings: { identityProvider: { kind: "BUILT_IN" } } })
    const face = facePhoto()
    const ann = { firstName: "Ann", lastName: "Buyer" }
    review = await identityReview(ground.service, ground.company, ann, { document: face, selfie: face })
    server = await busyAtFirst(ground.service.baseUrl, asked)
    browser = await openBrowser(chromium)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    screen = await phoneOf(await browser.newPage(), url, "console", { width: 1280, height: 900 })
    const value = ground.team.cookies.get("journeys-console")
    await screen.command("Network.setCookie", { name: "journeys-console", value, url, httpOnly: true })
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    await ground?.service.stop()
  })
  beforeEach(() => asked.clear())

  it.each([
    ["the case file", () => `/console/journeys/${review.journeyId}/case?reason=support`],
    ["a review", () => `/console/reviews/${review.reviewId}`]
  ])("is asked for again on the page of %s, and shown", async (_, path) => {
    await screen.open(path())
    await screen.until(`[...document.images].every((one) => {
      one.loading = "eager"
      return one.complete && one.naturalWidth > 0
    }) && document.images.length >= 2`)
    expect([...asked.values()]).toEqual(Array.from(asked, () => 2))
    expect(asked.size).toBeGreaterThanOrEqual(2)
    expect(screen.complaints).toEqual([])
  })
})
