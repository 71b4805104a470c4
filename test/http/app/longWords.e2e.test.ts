/**
 * Long names and long words on the narrowest screens that WCAG 1.4.10 knows (320 pixels), with text of twice the size: nothing is cut, and
 * nothing scrolls sideways. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { ask, start, startBody } from "../../support/companies.ts"
import { chromium } from "../documents/browser.ts"
import { newLink } from "./CustomerBrowser.ts"
import { startPages, type PagesGround } from "./pagesGround.ts"
import { openPhone, textTimes, type Phone } from "./phone.ts"

const isCi = process.env["CI"] === "true"

/** What is wider than its place. A picture, and what only hears people, may be. */
const tooWide = `(() => {
  const room = document.documentElement.clientWidth
  return [...document.querySelectorAll("body, body *")]
    .filter((one) => one.checkVisibility() && one.closest(".unseen, .skip") === null)
    .filter((one) => one.getBoundingClientRect().right > room + 1
      || (getComputedStyle(one).display !== "inline" && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1))
    .map((one) => one.tagName + ": " + one.innerText.slice(0, 60))
})()`

describe.skipIf(chromium === undefined && !isCi)("long words, in Chromium", { timeout: 180_000 }, () => {
  let ground: PagesGround
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    ground = await startPages(
      {},
      "Kraftfahrzeughandelsgesellschaftsvertretung Rechtsschutzversicherungsgesellschaften & Söhne"
    )
    phone = await openPhone(chromium, ground.service.baseUrl)
    await phone.command("Emulation.setDeviceMetricsOverride", {
      width: 320,
      height: 640,
      deviceScaleFactor: 1,
      mobile: true
    })
  })
  afterAll(async () => {
    await phone?.close()
    await ground?.service.stop()
  })

  const fits = async (name: string) => {
    await phone.evaluate(textTimes(2))
    await phone.shoot(`long-${name}`)
    expect(await phone.evaluate(tooWide), name).toEqual([])
  }

  it.each(["pl", "cy"] as const)("fit in %s, from the photos that are refused to the receipt", async (code) => {
    const { address, ending, identity, journey, link } = wordsOf(code)
    await phone.command("Network.clearBrowserCookies")
    await phone.command("Network.setExtraHTTPHeaders", { headers: { "Accept-Language": languages[code].locale } })
    const body = startBody("CASH_SALE")
    body.delivery.type = "HOME_DELIVERY"
    body.customer.email = "ann+never@example.com"
    body.customer.firstName = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesse"
    body.vehicle.make = "Zugmaschinensattelaufliegerkombinationsfahrzeug"
    body.vehicle.model = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"
    body.vehicle.registration = "WOLFE 12345"
    const { data } = await start(ground.service, ground.company.testKey, body)
    const simulate = (event: string) =>
      ask(ground.service, ground.company.testKey, `/api/v1/journeys/${data.id}/simulate`, { body: { event } })

    await phone.open(await newLink(ground.service, data.id, "VERIFY_IDENTITY"))
    await phone.press(link.button)
    await phone.waitFor(journey.yourSteps)
    await fits(`${code}-journey`)
    await phone.open("/app/identity")
    await phone.press(wordsOf(code).consent.identity.agree)
    await phone.waitFor(identity.intro)
    await phone.choose("#documentPhoto", fileURLToPath(new URL("../../fixtures/photos/wall.png", import.meta.url)))
    await phone.choose("#selfie", fileURLToPath(new URL("../../fixtures/photos/wall.png", import.meta.url)))
    await phone.waitFor(identity.script.bothReady)
    await phone.press(identity.check)
    await phone.waitFor(identity.problems.NO_FACE)
    await fits(`${code}-photos`)
    await simulate("identity.verified")
    await phone.open("/app/address")
    await phone.press(address.deliverToThis)
    await phone.waitFor(address.lookAgain({ count: 4 }))
    await fits(`${code}-address`)
    await simulate("delivery.completed")
    await phone.open("/app/journey")
    await phone.waitFor(ending.receipt)
    await fits(`${code}-complete`)
  })
})
