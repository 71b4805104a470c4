/**
 * A video that is in the page alone is not lost without a question, whatever leaves the page. Skipped, by name, where there is no
 * Chromium; in CI that is a failure.
 */
import { beforeAll, expect, it } from "vitest"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { newLink } from "./CustomerBrowser.ts"
import { signedIn, startFinanceSale, type PagesGround } from "./pagesGround.ts"
import type { Phone } from "./phone.ts"
import { describeInChromium, onPhone } from "./phoneGround.ts"

const { script } = wordsOf("en").video

describeInChromium("a video that was not sent, in Chromium", { timeout: 120_000 }, () => {
  let ground: PagesGround
  let phone: Phone

  onPhone((here) => ({ ground, phone } = here))
  beforeAll(async () => {
    const journeyId = await startFinanceSale(ground, "IN_STORE")
    await (await signedIn(ground, journeyId, "RECORD_VIDEO")).agree("video")
    await phone.open(await newLink(ground.service, journeyId, "RECORD_VIDEO"))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
  })

  const { leave } = script

  /** A browser asks nothing on a page that nobody has touched. */
  const touch = () => phone.command("Runtime.evaluate", { expression: "0", userGesture: true })

  /** What was asked since, which is then forgotten. */
  const asked = () => phone.dialogs.shown.splice(0)

  const record = async () => {
    await phone.press("Use the camera")
    await phone.press("Start recording")
    await phone.waitFor("Recording: 1 of")
    await phone.press("Stop")
    await phone.waitFor(script.watch)
    await touch()
  }

  it("is there after a question about a language, a link and a reload was answered with no", async () => {
    await phone.open("/app/video")
    await record()
    phone.dialogs.isAgreed = false
    await phone.press("Polski")
    expect(asked()).toEqual([{ type: "confirm", message: leave }])
    await phone.press("Back to your purchase")
    expect(asked()).toEqual([{ type: "confirm", message: leave }])
    await phone.press("Sign out")
    expect(asked()).toEqual([{ type: "confirm", message: leave }])
    await phone.command("Page.reload")
    await phone.until(`document.readyState === "complete"`)
    expect(asked().map(({ type }) => type)).toEqual(["beforeunload"])
    await phone.waitFor(script.watch)
    expect(await phone.evaluate("document.getElementById('send').checkVisibility()")).toBe(true)
    await phone.shoot("video-not-sent")
  })

  it("is asked about once, where the answer is yes", async () => {
    phone.dialogs.isAgreed = true
    await phone.press("Polski")
    await phone.waitFor(wordsOf("pl").video.buttons.camera)
    expect(asked()).toEqual([{ type: "confirm", message: leave }])
    await phone.press("English")
    await phone.waitFor("Use the camera")
    await touch()
    // Nothing is recorded or chosen: nothing is asked.
    await phone.press("Cymraeg")
    await phone.waitFor(wordsOf("cy").video.buttons.camera)
    await phone.press("English")
    await phone.waitFor("Use the camera")
    expect(asked()).toEqual([])
  })

  it("is asked about where it is recorded still, and where it was filmed for the field", async () => {
    phone.dialogs.isAgreed = false
    await phone.press("Use the camera")
    await phone.press("Start recording")
    await phone.waitFor("Recording: 1 of")
    await phone.press("Polski")
    expect(asked()).toEqual([{ type: "confirm", message: leave }])
    await phone.press("Stop")
    await phone.press("Record again")
    // The customer has let the recording go.
    await phone.press("Polski")
    await phone.waitFor(wordsOf("pl").video.buttons.camera)
    expect(asked()).toEqual([])
    await phone.press("English")
    await phone.waitFor("Use the camera")
    await phone.photograph("#video")
    await phone.press("Polski")
    expect(asked()).toEqual([{ type: "confirm", message: leave }])
  })
})
