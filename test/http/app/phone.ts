/**
 * A telephone, as far as tests need one: Chromium with a small screen, a camera that shows a made picture, and
 * screenshots under `test/output/app`.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openPage, type Page } from "../documents/browser.ts"

const output = join(import.meta.dirname, "../../output/app")

export interface Phone extends Page {
  readonly open: (path: string) => Promise<void>
  /** Presses the first button, link or summary with these words and waits for what it leads to. */
  readonly press: (words: string) => Promise<void>
  readonly waitFor: (words: string) => Promise<void>
  /** Chooses a file of this machine in a file field. */
  readonly choose: (selector: string, file: string) => Promise<void>
  readonly dark: (isDark: boolean) => Promise<void>
  readonly shoot: (name: string) => Promise<void>
  /** Whether everything fits the width of the narrowest telephones. */
  readonly fits: () => Promise<boolean>
}

/** Pixels. */
const narrowest = 360

interface Screen {
  readonly width: number
  readonly height: number
}

export const openPhone = async (
  command: string,
  baseUrl: string,
  { height, width }: Screen = { width: 390, height: 844 },
  flags: ReadonlyArray<string> = []
): Promise<Phone> => {
  const page = await openPage(command, "about:blank", [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    ...flags
  ])
  const resize = (screen: Screen) =>
    page.command("Emulation.setDeviceMetricsOverride", { ...screen, deviceScaleFactor: 2, mobile: true })
  await resize({ width, height })
  const waitFor = (words: string) => page.until(`document.body?.innerText.includes(${JSON.stringify(words)}) === true`)
  return {
    ...page,
    open: async (path) => {
      await page.command("Page.navigate", { url: `${baseUrl}${path}` })
      await page.until(`document.readyState === "complete" && location.pathname !== "blank"`)
    },
    press: async (words) => {
      const found = await page.evaluate(`(() => {
        const one = [...document.querySelectorAll("button, a, summary")].find((one) => one.checkVisibility() && one.innerText.includes(${JSON.stringify(words)}))
        one?.click()
        return one !== undefined
      })()`)
      if (found !== true) throw new Error(`nothing to press says ${words}`)
    },
    waitFor,
    choose: async (selector, file) => {
      const { root } = await page.command("DOM.getDocument")
      const { nodeId } = await page.command("DOM.querySelector", { nodeId: root.nodeId, selector })
      await page.command("DOM.setFileInputFiles", { nodeId, files: [file] })
    },
    dark: async (isDark) => {
      await page.command("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]
      })
    },
    shoot: async (name) => {
      const { data } = await page.command("Page.captureScreenshot", { format: "png", captureBeyondViewport: true })
      await mkdir(output, { recursive: true })
      await writeFile(join(output, `${name}.png`), Buffer.from(data, "base64"))
    },
    fits: async () => {
      await resize({ width: narrowest, height })
      const isFitting = (await page.evaluate("document.documentElement.scrollWidth <= innerWidth")) === true
      await resize({ width, height })
      return isFitting
    }
  }
}
