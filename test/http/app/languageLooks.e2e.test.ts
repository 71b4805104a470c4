/**
 * The customer's app in each language in a real browser, at the size of a telephone, with screenshots; and a language that is
 * written from the right, which exists in this test only. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { readdirSync, readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languageCodes, languages } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { pageResponse } from "../../../src/http/app/frame/page.ts"
import { chromium } from "../documents/browser.ts"
import { newLink } from "./CustomerBrowser.ts"
import { startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"
import { openPhone, type Phone } from "./phone.ts"

const isCi = process.env["CI"] === "true"

const patience = { timeout: 180_000 }

describe.skipIf(chromium === undefined && !isCi)("the customer's app in Chromium", patience, () => {
  let ground: PagesGround
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    ground = await startPages()
    phone = await openPhone(chromium, ground.service.baseUrl)
  })
  afterAll(async () => {
    await phone?.close()
    await ground?.service.stop()
  })

  const shootBoth = async (name: string) => {
    await phone.shoot(name)
    await phone.dark(true)
    await phone.shoot(`${name}-dark`)
    await phone.dark(false)
    expect(await phone.fits(), name).toBe(true)
    expect(await phone.awkward(), name).toEqual([])
  }

  const browserAsksFor = (language: string) =>
    phone.command("Network.setExtraHTTPHeaders", { headers: { "Accept-Language": language } })

  it.each(languageCodes)("speaks %s, from the link to the recorder, to a browser that asks for it", async (code) => {
    const { consent, identity, journey, link, notices, steps, video } = wordsOf(code)
    await phone.command("Network.clearBrowserCookies")
    await browserAsksFor(`${languages[code].locale}, de;q=0.5`)
    const address = await newLink(ground.service, await startFinanceSale(ground, "HOME_DELIVERY"), "CONFIRM_ADDRESS")
    await phone.open(address)
    await phone.waitFor(steps.CONFIRM_ADDRESS.invitation)
    await shootBoth(`${code}-link`)
    await phone.press(link.button)
    await phone.waitFor(journey.yourSteps)
    expect(await phone.evaluate("document.documentElement.lang")).toBe(languages[code].locale)
    await shootBoth(`${code}-journey`)
    await phone.press(steps.CONFIRM_ADDRESS.start)
    await phone.waitFor(wordsOf(code).address.noneOnFile)
    await shootBoth(`${code}-address`)

    await phone.open(await newLink(ground.service, await startCashSale(ground), "VERIFY_IDENTITY"))
    await phone.press(link.button)
    await phone.waitFor(steps.VERIFY_IDENTITY.about)
    await phone.press(steps.VERIFY_IDENTITY.start)
    await phone.waitFor(consent.identity.intro)
    await shootBoth(`${code}-consent`)
    await phone.press(consent.identity.agree)
    await phone.waitFor(identity.intro)
    await shootBoth(`${code}-identity`)

    await phone.open(await newLink(ground.service, await startFinanceSale(ground, "IN_STORE"), "RECORD_VIDEO"))
    await phone.press(link.button)
    await phone.waitFor(steps.RECORD_VIDEO.about)
    await phone.press(steps.RECORD_VIDEO.start)
    await phone.waitFor(video.buttons.camera)
    await shootBoth(`${code}-video`)
    await phone.press(video.buttons.camera)
    await phone.waitFor(video.script.cameraOn)
    await phone.press(video.buttons.record)
    await phone.waitFor(video.script.recorded({ seconds: "1", longest: "120" }))
    await shootBoth(`${code}-recording`)
    await phone.press(video.buttons.stop)
    await phone.waitFor(video.script.watch)

    await phone.command("Network.clearBrowserCookies")
    await phone.open(address)
    await phone.waitFor(notices.linkEnded.heading)
    await shootBoth(`${code}-link-ended`)
  })

  it("speaks the language that is chosen on the page, without any script", async () => {
    await phone.command("Network.clearBrowserCookies")
    await browserAsksFor("en")
    await phone.command("Emulation.setScriptExecutionDisabled", { value: true })
    await phone.open("/app/journey")
    await phone.waitFor(wordsOf("en").notices.signInFirst.heading)
    for (const code of ["cy", "pl", "ro", "en"] as const) {
      await phone.press(languages[code].name)
      await phone.waitFor(wordsOf(code).notices.signInFirst.heading)
    }
    await phone.command("Emulation.setScriptExecutionDisabled", { value: false })
  })

  it("can be written from the right: everything that stood at the left stands at the right", async () => {
    await phone.command("Network.clearBrowserCookies")
    await browserAsksFor("en")
    await phone.open(await newLink(ground.service, await startFinanceSale(ground, "IN_STORE"), "RECORD_VIDEO"))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    const places = `(() => ["h1", ".company", ".languages span", ".steps .name"].map((selector) => {
      const range = document.createRange()
      range.selectNodeContents(document.querySelector(selector))
      const { left, right } = range.getBoundingClientRect()
      return left < innerWidth - right ? "left" : "right"
    }).join())()`
    expect(await phone.evaluate(places)).toBe("left,left,left,left")
    await phone.evaluate(`document.documentElement.dir = "rtl"`)
    expect(await phone.evaluate(places)).toBe("right,right,right,right")
    expect(await phone.evaluate(`getComputedStyle(document.querySelector(".steps .standing")).direction`)).toBe("rtl")
    await shootBoth("from-the-right")
  })
})

describe("a language that is written from the right", () => {
  it("is said to be so by the page", () => {
    const words = {
      ...wordsOf("en"),
      about: { name: "Written from the right", direction: "rtl", locale: "ar" }
    } as const
    const page = pageResponse({ words, back: "/app/journey", heading: "Heading", content: null })
    expect(page.headers["content-language"]).toBe("ar")
    expect(new TextDecoder().decode((page.body as { readonly body: Uint8Array }).body)).toContain(
      '<html lang="ar" dir="rtl">'
    )
  })

  it("is never hindered by a style sheet that says left or right", () => {
    const folder = new URL("../../../src/http/app/browser/", import.meta.url)
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".css"))) {
      const css = readFileSync(new URL(file, folder), "utf8").replaceAll(/\/\*.*?\*\//gs, "")
      expect(css.match(/[^;{}]*\b(?:left|right)\b[^;{}]*/g) ?? [], file).toEqual([])
    }
  })
})
