/**
 * A browser that never answers when the page asks for a photo's bytes: the customer sees that the photo was taken up, and the photo
 * arrives. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { start, startBody } from "../../support/companies.ts"
import { newLink } from "./CustomerBrowser.ts"
import type { PagesGround } from "./pagesGround.ts"
import type { Phone } from "./phone.ts"
import { describeInChromium, onPhone } from "./phoneGround.ts"

/** The first photo that is read is never read to its end. */
const neverRead = `(() => {
  const real = Blob.prototype.arrayBuffer
  Blob.prototype.arrayBuffer = function () {
    Blob.prototype.arrayBuffer = real
    return new Promise(() => {})
  }
})()`

describeInChromium("a photo that the browser does not read", { timeout: 180_000 }, () => {
  let ground: PagesGround
  let phone: Phone

  onPhone((here) => ({ ground, phone } = here))

  it("shows at once that it is taken up, and arrives all the same", async () => {
    const { consent, identity, journey, link } = wordsOf("en")
    const body = startBody("CASH_SALE")
    body.customer.email = "ann+never@example.com"
    const { data } = await start(ground.service, ground.company.testKey, body)
    await phone.open(await newLink(ground.service, data.id, "VERIFY_IDENTITY"))
    await phone.press(link.button)
    await phone.waitFor(journey.yourSteps)
    await phone.open("/app/identity")
    await phone.press(consent.identity.agree)
    await phone.waitFor(identity.intro)
    const card = `document.querySelector('[data-name="selfie"]')`
    await phone.until(`!${card}.querySelector(".photo-tools").hidden`)
    await phone.evaluate(neverRead)
    await phone.choose("#selfie", fileURLToPath(new URL("../../fixtures/photos/wall.png", import.meta.url)))
    const seen = await phone.evaluate(
      `[${card}.querySelector(".photo-status").textContent, ${card}.querySelector("progress").hidden]`
    )
    expect(seen).toEqual([identity.script.sending({ percent: "0" }), false])
    await phone.until(`${card}.querySelector(".photo-status").textContent === ${JSON.stringify(identity.script.ready)}`)
  })
})
