/**
 * The office pages of a company in a real browser, at two sizes and in both themes, with their screenshots. Skipped, by name, where
 * there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { askSettings } from "../../support/companies.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openPage } from "../documents/browser.ts"
import { signInMember, startConsole, type ConsoleGround } from "./consoleGround.ts"

const isCi = process.env["CI"] === "true"
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }
const pages = {
  overview: "/console",
  wallets: "/console/wallets",
  ledger: "/console/wallets/IDENTITY",
  vehicles: "/console/vehicles",
  company: "/console/company",
  audit: "/console/audit"
}

describe.skipIf(chromium === undefined && !isCi)("the office pages in Chromium", { timeout: 240_000 }, () => {
  let ground: ConsoleGround
  const screens: Array<readonly [keyof typeof sizes, Phone]> = []

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    ground = await startConsole({ credits: 3, name: "Harbour Cars", settings: { brand: { colour: "#c8102e" } } })
    const { company, service } = ground
    for (let at = 0; at < 25; at++) {
      await askSettings(service, `/companies/${company.id}/vehicles/stock-${at}`, {
        method: "PUT",
        body: { status: at % 3 === 0 ? "SOLD" : "IN_STOCK" }
      })
    }
    const browser = await signInMember(service, company.id, "OWNER", "ann@people.example")
    const value = browser.cookies.get("journeys-console") ?? ""
    for (const name of ["desktop", "phone"] as const) {
      const size = sizes[name]
      const screen = await phoneOf(await openPage(chromium, "about:blank"), service.baseUrl, "console", size)
      await screen.command("Network.setCookie", {
        url: service.baseUrl,
        name: "journeys-console",
        value,
        httpOnly: true
      })
      screens.push([name, screen])
    }
  }, 240_000)
  afterAll(async () => {
    for (const [, screen] of screens) await screen.close()
    await ground?.service.stop()
  })

  it.each(Object.entries(pages))("%s fits, can be used by anybody, and looks as it should", async (name, path) => {
    for (const [size, screen] of screens) {
      for (const theme of ["light", "dark"]) {
        await screen.dark(theme === "dark")
        await screen.open(path)
        await screen.shoot(`office-${name}-${size}-${theme}`)
        expect([size, theme, await accessibilityProblems(screen)]).toEqual([size, theme, []])
      }
      const widest = await screen.evaluate("document.documentElement.scrollWidth")
      expect([size, Number(widest) <= sizes[size].width]).toEqual([size, true])
    }
  })

  it("asks before a part of the page Company is saved while another has something unsaved, and keeps what was typed", async () => {
    const screen = screens[0]?.[1]
    if (screen === undefined) throw new Error("no screen")
    await screen.open("/console/company")
    const submitOther = `document.querySelector('form input[name="form"][value="rules"]').form.requestSubmit()`
    const hours = `document.querySelector('[name="brand.hours"]')`
    await screen.evaluate(`window.confirm = (text) => { window.asked = text; return false }`)
    await screen.evaluate(`${hours}.value = "Mondays only"`)
    await screen.evaluate(submitOther)
    expect(await screen.evaluate("window.asked")).toContain("is not saved")
    expect(await screen.evaluate(`document.activeElement === ${hours} && ${hours}.value`)).toBe("Mondays only")
    // Nothing is asked when all is as it was.
    await screen.open("/console/company")
    await screen.evaluate(`window.confirm = () => { throw new Error("asked") }`)
    await screen.evaluate(submitOther)
    await screen.until(`document.querySelector(".flash")?.innerText.includes("like that already") === true`)
  })

  it("puts the next vehicles below those that are there, without leaving the page", async () => {
    const screen = screens[0]?.[1]
    if (screen === undefined) throw new Error("no screen")
    await screen.open("/console/vehicles")
    await screen.press("Show more")
    await screen.until(`document.querySelectorAll("#rows > tr").length === 25`)
  })

  // Pico coloured the hint, which followed the field, and the error below it looked like a hint.
  it("the error of a refused field looks like one, and its hint does not", async () => {
    for (const [, screen] of screens) {
      await screen.open("/console/company")
      await screen.evaluate(`document.querySelector('[name="brand.colour"]').value = "blue"`)
      await screen.press("Save: brand")
      await screen.until(`document.querySelector("small.refused") !== null`)
      const colour = (selector: string) =>
        screen.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`)
      const usual = await colour(".field > :not([aria-invalid]) + small")
      expect(await colour("small.refused + small")).toBe(usual)
      expect(await colour("small.refused")).not.toBe(usual)
    }
  })

  it("a form far down the page that was refused is what the next page opens at", async () => {
    for (const [, screen] of screens) {
      await screen.open("/console/company")
      await screen.evaluate(`document.querySelector('[name="brand.colour"]').value = "blue"`)
      await screen.press("Save: brand")
      await screen.until(`document.activeElement?.name === "brand.colour"`)
      await screen.until(
        `(({ bottom, top }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`
      )
    }
  })
})
