/**
 * How photos of the identity check arrive from a telephone: the photo that was chosen last, once, also over a line that is slow or that nobody
 * answers on. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { newLink } from "./CustomerBrowser.ts"
import { startCashSale, type PagesGround } from "./pagesGround.ts"
import { onLine, timersFaster, type Phone } from "./phone.ts"
import { describeInChromium, onPhone } from "./phoneGround.ts"

const photo = (name: string) => fileURLToPath(new URL(`../../fixtures/photos/${name}`, import.meta.url))
const { identity } = wordsOf("en")
const { script } = identity

describeInChromium("photos on their way, in Chromium", { timeout: 180_000 }, () => {
  let ground: PagesGround
  let phone: Phone

  onPhone((here) => ({ ground, phone } = here))
  beforeEach(async () => {
    const journeyId = await startCashSale(ground)
    await phone.command("Network.clearBrowserCookies")
    await phone.open(await newLink(ground.service, journeyId, "VERIFY_IDENTITY"))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await phone.open("/app/identity")
    await phone.press("I agree")
    await phone.until(`document.querySelector('[data-name="selfie"] .photo-tools')?.hidden === false`)
  })
  afterEach(async () => {
    await phone.command("Fetch.disable")
    await phone.command("Network.emulateNetworkConditions", onLine())
  })

  const card = `document.querySelector('[data-name="documentPhoto"]')`
  const says = (words: string) =>
    phone.until(`${card}.querySelector(".photo-status").innerText === ${JSON.stringify(words)}`)
  /** Nobody answers these requests until the end of the test, or `Fetch.disable`. */
  const unanswered = (urlPattern: string) => phone.command("Fetch.enable", { patterns: [{ urlPattern }] })
  const blocked = (urls: ReadonlyArray<string>) => phone.command("Network.setBlockedURLs", { urls })
  const completed = () => phone.requested.filter((url) => /document-uploads\/.*\/complete$/.test(url)).length
  const asked = (ending: string) => phone.requested.filter((url) => url.endsWith(ending)).length

  it("are those that the customer chose last: a photo that is chosen while another one is sent takes its place", async () => {
    await unanswered("*/document-uploads/*/chunks/*")
    await phone.choose("#documentPhoto", photo("wall.png"))
    await phone.until(`${card}.querySelector("img").naturalWidth > 0`)
    const before = asked("/chunks/0")
    await phone.choose("#documentPhoto", photo("document.jpg"))
    // The first request for the second photo: nothing of the first photo is on its way any more.
    while (asked("/chunks/0") === before) await phone.evaluate("new Promise(requestAnimationFrame)")
    await phone.command("Fetch.disable")
    await says(script.ready)
    await phone.choose("#selfie", photo("face.jpg"))
    await phone.waitFor(script.bothReady)
    await phone.press(identity.check)
    await phone.waitFor("Thank you, that is you")
  })

  it("are sent once, when the customer goes on and the connection comes back at the same moment, and not again later", async () => {
    const comesBack = `dispatchEvent(new Event("online"))`
    const resume = `${card}.querySelector(".resume").click()`
    for (const goesOn of [`${resume}, ${comesBack}`, `${comesBack}, ${resume}`, resume]) {
      await phone.evaluate(timersFaster(20))
      await blocked(["*/document-uploads"])
      await phone.choose("#documentPhoto", photo("document.jpg"))
      await says(script.broken)
      await blocked([])
      await phone.evaluate(timersFaster(1))
      const before = completed()
      await phone.evaluate(goesOn)
      await says(script.ready)
      await phone.evaluate(comesBack)
      await phone.choose("#selfie", photo("face.jpg"))
      await phone.until(
        `document.querySelector('[data-name="selfie"] .photo-status').innerText === ${JSON.stringify(script.ready)}`
      )
      await phone.evaluate(`document.querySelector('[data-name="selfie"] .photo-status').textContent = ""`)
      expect(completed()).toBe(before + 1)
    }
  })

  it("that nobody answers say so within a minute, and go on when the customer says so", async () => {
    await phone.evaluate(timersFaster(20))
    await unanswered("*/document-uploads")
    const before = asked("/document-uploads")
    await phone.choose("#documentPhoto", photo("document.jpg"))
    await says(script.slow)
    await says(script.broken)
    expect(asked("/document-uploads") - before).toBe(2)
    await phone.command("Fetch.disable")
    await phone.evaluate(timersFaster(1))
    await phone.press(identity.camera.resume)
    await says(script.ready)
  })

  it("arrive on a line that is slow and not dead", async () => {
    await phone.command("Network.emulateNetworkConditions", onLine({ uploadThroughput: 8_000 }))
    // A part of the photo takes eight seconds, and would be given up after less than seven in which nothing moves.
    await phone.evaluate(timersFaster(5))
    await phone.choose("#documentPhoto", photo("document.jpg"))
    await says(script.ready)
  })

  it("that the browser cannot read are refused, and no line is blamed", async () => {
    await phone.evaluate(
      `Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError")), true`
    )
    await phone.choose("#documentPhoto", photo("document.jpg"))
    await phone.waitFor(script.unusable)
    expect(await phone.evaluate(`${card}.querySelector(".resume").hidden`)).toBe(true)
  })
})
