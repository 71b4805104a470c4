/**
 * A company's brand and the end of a journey in a real browser at the size of a telephone, light and dark, with screenshots.
 * Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { base64, logoOf } from "../../support/logos.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium } from "../documents/browser.ts"
import { newLink } from "./CustomerBrowser.ts"
import { openPhone, type Phone } from "./phone.ts"

const isCi = process.env["CI"] === "true"

describe.skipIf(chromium === undefined && !isCi)("a company's brand, in Chromium", { timeout: 120_000 }, () => {
  let service: Service
  let company: TestCompany
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the company's brand")
    service = await startService()
    company = await makeCompany(service, {
      kind: "BROKER",
      name: "Bright Brokers",
      settings: {
        sandbox: { pace: "manual" },
        brand: {
          logo: base64(logoOf(400, 140)),
          colour: "#ffd400",
          telephone: "+44 113 496 0000",
          hours: "Monday to Friday, 9 to 17\nSaturday, 10 to 14",
          returnUrl: "https://brightbrokers.example/thank-you"
        }
      }
    })
    phone = await openPhone(chromium, service.baseUrl)
  })
  afterAll(async () => {
    await phone?.close()
    await service?.stop()
  })

  const begin = async () => {
    const answer = await start(service, company.testKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))
    expect(answer.status).toBe(202)
    const journeyId: string = answer.data.id
    return { journeyId, link: await newLink(service, journeyId, "VERIFY_IDENTITY") }
  }

  const simulate = async (journeyId: string, event: string) => {
    const body = { event }
    expect((await ask(service, company.testKey, `/api/v1/journeys/${journeyId}/simulate`, { body })).status).toBe(200)
  }

  const shootBoth = async (name: string) => {
    await phone.shoot(name)
    await phone.dark(true)
    await phone.shoot(`${name}-dark`)
    await phone.dark(false)
    expect(await phone.fits(), name).toBe(true)
  }

  const buttonColours = () =>
    phone.evaluate(`(() => {
      const { backgroundColor, color } = getComputedStyle(document.querySelector("main button, main .button"))
      return [backgroundColor, color].join(" on ")
    })()`)

  const logoWidth = () => phone.evaluate(`document.querySelector(".logo").naturalWidth`)

  it("is on the page of a link: the logo, and the colour darkened on light pages and as it is on dark ones", async () => {
    const { link } = await begin()
    await phone.open(link)
    await phone.waitFor("Call Bright Brokers")
    expect(await logoWidth()).toBe(400)
    expect(await buttonColours()).toMatch(/^rgb\(1\d\d, 10\d, 0\) on rgb\(255, 255, 255\)$/)
    await phone.dark(true)
    expect(await buttonColours()).toBe("rgb(255, 212, 0) on rgb(0, 0, 0)")
    await phone.dark(false)
    await shootBoth("brand-link")
  })

  it("is on the journey's page and at its end, with the receipt and the way back", async () => {
    const { journeyId, link } = await begin()
    await phone.open(link)
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await shootBoth("brand-journey")
    await simulate(journeyId, "delivery.completed")
    await phone.open("/app/journey")
    await phone.waitFor("Receipt of your handover")
    await shootBoth("brand-end")
    await phone.command("Emulation.setEmulatedMedia", { media: "print" })
    expect(await phone.evaluate(`document.querySelector("main .button").checkVisibility()`)).toBe(false)
    await phone.shoot("brand-end-on-paper")
    await phone.command("Emulation.setEmulatedMedia", { media: "" })
    await phone.press("Sign out")
    await phone.waitFor("You are signed out")
  })

  it.each([
    ["delivery.completed", "The handover is complete"],
    ["delivery.cancelled", "It ended before the handover was complete"],
    ["delivery.expired", "It was not finished in time"]
  ])("is on the page of an ended link: %s", async (event, words) => {
    const { journeyId, link } = await begin()
    await simulate(journeyId, event)
    await phone.open(link)
    await phone.waitFor(words)
    await phone.waitFor("Back to the site of Bright Brokers")
    await shootBoth(`brand-ended-${event}`)
  })

  it("has broken no policy of the pages, and asked no other host for anything", () => {
    expect(phone.complaints).toEqual([])
    const outside = phone.requested.filter(
      (url) => !/^(?:data|blob|about):/.test(url) && new URL(url).origin !== new URL(service.baseUrl).origin
    )
    expect(outside).toEqual([])
  })
})
