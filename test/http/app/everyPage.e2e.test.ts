/**
 * The pages of the customer's app in a real browser, in light and dark, with and without scripts: what axe-core finds, what
 * fits the narrowest telephone, and what a page does by itself. Skipped, by name, where there is no Chromium; in CI that is
 * a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { ask, type startBody } from "../../support/companies.ts"
import { freePort } from "../../support/freePort.ts"
import { qrTextIn } from "../../support/qrCodes.ts"
import { chromium, openBrowser, type Browser } from "../documents/browser.ts"
import { CustomerBrowser, newLink } from "./CustomerBrowser.ts"
import { startCashSale, startFinanceSale, startPages, startVerified, type PagesGround } from "./pagesGround.ts"
import { phoneOf, type Phone } from "./phone.ts"

const isCi = process.env["CI"] === "true"
const patience = { timeout: 180_000 }

/** A test journey that never goes on by itself. */
const never = (body: ReturnType<typeof startBody>) => void (body.customer.email = "buyer+never@example.com")

const wide = { width: 1280, height: 900 }
const [present = {}, former = {}] = startExamples.FINANCE_SUBMIT_VIA_MIRA.finance.addressHistory

describe.skipIf(chromium === undefined && !isCi)("the pages of the customer's app, in Chromium", patience, () => {
  let ground: PagesGround
  let browser: Browser
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    const port = await freePort()
    ground = await startPages({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }, "Harbour Cars")
    browser = await openBrowser(chromium)
    phone = await newScreen()
  })
  afterAll(async () => {
    await browser?.close()
    await ground?.service.stop()
  })

  const newScreen = async (screen?: typeof wide): Promise<Phone> =>
    phoneOf(await browser.newPage(), ground.service.baseUrl, "pages", screen)

  /** The page in light and dark: nothing is wrong with it, and it fits. */
  const looksRight = async (name: string, screen = phone): Promise<void> => {
    for (const isDark of [false, true]) {
      await screen.dark(isDark)
      await screen.shoot(isDark ? `${name}-dark` : name)
      expect(await accessibilityProblems(screen), name).toEqual([])
    }
    await screen.dark(false)
    expect(await screen.fits(), name).toBe(true)
    expect(await screen.awkward(), name).toEqual([])
    expect(screen.complaints, name).toEqual([])
  }

  const signIn = async (journeyId: string, step: Parameters<typeof newLink>[2], screen = phone): Promise<void> => {
    await screen.command("Network.clearBrowserCookies")
    await screen.open(await newLink(ground.service, journeyId, step))
    await screen.press("Continue")
    await screen.waitFor("Your steps")
  }

  const scripts = async (isOn: boolean): Promise<void> => {
    await phone.command("Emulation.setScriptExecutionDisabled", { value: !isOn })
  }

  const statusOf = async (journeyId: string): Promise<string> =>
    (await ask(ground.service, ground.company.liveKey, `/api/v1/journeys/${journeyId}`)).data.delivery.status

  const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [id, value] of Object.entries(fields)) {
      await phone.evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(value)}`)
    }
  }

  it("sign in, say what is asked, and end", async () => {
    const journeyId = await startCashSale(ground)
    const link = await newLink(ground.service, journeyId, "VERIFY_IDENTITY")
    await phone.open(link)
    await looksRight("link")
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await looksRight("journey")
    await phone.press("Sign out")
    await phone.waitFor("You are signed out")
    await looksRight("signed-out")
    await phone.open("/app/journey")
    await looksRight("sign-in-first")
    await phone.open(link)
    await phone.waitFor("This link has ended")
    await looksRight("link-ended")
    await phone.open("/app/nothing")
    await looksRight("no-such-page")
    await signIn(journeyId, "VERIFY_IDENTITY")
    await ground.service.query("update customer_sessions set seen_at = now() - interval '31 minutes'")
    await phone.open("/app/identity")
    await phone.waitFor("You have been signed out")
    await looksRight("run-out")
    await phone.press("Mail me a new link")
    await phone.waitFor("Check your email")
  })

  it("ask for an address, field by field", async () => {
    await signIn(await startFinanceSale(ground, "HOME_DELIVERY"), "CONFIRM_ADDRESS")
    await phone.press("Continue")
    await phone.waitFor("We have no address on file")
    await looksRight("address-none")
    await phone.press("Deliver to this address")
    await phone.waitFor("Please look at 4 fields again")
    await looksRight("address-wrong")
  })

  it.each([
    ["with", true],
    ["without", false]
  ])("offer addresses, doubt and correct them, %s scripts", async (name, isOn) => {
    const journeyId = await startVerified(ground, [present, former])
    await signIn(journeyId, "CONFIRM_ADDRESS")
    await scripts(isOn)
    await phone.open("/app/address")
    await phone.waitFor("Addresses on file")
    if (isOn) await looksRight("address-several")
    await phone.press("Another address")
    await fill({ buildingNumber: "9", street: "PO Box 7", city: "Manchester", postcode: "m11ae" })
    await phone.press("Cymraeg")
    await phone.waitFor("Danfon i'r cyfeiriad hwn")
    await phone.press("English")
    await phone.press("Deliver to this address")
    await phone.waitFor("Is this address right?")
    if (isOn) await looksRight("address-doubtful")
    await phone.press("Yes, the address is right")
    await phone.waitFor("Where your vehicle is handed over")
    expect(await statusOf(journeyId)).toBe("AWAITING_VIDEO")
    if (isOn) await looksRight("journey-address")
    await phone.press("Change the address")
    await phone.waitFor("You can change the address until")
    if (isOn) await looksRight("address-correction")
    await phone.press("Change the address")
    await fill({ street: "Mill Lane", city: "Leeds", postcode: "LS2 8AA" })
    await phone.press("Deliver to this address")
    await phone.waitFor("9 Mill Lane")
    await phone.shoot(`journey-corrected-${name}-scripts`)
    await scripts(true)
  })

  it("follow a journey by themselves, and say so", async () => {
    const journeyId = await startFinanceSale(ground, "IN_STORE")
    await signIn(journeyId, "RECORD_VIDEO")
    await phone.evaluate("window.isStillHere = true")
    await ground.service.query(
      "update journeys set state = jsonb_set(state::jsonb, '{handover,status}', '\"VIDEO_UPLOADED\"'), step = null where id = $1",
      [journeyId]
    )
    await phone.waitFor("Your video is being checked")
    expect(await phone.evaluate("document.getElementById('announcement').textContent")).toBe(
      "Your video is being checked"
    )
    await looksRight("journey-video-checked")
    await ground.service.query(
      "update journeys set state = jsonb_set(state::jsonb, '{handover,status}', '\"UNDER_REVIEW\"') where id = $1",
      [journeyId]
    )
    await phone.waitFor("Your video is being looked at")
    expect(await phone.evaluate("window.isStillHere")).toBe(true)
  })

  it("have a link instead without scripts", async () => {
    const journeyId = await startFinanceSale(ground, "IN_STORE")
    await signIn(journeyId, "RECORD_VIDEO")
    await ground.service.query(
      "update journeys set state = jsonb_set(state::jsonb, '{handover,status}', '\"VIDEO_UPLOADED\"'), step = null where id = $1",
      [journeyId]
    )
    await scripts(false)
    await phone.open("/app/journey")
    await ground.service.query(
      "update journeys set state = jsonb_set(state::jsonb, '{handover,status}', '\"UNDER_REVIEW\"') where id = $1",
      [journeyId]
    )
    await phone.press("See whether it is done")
    await phone.waitFor("Your video is being looked at")
    await scripts(true)
  })

  it("are the same for a test journey, with samples and outcomes beside the step", async () => {
    const journeyId = await startCashSale(ground, never, ground.company.testKey)
    await signIn(journeyId, "VERIFY_IDENTITY")
    await looksRight("test-journey")
    await phone.open("/app/identity")
    await phone.waitFor("How long it is kept")
    await looksRight("consent-identity")
    await phone.press("I do not agree")
    await phone.waitFor("You do not want your photos to be compared")
    await looksRight("consent-refusal")
    expect(
      await phone.evaluate(`document.querySelector("main .button:not(.quiet), main button:not(.quiet)").innerText`)
    ).toBe("Back")
    await phone.press("Back")
    await phone.waitFor("How long it is kept")
    await phone.press("I agree")
    await phone.waitFor("Photo of your face")
    await looksRight("test-identity")
    await phone.press("Use the sample photos")
    await phone.waitFor("Thank you, that is you")
    await phone.open("/app/address")
    await fill({ buildingNumber: "9", street: "Mill Lane", city: "Leeds", postcode: "LS2 8AA" })
    await phone.press("Deliver to this address")
    await phone.waitFor("9 Mill Lane")
    await phone.open("/app/video")
    await phone.waitFor("How long it is kept")
    await looksRight("consent-video")
    await phone.press("I agree")
    await phone.waitFor("Sample video")
    await looksRight("test-video")
    await phone.press("Use the sample video")
    await phone.waitFor("Your video is being checked")
    await phone.press("Go on to the completed handover")
    await phone.waitFor("Your handover is complete")
  })

  it("hand over to a telephone by a QR code on a wide screen alone, and follow it", async () => {
    const journeyId = await startFinanceSale(ground, "HOME_DELIVERY")
    const desk = await newScreen(wide)
    await desk.open(await newLink(ground.service, journeyId, "CONFIRM_ADDRESS"))
    await looksRight("link-wide", desk)
    await signIn(journeyId, "CONFIRM_ADDRESS", desk)
    await looksRight("journey-wide", desk)
    await desk.press("Go on by telephone")
    await desk.waitFor("This page follows by itself")
    await looksRight("telephone", desk)
    const link = new URL(qrTextIn(String(await desk.evaluate("document.querySelector('main').innerHTML"))))
    const telephone = new CustomerBrowser(ground.service)
    expect((await telephone.signIn(link.pathname)).status).toBe(303)
    await ground.service.query(
      "update journeys set state = jsonb_set(state::jsonb, '{handover,status}', '\"AWAITING_VIDEO\"'), step = 'RECORD_VIDEO' where id = $1",
      [journeyId]
    )
    await desk.waitFor("Record the handover video")
    expect(await desk.evaluate("location.pathname")).toBe("/app/journey")
    await signIn(await startCashSale(ground), "VERIFY_IDENTITY")
    expect(await phone.evaluate("document.querySelector('.telephone').checkVisibility()")).toBe(false)
  })
})
