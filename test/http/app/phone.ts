/**
 * A telephone, as far as tests need one: a page of Chromium with a small screen, a camera that shows a made picture, and
 * screenshots in a folder of `test/output`.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openPage, type Page } from "../documents/browser.ts"

const output = join(import.meta.dirname, "../../output")

/** Pictures are for people. In CI nobody looks at them, and to take one costs as much as everything else about a page. */
const isLookedAt = process.env["CI"] !== "true"
/** Pixels of the screen for one of the page. Four times as many take as many times as long to paint. */
const deviceScaleFactor = isLookedAt ? 2 : 1

export interface Phone extends Page {
  readonly open: (path: string) => Promise<void>
  /** Presses the first button, link or summary with these words, as soon as the page shows one. */
  readonly press: (words: string) => Promise<void>
  readonly waitFor: (words: string) => Promise<void>
  /** Chooses a file of this machine in a file field. */
  readonly choose: (selector: string, file: string) => Promise<void>
  /** Takes a photo with the camera for a file field, as telephones do where it says `capture`. */
  readonly photograph: (selector: string) => Promise<void>
  /** Chooses the colours of an open page, too: they are there at once, and not on their way. */
  readonly dark: (isDark: boolean) => Promise<void>
  /** Takes a picture of the page, except in CI. */
  readonly shoot: (name: string) => Promise<void>
  /** Whether everything fits the width of the narrowest telephones, with text of these sizes: the usual one and twice that (WCAG 1.4.4 and 1.4.10). */
  readonly fits: (sizes?: ReadonlyArray<1 | 2>) => Promise<boolean>
  /**
   * What is hard to hit or to read on the narrowest telephone: links and buttons smaller than a finger, with the usual text; with text of twice the
   * size, words of buttons that go on in the next line, and fields that cut what they say.
   */
  readonly awkward: () => Promise<ReadonlyArray<string>>
}

/** Pixels. */
const narrowest = 360
/** Of finding an element in a page that renews itself. */
const mostTries = 20

interface Screen {
  readonly width: number
  readonly height: number
}

const usual: Screen = { width: 390, height: 844 }

/** What Chromium needs to be told for a camera that nobody has to allow; with a film, one that shows it. */
export const cameraFlags = (film?: string): ReadonlyArray<string> => [
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
  ...(film === undefined ? [] : [`--use-file-for-fake-video-capture=${film}`])
]

/** Makes the timers of a page run so many times as fast as usual, so that no test waits as long as a customer. */
export const timersFaster = (times: number) => `(() => {
  const usual = globalThis.usualTimeout ??= globalThis.setTimeout
  globalThis.setTimeout = (act, millis) => usual(act, millis / ${times})
})()`

/** For `Network.emulateNetworkConditions`: a good line, unless something else is said. */
export const onLine = (line: { readonly offline?: boolean; readonly uploadThroughput?: number } = {}) => ({
  offline: false,
  latency: 0,
  downloadThroughput: -1,
  uploadThroughput: -1,
  ...line
})

const endTransitions = `for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()`

/** Makes the text of the page so many times as large as usual, as the settings of a browser do. */
export const textTimes = (times: number) => `document.documentElement.style.fontSize = "${100 * times}%"`

/** The page's own width, and that of a dialog over it. The window's width grows with a page that is too wide. */
const isFittingAt = (times: number) => `(() => {
  ${textTimes(times)}
  const dialog = document.querySelector("dialog[open]")
  return document.documentElement.scrollWidth <= ${narrowest} && (dialog === null || dialog.scrollWidth <= dialog.clientWidth)
})()`

/** Pixels: WCAG 2.5.5. */
const smallestTarget = 44

/** A link inside a sentence is as high as its line. */
const smallTargets = `[...document.querySelectorAll("a, button, summary")].filter((one) => {
  const { height, width } = one.getBoundingClientRect()
  const isInSentence = one.matches("a") && one.parentElement.innerText.trim() !== one.innerText.trim()
  return one.checkVisibility() && !isInSentence && (height < ${smallestTarget} || width < ${smallestTarget})
}).map((one) => "small: " + one.innerText)`

/** The code of an outcome, and the name of a company, may have no place to break. */
const cutWords = `[...document.querySelectorAll("button, .button")].filter((one) => one.checkVisibility()).flatMap((one) => {
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
  const found = []
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.parentElement.closest(".code, bdi") !== null) continue
    for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) found.push("broken: " + word)
    }
  }
  return found
}).concat([...document.querySelectorAll("input")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
  .map((one) => "cut: " + one.name))`

/** What a telephone's own camera application does, in the page: the page knows of it only the file. */
const photographing = (selector: string) => `(async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ video: true })
  const video = document.createElement("video")
  video.srcObject = stream
  await video.play()
  const canvas = document.createElement("canvas")
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext("2d").drawImage(video, 0, 0)
  for (const track of stream.getTracks()) track.stop()
  const photo = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.95))
  const files = new DataTransfer()
  files.items.add(new File([photo], "camera.jpg", { type: "image/jpeg" }))
  const input = document.querySelector(${JSON.stringify(selector)})
  input.files = files.files
  input.dispatchEvent(new Event("change", { bubbles: true }))
  return photo.size > 0
})()`

/** `folder`: of `test/output`, for its screenshots. */
export const phoneOf = async (
  page: Page,
  baseUrl: string,
  folder: string,
  { height, width }: Screen = usual
): Promise<Phone> => {
  const resize = (screen: Screen) =>
    page.command("Emulation.setDeviceMetricsOverride", { ...screen, deviceScaleFactor, mobile: true })
  await resize({ width, height })
  const waitFor = (words: string) => page.until(`document.body?.innerText.includes(${JSON.stringify(words)}) === true`)
  return {
    ...page,
    open: async (path) => {
      await page.command("Page.navigate", { url: `${baseUrl}${path}` })
      await page.until(`document.readyState === "complete" && location.pathname !== "blank"`)
    },
    press: (words) =>
      page.until(`(() => {
        const one = [...document.querySelectorAll("button, a, summary")].find((one) => one.checkVisibility() && one.innerText.includes(${JSON.stringify(words)}))
        one?.click()
        return one !== undefined
      })()`),
    waitFor,
    choose: async (selector, file) => {
      await page.until(`document.querySelector(${JSON.stringify(selector)}) !== null`)
      // A page that is renewed between the two questions has forgotten the first.
      for (let tries = 0; tries < mostTries; tries++) {
        const { root } = await page.command("DOM.getDocument")
        const found = await page.command("DOM.querySelector", { nodeId: root.nodeId, selector })
        if (!found?.nodeId) continue
        return void (await page.command("DOM.setFileInputFiles", { nodeId: found.nodeId, files: [file] }))
      }
      throw new Error(`no ${selector} to choose a file in`)
    },
    photograph: async (selector) => {
      if ((await page.evaluate(photographing(selector))) !== true) throw new Error("the camera took no photo")
    },
    dark: async (isDark) => {
      await page.command("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]
      })
      await page.evaluate(endTransitions)
    },
    shoot: async (name) => {
      if (!isLookedAt) return
      const { data } = await page.command("Page.captureScreenshot", { format: "png", captureBeyondViewport: true })
      await mkdir(join(output, folder), { recursive: true })
      await writeFile(join(output, folder, `${name}.png`), Buffer.from(data, "base64"))
    },
    fits: async (sizes = [1, 2]) => {
      await resize({ width: narrowest, height })
      let isFitting = true
      for (const size of sizes) isFitting &&= (await page.evaluate(isFittingAt(size))) === true
      await page.evaluate(textTimes(1))
      await resize({ width, height })
      return isFitting
    },
    awkward: async () => {
      await resize({ width: narrowest, height })
      const small = await page.evaluate(smallTargets)
      await page.evaluate(textTimes(2))
      const cut = await page.evaluate(cutWords)
      await page.evaluate(textTimes(1))
      await resize({ width, height })
      return [small, cut].flatMap((found) => found as ReadonlyArray<string>)
    }
  }
}

/** A telephone in a browser of its own, which closes with it. */
export const openPhone = async (command: string, baseUrl: string, film?: string): Promise<Phone> =>
  phoneOf(await openPage(command, "about:blank", cameraFlags(film)), baseUrl, "app")
