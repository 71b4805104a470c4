/**
 * Every page of the console in a real browser, made from the list of its routes, so that none is forgotten, and one of each kind
 * of the guides: a screenshot on a desk and on a telephone, in light and dark (`npm run screenshots` puts them into
 * `test/output/console`); axe-core finds nothing wrong, the page fits every screen, and breaks no rule of its
 * Content-Security-Policy. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pagesOfConsole } from "../../src/http/console/consoleRoutes.ts"
import { errorsPath, guidesPath, searchPath } from "../../src/http/guides/guideFrame.ts"
import { accessibilityProblems } from "../support/accessibility.ts"
import { phoneOf, type Phone } from "../http/app/phone.ts"
import { chromium, openBrowser, type Browser } from "../http/documents/browser.ts"
import { startExamples, type ExampleGround } from "./exampleGround.ts"

const isCi = process.env["CI"] === "true"

/** Parts of a page, answers to scripts, streams, pictures, videos and files, which no address bar leads to; and what only a half-finished sign-in shows. */
const isNoPage = (path: string): boolean =>
  /\/(part|live|video|export|proof|session|sign-in\/(?:first-)?passkey)$|\.csv$|\/(pictures|frames)\//.test(path)

/** One of each kind: rendered Markdown, a drawing, the codes, a code, the search. */
const guidePages = [
  `${guidesPath}/start`,
  `${guidesPath}/journeys`,
  errorsPath,
  `${errorsPath}/VALIDATION_FAILED`,
  searchPath
]

const paths = [
  ...[...new Set<string>(pagesOfConsole.flatMap(({ method, path }) => (method === "GET" ? [path] : [])))].filter(
    (path) => !isNoPage(path)
  ),
  ...guidePages
]

/** Whose session opens the page: nobody's for a sign-in. */
const audienceOf = (path: string): "operator" | "owner" | null => {
  if (path.includes("/sign-in") || !path.startsWith("/console")) return null
  return path.startsWith("/console/operator") ? "operator" : "owner"
}

/** Screens, and how large their reader wants letters. A customer's long name has no place to break. */
const widths = [
  [1280, "100%"],
  [1280, "200%"],
  [1024, "100%"],
  [640, "200%"],
  [390, "100%"]
] as const

/** The page, and each table that somebody would have to move sideways. */
const tooWideAt = (width: number, letters: string): string => `(() => {
  document.documentElement.style.fontSize = "${letters}"
  const tables = [...document.querySelectorAll(".table, .codes")].filter((one) => one.scrollWidth > one.clientWidth)
  return [
    ...(document.documentElement.scrollWidth > ${width} ? ["the page"] : []),
    ...tables.map((one) => one.getAttribute("aria-label") ?? one.className)
  ]
})()`

const nameOf = (path: string): string => path.replace(/^\/(?:console\/?)?/, "").replaceAll(/[/:]+/g, "-") || "overview"

describe.skipIf(chromium === undefined && !isCi)(
  "every page of the console and of the guides",
  { timeout: 120_000 },
  () => {
    let ground: ExampleGround
    let browser: Browser
    let desk: Phone
    /** Of any width. */
    let pane: Phone
    let phone: Phone
    beforeAll(async () => {
      if (chromium === undefined) throw new Error("CI needs Chromium for the console")
      ground = await startExamples()
      browser = await openBrowser(chromium)
      desk = await phoneOf(await browser.newPage(), ground.service.baseUrl, "console", { width: 1280, height: 900 })
      phone = await phoneOf(await browser.newPage(), ground.service.baseUrl, "console")
      pane = await phoneOf(await browser.newPage(), ground.service.baseUrl, "console")
    }, 120_000)
    afterAll(async () => {
      await browser?.close()
      await ground?.stop()
    })

    const opened = async (screen: Phone, path: string): Promise<void> => {
      const audience = audienceOf(path)
      await screen.command("Network.clearBrowserCookies")
      if (audience !== null) {
        await screen.command("Network.setCookie", {
          name: "journeys-console",
          value: ground.sessions[audience],
          url: ground.service.baseUrl
        })
      }
      const values = { ...ground.examples, ...ground.ofPath[path] }
      const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
        const value = values[name]
        if (value === undefined) throw new Error(`exampleGround.ts does not say what stands for :${name}`)
        return value
      })
      await screen.open(filled)
      // The page that was asked for, and no sign-in, refusal or other page in its place.
      expect(await screen.evaluate("location.pathname")).toBe(filled)
      expect(await screen.evaluate("document.querySelectorAll('h1').length")).toBe(1)
    }

    // A name of ninety letters made pages as wide as itself, and pushed the columns after it out of sight.
    it.each(paths)("%s fits every screen, with a long name and with large letters", async (path) => {
      await opened(pane, path)
      const found: Array<unknown> = []
      for (const [width, letters] of widths) {
        await pane.command("Emulation.setDeviceMetricsOverride", {
          width,
          height: 900,
          deviceScaleFactor: 1,
          mobile: false
        })
        const tooWide = await pane.evaluate(tooWideAt(width, letters))
        if (JSON.stringify(tooWide) !== "[]") found.push([width, letters, tooWide])
      }
      expect(found).toEqual([])
    })

    it.each(paths)("%s is for everybody, in light and dark, on a desk and on a telephone", async (path) => {
      const found: Array<string> = []
      for (const [screen, size] of [
        [desk, ""],
        [phone, "-phone"]
      ] as const) {
        for (const isDark of [false, true]) {
          // Opened anew: colours that change on an open page are on their way for a while.
          await screen.dark(isDark)
          await opened(screen, path)
          await screen.shoot(`${nameOf(path)}${size}${isDark ? "-dark" : ""}`)
          found.push(...(await accessibilityProblems(screen)))
        }
        await screen.dark(false)
      }
      expect(found).toEqual([])
      // With large letters the console is for a desk: see above.
      expect(await phone.fits([1])).toBe(true)
      expect(phone.complaints).toEqual([])
    })
  }
)
