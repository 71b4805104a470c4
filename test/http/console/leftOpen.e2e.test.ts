/**
 * A page of the console whose reader is slow: it says before the session ends, one press keeps what was typed, and later it says that
 * the reader was signed out. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { englishFrame } from "../../../src/schema/words/en/frame.ts"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openBrowser, type Browser } from "../documents/browser.ts"
import { signInMember, startConsole, type ConsoleGround } from "./consoleGround.ts"

const isCi = process.env["CI"] === "true"
const sizes = { desk: { width: 1280, height: 900 }, telephone: { width: 390, height: 844 } } as const
const words = englishFrame.session

describe.skipIf(chromium === undefined && !isCi)("a page of a slow reader, in Chromium", { timeout: 180_000 }, () => {
  let ground: ConsoleGround
  let browser: Browser

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    ground = await startConsole()
    browser = await openBrowser(chromium)
  })
  afterAll(async () => {
    await browser?.close()
    await ground?.service.stop()
  })

  const signIn = (page: Phone, { cookies }: ConsoleGround["owner"]) =>
    page.command("Network.setCookie", {
      name: "journeys-console",
      value: cookies.get("journeys-console"),
      url: ground.service.baseUrl,
      httpOnly: true
    })

  const signedIn = async (size: keyof typeof sizes): Promise<Phone> => {
    const page = await phoneOf(await browser.newPage(), ground.service.baseUrl, "console", sizes[size])
    await signIn(page, ground.owner)
    return page
  }

  const setBack = (column: "seen_at" | "opened_at", by: string) =>
    ground.service.query(
      `update console_sessions set ${column} = now() - $2::interval where secret_hash = sha256(convert_to($1, 'UTF8'))`,
      [ground.owner.cookies.get("journeys-console"), by]
    )

  it.each(["desk", "telephone"] as const)(
    "says so in time, keeps what was typed, and goes back to it: %s",
    async (size) => {
      await setBack("opened_at", "1 minute")
      await setBack("seen_at", "1 minute")
      const page = await signedIn(size)
      const comesBack = () => page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`)
      await page.open("/console/vehicles")
      await page.evaluate(
        `window.typedIn = document.querySelector("#add input[type=text]"); typedIn.focus(); typedIn.value = "half a wo"`
      )
      expect(await page.evaluate(`document.querySelector("#session").checkVisibility()`)).toBe(false)

      await setBack("seen_at", "2 hours 58 minutes")
      await comesBack()
      await page.waitFor(words.soon({ minutes: 3 }))
      await page.shoot(`session-soon-${size}`)
      expect(await accessibilityProblems(page)).toEqual([])
      await page.evaluate(`document.querySelector("#session button").focus()`)
      await page.press(words.stay)
      await page.waitFor(words.stays)
      expect(await page.evaluate(`document.activeElement === typedIn && typedIn.value`)).toBe("half a wo")
      await comesBack()
      await page.until(`document.querySelector("#session").hidden`)

      await setBack("opened_at", "11 hours 58 minutes")
      await comesBack()
      await page.waitFor(words.last({ minutes: 3 }))
      expect(await page.evaluate(`document.querySelector("#session button").checkVisibility()`)).toBe(false)
      await setBack("opened_at", "13 hours")
      await comesBack()
      await page.waitFor(words.over)
      await page.shoot(`session-over-${size}`)
      expect(await accessibilityProblems(page)).toEqual([])
      expect(await page.evaluate("typedIn.value")).toBe("half a wo")
      expect(await page.evaluate(`document.querySelector("#session a").getAttribute("href")`)).toBe(
        "/console/sign-in?to=%2Fconsole%2Fvehicles"
      )

      // In another tab.
      await signIn(page, await signInMember(ground.service, ground.company.id, "OWNER", `${size}@people.example`))
      await comesBack()
      await page.waitFor(words.another)
      await page.shoot(`session-another-${size}`)
      expect(await accessibilityProblems(page)).toEqual([])
      expect(await page.fits()).toBe(true)
      expect(await page.evaluate("typedIn.value")).toBe("half a wo")
      await page.press(words.loadAgain)
      await page.until(`globalThis.typedIn === undefined && document.readyState === "complete"`)
      expect(await page.evaluate("location.pathname")).toBe("/console/vehicles")
      await comesBack()
      expect(await page.evaluate(`document.querySelector("#session").checkVisibility()`)).toBe(false)
    }
  )
})
