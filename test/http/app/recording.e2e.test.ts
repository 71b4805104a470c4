/**
 * What goes wrong while a customer records the handover video or sends a file: the camera goes away, is refused or shows nothing, the page is left,
 * a file cannot be read, nobody answers. The customer reads what happened, and has a way on. Skipped, by name, where there is no
 * Chromium; in CI that is a failure.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { newLink } from "./CustomerBrowser.ts"
import { signedIn, startFinanceSale, type PagesGround } from "./pagesGround.ts"
import { timersFaster, type Phone } from "./phone.ts"
import { describeInChromium, onPhone } from "./phoneGround.ts"

const { video } = wordsOf("en")
const { buttons, script } = video

const cameras = (then: string) => `(() => {
  const { mediaDevices } = navigator
  const real = mediaDevices.getUserMedia.bind(mediaDevices)
  ${then}
})()`

/** As when it is unplugged, or another application takes it. */
const takeCamera = `(() => {
  const [track] = document.getElementById("preview").srcObject.getTracks()
  track.stop()
  track.dispatchEvent(new Event("ended"))
})()`

describeInChromium("a video that meets trouble, in Chromium", { timeout: 180_000 }, () => {
  let ground: PagesGround
  let phone: Phone
  let folder: string | undefined
  let file: string

  onPhone((here) => ({ ground, phone } = here))
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "journeys-recording-"))
    file = join(folder, "handover.mp4")
    const journeyId = await startFinanceSale(ground, "IN_STORE")
    await (await signedIn(ground, journeyId, "RECORD_VIDEO")).agree("video")
    await phone.open(await newLink(ground.service, journeyId, "RECORD_VIDEO"))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
  })
  beforeEach(async () => {
    await writeFile(file, "no video ".repeat(100))
    await phone.open("/app/video")
    await phone.until(`document.getElementById("recorder")?.hidden === false`)
  })
  afterEach(async () => {
    await phone.command("Fetch.disable")
    // Nothing is asked by the next test about a recording of this one.
    phone.dialogs.isAgreed = true
  })
  afterAll(() => folder === undefined || rm(folder, { recursive: true }))

  const says = (words: string) =>
    phone.until(`document.getElementById("status").innerText === ${JSON.stringify(words)}`)
  const isShown = (id: string) => phone.evaluate(`document.getElementById("${id}").checkVisibility()`)
  const cameraOn = async () => {
    await phone.press(buttons.camera)
    await says(script.cameraOn)
  }
  const record = async () => {
    await cameraOn()
    await phone.press(buttons.record)
    await phone.waitFor("Recording: 1 of")
  }
  const isKept = async () => {
    await says(script.interrupted)
    expect([await isShown("send"), await isShown("again")]).toEqual([true, true])
  }
  const sendFile = async () => {
    await phone.choose("#video", file)
    await phone.press(video.sendChosen)
  }

  it("says that the camera was taken away before the recording, and uses it again", async () => {
    await cameraOn()
    await phone.evaluate(takeCamera)
    await says(script.noCamera)
    expect([await isShown("record"), await isShown("plain")]).toEqual([false, true])
    await cameraOn()
  })

  it("keeps what was recorded when the camera was taken away, or the page was left", async () => {
    await record()
    await phone.evaluate(takeCamera)
    await isKept()
    await phone.press(buttons.again)
    await says(script.cameraOn)
    await phone.press(buttons.record)
    await phone.waitFor("Recording: 1 of")
    await phone.evaluate(`Object.defineProperty(document, "hidden", { value: true })`)
    await phone.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`)
    await isKept()
    await phone.shoot("video-interrupted")
    expect(await phone.fits()).toBe(true)
  })

  it("uses one camera when its button is pressed twice", async () => {
    await phone.evaluate(
      cameras(`window.streams = []
      mediaDevices.getUserMedia = async (wanted) => {
        const stream = await real(wanted)
        streams.push(stream)
        return stream
      }
      const button = document.getElementById("camera")
      button.click()
      button.click()`)
    )
    await says(script.cameraOn)
    await phone.until("streams.length === 2")
    const live = `streams.flatMap((one) => one.getTracks()).filter(({ readyState }) => readyState === "live").length`
    expect(await phone.evaluate(live)).toBe(1)
  })

  it("can use a camera that was refused at first", async () => {
    await phone.evaluate(
      cameras(`mediaDevices.getUserMedia = () => {
        mediaDevices.getUserMedia = real
        return Promise.reject(new DOMException("", "NotAllowedError"))
      }`)
    )
    await phone.press(buttons.camera)
    await says(script.notAllowed)
    expect(await isShown("plain")).toBe(true)
    await cameraOn()
  })

  it("can be recorded where the browser does not play the picture", async () => {
    await phone.evaluate(timersFaster(20))
    await phone.evaluate(`HTMLMediaElement.prototype.play = () => new Promise(() => {}), true`)
    await cameraOn()
    expect(await isShown("record")).toBe(true)
  })

  it("that the browser cannot read any more is refused, and no line is blamed", async () => {
    await phone.choose("#video", file)
    await phone.evaluate(
      `Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError")), true`
    )
    await phone.press(video.sendChosen)
    await phone.waitFor(script.notUsed)
    expect([await isShown("resume"), await isShown("camera"), await isShown("plain")]).toEqual([false, true, true])
  })

  it("that nobody answers to says so within a minute, goes on when the customer says so, and is sent once", async () => {
    await phone.evaluate(timersFaster(20))
    await phone.command("Fetch.enable", { patterns: [{ urlPattern: "*/video-uploads" }] })
    await sendFile()
    await says(script.slow)
    await says(script.broken)
    // Whoever will not wait for this line has another video, or another file.
    expect([await isShown("resume"), await isShown("camera"), await isShown("plain")]).toEqual([true, true, true])
    await phone.command("Fetch.disable")
    await phone.evaluate(timersFaster(1))
    await phone.press(buttons.resume)
    await phone.waitFor(video.problems.unsupported)
    const begun = () => phone.requested.filter((url) => url.endsWith("/video-uploads")).length
    const before = begun()
    await phone.evaluate(`dispatchEvent(new Event("online"))`)
    await cameraOn()
    expect(begun()).toBe(before)
  })

  it("is a file where the browser cannot record", async () => {
    const { identifier } = (await phone.command("Page.addScriptToEvaluateOnNewDocument", {
      source: "delete globalThis.MediaRecorder"
    })) as { readonly identifier: string }
    await phone.open("/app/video")
    await phone.until(`document.getElementById("recorder")?.hidden === false`)
    expect([await isShown("camera"), await isShown("plain")]).toEqual([false, true])
    await sendFile()
    await phone.waitFor(video.problems.unsupported)
    expect([await isShown("camera"), await isShown("plain")]).toEqual([false, true])
    await phone.command("Page.removeScriptToEvaluateOnNewDocument", { identifier })
  })
})
