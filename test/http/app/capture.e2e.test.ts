/**
 * The identity check as a customer with a telephone meets it, in a real browser with a made-up camera: taken with the camera, from
 * files without a script, over a line that breaks, and with photos that are of no use. Skipped, by name, where there is no
 * Chromium; in CI that is a failure.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { documentPhoto, facePhoto } from "../../support/photos.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium } from "../documents/browser.ts"
import { filmOfScenes } from "./camera.ts"
import { newLink } from "./CustomerBrowser.ts"
import { openPhone, textTimes, type Phone } from "./phone.ts"

const fileOf = (name: string) => fileURLToPath(new URL(`../../fixtures/photos/${name}`, import.meta.url))

const isCi = process.env["CI"] === "true"
const patience = { timeout: 180_000 }

/** The camera shows the card, then the face: presses the button while the wanted one is in its picture. */
const shotOf = (wanted: "CARD" | "FACE") => `(() => {
  const video = document.getElementById("viewfinder")
  const button = document.getElementById("shoot")
  if (button.hidden || video.videoWidth === 0) return false
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = 1
  const context = canvas.getContext("2d")
  const [w, h] = [video.videoWidth, video.videoHeight]
  context.drawImage(video, w * 0.45, h * 0.45, w * 0.1, h * 0.1, 0, 0, 1, 1)
  const [red, , blue] = context.getImageData(0, 0, 1, 1).data
  if ((blue >= red - 4) !== ${String(wanted === "CARD")}) return false
  button.click()
  return true
})()`

describe.skipIf(chromium === undefined && !isCi)("the identity check with a camera, in Chromium", patience, () => {
  let service: Service
  let company: TestCompany
  let phone: Phone
  let folder: string | undefined

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    service = await startService()
    company = await makeCompany(service, {
      name: "Harbour Cars",
      credits: 100,
      settings: { identityProvider: { kind: "BUILT_IN" } }
    })
    folder = await mkdtemp(join(tmpdir(), "journeys-capture-"))
    const film = join(folder, "both.y4m")
    const scenes = [
      { photo: documentPhoto(), fills: 0.5, frames: 12 },
      { photo: facePhoto(), fills: 0.45, frames: 12 }
    ]
    await writeFile(film, filmOfScenes(scenes, { width: 960, height: 720, framesPerSecond: 2 }))
    phone = await openPhone(chromium, service.baseUrl, film)
  }, 180_000)
  afterAll(async () => {
    await phone?.close()
    await service?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  const startOf = async () => (await start(service, company.liveKey, startBody("CASH_SALE"))).data.id as string

  const atIdentityPage = async () => {
    const journeyId = await startOf()
    await phone.open(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await phone.open("/app/identity")
    await phone.waitFor("How long it is kept")
    await phone.press("I agree")
    await phone.waitFor("Photo of your face")
    return journeyId
  }

  const shootBoth = async (name: string) => {
    await phone.shoot(name)
    await phone.dark(true)
    await phone.shoot(`${name}-dark`)
    await phone.dark(false)
    expect(await phone.fits(), name).toBe(true)
  }

  const openCamera = async (name: "documentPhoto" | "selfie") => {
    const button = `document.querySelector('[data-name="${name}"] .open-camera')`
    await phone.until(`!${button}.hidden`) // The script shows the button when the button works.
    await phone.evaluate(`${button}.click()`)
    await phone.until(
      `document.getElementById("viewfinder").videoWidth > 0 && !document.getElementById("shoot").hidden`
    )
  }

  const key = async (name: "Enter" | "Escape", text = "") => {
    const code = { Enter: 13, Escape: 27 }[name]
    const pressed = { key: name, code: name, windowsVirtualKeyCode: code, ...(text === "" ? {} : { text }) }
    await phone.command("Input.dispatchKeyEvent", { type: "keyDown", ...pressed })
    await phone.command("Input.dispatchKeyEvent", { type: "keyUp", ...pressed })
  }

  const statusOf = async (journeyId: string) =>
    (await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}`)).data.delivery.status as string

  /** A machine that is busy with other tests may be too slow to look: the photos are kept, and the customer asks again. */
  const checked = async (words: string) => {
    const busy = "The check cannot be done just now"
    for (let tries = 0; tries < 5; tries++) {
      await phone.evaluate("document.body.dataset.isOld = true")
      await phone.press("Check my photos")
      await phone.until(`document.readyState === "complete" && document.body?.dataset.isOld === undefined`)
      if ((await phone.evaluate(`document.body.innerText.includes("${busy}")`)) !== true) break
    }
    await phone.waitFor(words)
  }

  it("takes both photos with the camera, with hints, and a photo leaves the page only when it is used", async () => {
    const journeyId = await atIdentityPage()
    await shootBoth("capture-start")
    await openCamera("documentPhoto")
    await phone.until(`document.getElementById("stage").dataset.hint !== undefined`)
    await shootBoth("capture-card")
    await phone.until(shotOf("CARD"))
    await phone.waitFor("It has not been sent yet")
    await shootBoth("capture-card-taken")
    expect(phone.requested.filter((url) => url.includes("document-uploads"))).toEqual([])
    await phone.press("Take it again")
    await phone.until(shotOf("CARD"))
    await phone.waitFor("It has not been sent yet")
    await phone.press("Use this photo")
    await phone.waitFor("This photo is ready")
    await openCamera("selfie")
    await phone.until(`document.getElementById("stage").dataset.hint !== undefined`)
    await phone.shoot("capture-oval")
    await phone.until(`document.getElementById("stage").dataset.hint === "GOOD"`)
    await phone.shoot("capture-oval-good")
    await phone.until(shotOf("FACE"))
    await phone.waitFor("It has not been sent yet")
    await phone.shoot("capture-oval-taken")
    await phone.press("Use this photo")
    await phone.waitFor("Both photos are ready")
    await shootBoth("capture-ready")
    await checked("Thank you, that is you")
    expect(await statusOf(journeyId)).not.toBe("AWAITING_IDENTITY")
  })

  it("goes on after the line has broken and the page was loaded anew, and sends no part twice", async () => {
    const journeyId = await atIdentityPage()
    const blocked = (urls: ReadonlyArray<string>) => phone.command("Network.setBlockedURLs", { urls })
    await blocked(["*/document-uploads/*/chunks/1"])
    await phone.choose("#documentPhoto", fileOf("document.jpg"))
    await phone.waitFor("The connection is slow")
    await phone.shoot("capture-slow")
    await blocked([])
    const before = phone.requested.length
    await phone.open("/app/identity")
    await phone.waitFor("This photo is ready")
    const sent = phone.requested.slice(before).filter((url) => /document-uploads\/.*chunks/.test(url))
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter((url) => url.endsWith("/chunks/0"))).toEqual([])
    await phone.choose("#selfie", fileOf("face.jpg"))
    await phone.waitFor("Both photos are ready")
    await checked("Thank you, that is you")
    expect(await statusOf(journeyId)).not.toBe("AWAITING_IDENTITY")
  })

  it("says of a photo without a face what is wrong, for free, and asks for that photo alone; one photo twice is refused", async () => {
    await atIdentityPage()
    await phone.choose("#documentPhoto", fileOf("wall.png"))
    await phone.choose("#selfie", fileOf("face.jpg"))
    await phone.waitFor("Both photos are ready")
    await checked("Please take one photo again")
    await phone.waitFor("shows no face that we can see clearly")
    await phone.waitFor("You have 5 of 5 tries left today")
    await shootBoth("capture-no-face")
    await phone.choose("#documentPhoto", fileOf("face-grey.jpg"))
    await phone.waitFor("Both photos are ready")
    await checked("Both photos are the same")
    await phone.waitFor("You have 4 of 5 tries left today")
    await shootBoth("capture-same")
  })

  it("says beside the first photo, with the focus there, that the photo is to be taken before the check", async () => {
    await atIdentityPage()
    await phone.waitFor("Use the camera")
    await phone.press("Check my photos")
    await phone.waitFor("Please take this photo first")
    await phone.until(`(() => {
      const tools = document.querySelector('[data-name="documentPhoto"] .photo-tools')
      const { bottom, top } = tools.querySelector(".photo-status").getBoundingClientRect()
      return bottom > top && top >= 0 && bottom <= innerHeight && tools.contains(document.activeElement)
    })()`)
  })

  it("takes photos while the face detector has not come, and by keyboard; the dialog has nothing that axe finds", async () => {
    await atIdentityPage()
    const before = phone.requested.length
    await phone.command("Network.setBlockedURLs", { urls: ["*/app/assets/faces.*"] })
    await openCamera("selfie")
    await phone.until(`["READY", "BLURRED"].includes(document.getElementById("stage").dataset.hint)`)
    expect(await accessibilityProblems(phone)).toEqual([])
    await phone.until(`document.activeElement.id === "shoot"`)
    await key("Enter", "\r")
    await phone.waitFor("It has not been sent yet")
    await phone.until(`document.activeElement.id === "use"`)
    await key("Escape")
    await phone.until(`!document.getElementById("capture").open`)
    await phone.until(`document.activeElement.classList.contains("open-camera")`)
    expect(await phone.evaluate(`document.getElementById("viewfinder").srcObject`)).toBeNull()
    expect(phone.requested.slice(before).filter((url) => url.includes("selfie-uploads"))).toEqual([])
    await phone.command("Network.setBlockedURLs", { urls: [] })
  })

  it("shows the picture, its hint and the way out with text of twice the size, and on a telephone that lies on its side", async () => {
    await atIdentityPage()
    await openCamera("selfie")
    expect(await phone.fits()).toBe(true)
    const { identity } = wordsOf("ro")
    const longest = Object.values(identity.hints.oval).toSorted((one, other) => other.length - one.length)[0]
    /** The frame's part of the screen's height; null where something covers the hint, the frame is cut, or the way out is not on the screen. */
    const frameWith = (times: number) =>
      phone.evaluate(`(() => {
        ${textTimes(times)}
        const of = (id) => document.getElementById(id).getBoundingClientRect()
        document.getElementById("capture-hint").textContent = ${JSON.stringify(longest)}
        const range = document.createRange()
        range.selectNodeContents(document.getElementById("capture-hint"))
        const [hint, close] = [range.getBoundingClientRect(), of("close-capture")]
        document.getElementById("capture").scrollTop = 0
        const isWhole = of("frame").top >= of("stage").top && of("frame").bottom <= of("stage").bottom
        return isWhole && hint.bottom <= of("shoot").top && close.top >= 0 && close.bottom <= innerHeight ? of("frame").height / innerHeight : null
      })()`)
    const turn = (width: number, height: number) =>
      phone.command("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: true })
    await turn(320, 640)
    expect(await frameWith(2)).toBeGreaterThan(0.25)
    await turn(844, 390)
    expect(await frameWith(1)).toBeGreaterThan(0.6)
    await phone.shoot("capture-on-its-side")
    await turn(390, 844)
    await phone.evaluate(textTimes(1))
  })

  it("closes the camera, and not the page, when the customer goes back", async () => {
    await atIdentityPage()
    const before = await phone.evaluate("history.length")
    await openCamera("selfie")
    await phone.evaluate("history.back()")
    await phone.until(`!document.getElementById("capture").open`)
    expect(await phone.evaluate("location.pathname")).toBe("/app/identity")
    expect(await phone.evaluate(`document.getElementById("viewfinder").srcObject`)).toBeNull()
    // Closed by its own button, it leaves nothing in the way back.
    await openCamera("selfie")
    await phone.evaluate(`document.querySelector("[aria-label='Close the camera']").click()`)
    await phone.until(`!document.getElementById("capture").open && history.state === null`)
    expect(Number(await phone.evaluate("history.length")) - Number(before)).toBe(1)
    await openCamera("documentPhoto")
    await key("Escape")
    await phone.until(`!document.getElementById("capture").open && history.state === null`)
  })

  it("says in plain words that the camera may not be used, and goes on with files", async () => {
    await atIdentityPage()
    await phone.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"))`
    )
    await phone.press("Use the camera")
    await phone.waitFor("The camera may not be used")
    expect(await phone.evaluate(`document.getElementById("capture").open`)).toBe(false)
    await shootBoth("capture-refused")
  })

  it("takes both photos as files without a script", async () => {
    const journeyId = await atIdentityPage()
    await phone.command("Emulation.setScriptExecutionDisabled", { value: true })
    await phone.open("/app/identity")
    await phone.choose("#documentPhoto", fileOf("document.jpg"))
    await phone.choose("#selfie", fileOf("face.jpg"))
    await phone.shoot("capture-no-script")
    await checked("Thank you, that is you")
    await phone.command("Emulation.setScriptExecutionDisabled", { value: false })
    expect(await statusOf(journeyId)).not.toBe("AWAITING_IDENTITY")
  })

  it("has asked no other host for anything, and met no error or refusal of its policy", () => {
    const outside = phone.requested.filter(
      (url) => !/^(?:data|blob|about):/.test(url) && new URL(url).origin !== new URL(service.baseUrl).origin
    )
    expect(outside).toEqual([])
    expect(phone.complaints).toEqual([])
  })
})
