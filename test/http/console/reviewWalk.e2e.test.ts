/**
 * Somebody of the team decides an identity review and a video review in a real browser, with the case file, real photos and a
 * real video: by mouse and by keys, on a desk and on a telephone, in light and dark. Skipped, by name, where there is no
 * Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { askSettings } from "../../support/companies.ts"
import { facePhoto } from "../../support/photos.ts"
import { makeVideos } from "../../support/videos.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openBrowser, type Browser } from "../documents/browser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"
import { identityReview, videoReview } from "./reviewsGround.ts"

const isCi = process.env["CI"] === "true"
const patience = { timeout: 240_000 }
const desk = { width: 1280, height: 900 }
const good = "The document's photo is of the same person"

const picturesAreThere = (page: Phone) =>
  page.until(
    `[...document.images].every((one) => { one.loading = "eager"; return one.complete && one.naturalWidth > 0 })`
  )

describe.skipIf(chromium === undefined && !isCi)("the reviews of the console, in Chromium", patience, () => {
  let ground: ConsoleGround
  let browser: Browser
  let screen: Phone
  let phone: Phone
  let identity: Awaited<ReturnType<typeof identityReview>>
  let video: Awaited<ReturnType<typeof videoReview>>

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    ground = await startConsole({ credits: 20, settings: { identityProvider: { kind: "BUILT_IN" } } })
    const { indexAtEnd } = await makeVideos("indexAtEnd")
    const face = facePhoto()
    const ann = { firstName: "Ann", lastName: "Buyer", notes: "Ring twice.\nMind the dog." }
    identity = await identityReview(ground.service, ground.company, ann, { document: face, selfie: face })
    const bob = { firstName: "Bob", lastName: "\u05d3\u05d5\u05d3" }
    video = await videoReview(ground.service, ground.company, bob, { photo: face, video: indexAtEnd, kind: "MP4" })
    await ground.service.query(
      "update customers set language = 'pl' where id = (select customer_id from journeys where id = $1)",
      [identity.journeyId]
    )
    browser = await openBrowser(chromium)
    screen = await signedIn(desk)
    phone = await signedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await ground?.service.stop()
  })

  const signedIn = async (size?: typeof desk): Promise<Phone> => {
    const page = await phoneOf(await browser.newPage(), ground.service.baseUrl, "console", size)
    await page.command("Network.setCookie", {
      name: "journeys-console",
      value: ground.team.cookies.get("journeys-console"),
      url: ground.service.baseUrl,
      httpOnly: true
    })
    return page
  }

  /** The page in light and dark: nothing is wrong with it, it fits, and all it loads is ours. */
  const looksRight = async (page: Phone, name: string) => {
    for (const isDark of [false, true]) {
      await page.dark(isDark)
      await page.shoot(`${name}${isDark ? "-dark" : ""}`)
      expect(await accessibilityProblems(page), name).toEqual([])
    }
    await page.dark(false)
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true)
    expect(page.complaints, name).toEqual([])
    expect(page.requested.filter((one) => !one.startsWith(ground.service.baseUrl) && !one.startsWith("data:"))).toEqual(
      []
    )
  }

  const key = async (text: string) => {
    await screen.command("Input.dispatchKeyEvent", { type: "keyDown", key: text, text })
    await screen.command("Input.dispatchKeyEvent", { type: "keyUp", key: text })
  }
  const focused = () => screen.evaluate("document.activeElement?.id")

  it("shows the queue and is walked through by keys", async () => {
    await screen.open("/console/reviews")
    await looksRight(screen, "reviews")
    await phone.open("/console/reviews")
    await looksRight(phone, "reviews-phone")
    expect(await phone.fits()).toBe(true)
    await key("j")
    expect(await screen.evaluate("document.activeElement?.innerText")).toBe("Ann Buyer")
    await key("j")
    await key("k")
    expect(await screen.evaluate("document.activeElement?.innerText")).toBe("Ann Buyer")
    await screen.press("Ann Buyer")
    await screen.waitFor("Review: identity check")
  })

  it("shows document beside selfie, the case file and what the customer will read, and goes to the forms by keys", async () => {
    await picturesAreThere(screen)
    await looksRight(screen, "review-identity")
    await phone.open(`/console/reviews/${identity.reviewId}`)
    await picturesAreThere(phone)
    await looksRight(phone, "review-identity-phone")
    expect(await phone.fits()).toBe(true)
    await key("?")
    expect(await screen.evaluate("document.getElementById('keys').open")).toBe(true)
    await key("r")
    expect(await focused()).toBe("reason-reject")
    // A letter that is typed is a letter.
    await key("j")
    expect(await screen.evaluate("document.activeElement.value")).toBe("j")
    await screen.evaluate("document.activeElement.blur()")
    await key("a")
    expect(await focused()).toBe("reason-approve")
    await screen.command("Input.insertText", { text: good })
    const sending = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, modifiers: 2 }
    await screen.command("Input.dispatchKeyEvent", { type: "rawKeyDown", ...sending })
    await screen.command("Input.dispatchKeyEvent", { type: "keyUp", ...sending })
    await screen.waitFor("Approved. This is the next review.")
  })

  it("takes no letter for a key once that is turned off, also on the next page", async () => {
    const turn = () => screen.evaluate("document.getElementById('keys-used').click()")
    await turn()
    await screen.open("/console/reviews")
    await key("j")
    expect(await screen.evaluate("document.activeElement === document.body")).toBe(true)
    await turn()
    await key("j")
    expect(await screen.evaluate("document.activeElement?.matches('a[data-row]')")).toBe(true)
    await screen.press("Bob")
    await screen.waitFor("Review: handover video")
  })

  it("shows the reference beside the frames, plays the video, and decides it", async () => {
    await picturesAreThere(screen)
    expect(await screen.evaluate("document.querySelectorAll('.case-frames img').length")).toBe(8)
    await screen.until("document.querySelector('video').readyState >= 1")
    expect(await screen.evaluate("document.querySelector('video').duration")).toBeCloseTo(2, 0)
    await screen.evaluate("document.querySelector('video').currentTime = 1.5")
    await screen.until("!document.querySelector('video').seeking && document.querySelector('video').readyState >= 2")
    await looksRight(screen, "review-video")
    await phone.open(`/console/reviews/${video.reviewId}`)
    await picturesAreThere(phone)
    await looksRight(phone, "review-video-phone")
    expect(await phone.fits()).toBe(true)
    await key("a")
    await screen.command("Input.insertText", { text: "The same person in every frame" })
    await screen.press("Approve the video")
    await screen.waitFor("Approved. Nothing else waited.")
    const { data } = await askSettings(
      ground.service,
      `/companies/${ground.company.id}/journeys/${video.journeyId}/case`
    )
    expect(data.journey.status).toBe("COMPLETED")
    await screen.open(`/console/reviews/${video.reviewId}`)
    await screen.waitFor("by team@people.example")
    await looksRight(screen, "review-over")
    await phone.open(`/console/reviews/${video.reviewId}`)
    await looksRight(phone, "review-over-phone")
  })

  it("asks why somebody opens a case file, and then shows it with what is kept", async () => {
    await screen.open(`/console/journeys/${video.journeyId}/case`)
    await looksRight(screen, "case-gate")
    await screen.evaluate("document.querySelector('input[value=support]').click()")
    await screen.press("Open the case file")
    await screen.waitFor("Photos and video")
    await picturesAreThere(screen)
    await looksRight(screen, "case")
    await phone.open(`/console/journeys/${video.journeyId}/case?reason=support`)
    await picturesAreThere(phone)
    await looksRight(phone, "case-phone")
    expect(await phone.fits()).toBe(true)
  })
})
