/**
 * Files that the scripts of the customer's pages refuse, or hear to be refused: they look as what the service refuses of a form. Skipped,
 * by name, where there is no Chromium; in CI that is a failure.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { chromium } from "../documents/browser.ts"
import { newLink } from "./CustomerBrowser.ts"
import { startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"
import { openPhone, type Phone } from "./phone.ts"

const isCi = process.env["CI"] === "true"

describe.skipIf(chromium === undefined && !isCi)("a file of no use, in Chromium", { timeout: 120_000 }, () => {
  let ground: PagesGround
  let phone: Phone
  let folder: string | undefined
  let files: Readonly<Record<"empty" | "document", string>>

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    ground = await startPages({}, "Harbour Cars")
    folder = await mkdtemp(join(tmpdir(), "journeys-files-"))
    files = { empty: join(folder, "empty.jpg"), document: join(folder, "document.pdf") }
    await writeFile(files.empty, "")
    await writeFile(files.document, "%PDF-1.4\n".repeat(200))
    phone = await openPhone(chromium, ground.service.baseUrl)
  })
  afterAll(async () => {
    await phone?.close()
    await ground?.service.stop()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  const at = async (journeyId: string, step: "VERIFY_IDENTITY" | "RECORD_VIDEO", path: string, shown: string) => {
    await phone.open(await newLink(ground.service, journeyId, step))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await phone.open(path)
    if (step === "VERIFY_IDENTITY") await phone.press("I agree")
    await phone.waitFor(shown)
    await phone.until(`[...document.querySelectorAll("#recorder, .photo-tools")].every((one) => !one.hidden)`)
  }

  /** The field, its reason and the summary, whose link leads to the field and which has the focus. */
  const isRefused = async (id: string, heading: string, text: string, name: string) => {
    await phone.until(`(() => {
      const field = document.getElementById(${JSON.stringify(id)})
      const reason = document.getElementById(field.id + "-error")
      const summary = document.querySelector("h1 + .summary[role=alert]")
      return reason?.innerText === ${JSON.stringify(`Error: ${text}`)} && reason.nextElementSibling === field
        && field.matches(".wrong [aria-invalid=true]") && field.getAttribute("aria-describedby").includes(reason.id)
        && summary.querySelector("h2").innerText === ${JSON.stringify(heading)} && document.activeElement === summary
        && summary.querySelector("a").hash === "#" + field.id && summary.innerText.includes(${JSON.stringify(text)})
    })()`)
    await phone.shoot(name)
    expect(await accessibilityProblems(phone)).toEqual([])
    expect(await phone.fits()).toBe(true)
  }

  const sent = (part: string) => phone.requested.filter((url) => url.includes(part))

  it("is told beside its photo's field: empty at once, and a document as what the service says of it", async () => {
    await at(await startCashSale(ground), "VERIFY_IDENTITY", "/app/identity", "Photo of your face")
    await phone.choose("#documentPhoto", files.empty)
    const empty = "This file is empty. Please choose another one."
    await isRefused("documentPhoto", "Please take one photo again", empty, "refused-empty")
    expect(sent("document-uploads")).toEqual([])
    await phone.choose("#documentPhoto", files.document)
    const unreadable = "This photo cannot be read. Please take another one, or choose a JPEG or PNG file."
    await isRefused("documentPhoto", "Please take one photo again", unreadable, "refused-photo")
    await phone.choose("#selfie", files.empty)
    await phone.waitFor("Please take both photos again")
    await phone.choose("#selfie", fileURLToPath(new URL("../../fixtures/photos/face.jpg", import.meta.url)))
    await phone.waitFor("This photo is ready")
    await isRefusedAlone()
  })

  /** A photo that is there takes its reason with it, and the other one's stays. */
  const isRefusedAlone = async () => {
    expect(await phone.evaluate(`document.querySelectorAll(".summary li, .error, .wrong").length`)).toBe(3)
    expect(await phone.evaluate(`document.querySelector(".summary h2").innerText`)).toBe("Please take one photo again")
    expect(await phone.evaluate(`document.getElementById("selfie").hasAttribute("aria-invalid")`)).toBe(false)
  }

  it("is told beside the video's field in the same way", async () => {
    await at(await startFinanceSale(ground, "IN_STORE"), "RECORD_VIDEO", "/app/video", "Choose a video")
    await phone.choose("#video", files.empty)
    await phone.press("Send")
    const empty = "This file is empty. Please choose or record another one."
    await isRefused("video", "The video could not be used", empty, "refused-empty-video")
    expect(sent("video-uploads").filter((url) => !url.endsWith("/challenge"))).toEqual([])
    await phone.choose("#video", files.document)
    await phone.press("Send")
    const unsupported =
      "It is not a kind of video we can read. Please record it here, or choose an MP4, MOV or WebM file."
    await isRefused("video", "The video could not be used", unsupported, "refused-video")
    expect(phone.complaints).toEqual([])
  })
})
