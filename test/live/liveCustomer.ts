/**
 * A customer of a live journey with their own telephone. The customer reads the mail that came over SMTP, opens its
 * link, and does what the pages ask. Link scanners always visit the link first. A picture of each page is kept under
 * `test/output/live`.
 */
import { expect } from "vitest"
import { CustomerBrowser } from "../http/app/CustomerBrowser.ts"
import { phoneOf, type Phone } from "../http/app/phone.ts"
import { eventually } from "../support/eventually.ts"
import type { MailServer } from "../support/mailServer.ts"
import type { Ground } from "./liveGround.ts"

/** What a customer works with. Paths are of files on the telephone. */
type Surroundings = Pick<Ground, "browser" | "service" | "mail" | "photo" | "video">

export const emailOf = (name: string) => `${name}@customer.example`

/** Milliseconds for what the service does by itself, on a machine that is busy with other tests. */
export const patienceMillis = 240_000

/** Fewer attempts than a customer has in a day. */
const mostTries = 4

export const subjects = {
  identity: /Please verify your identity/,
  identityAgain: /Please try again to verify your identity/,
  address: /Please confirm where/,
  video: /Please record the handover video/
} as const

/** The path of the link in the newest mail with a subject. */
const mailedLink = async ({ received }: MailServer, name: string, subject: RegExp): Promise<string> => {
  const mails = await eventually(
    () => received.filter(({ header, to }) => to.includes(emailOf(name)) && subject.test(header("Subject") ?? "")),
    (found) => found.length > 0,
    patienceMillis
  )
  const text = (mails.at(-1)?.raw ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=")
  return /(\/app\/l\/[A-Za-z0-9_-]+)/.exec(text)?.[1] ?? ""
}

export class LiveCustomer {
  readonly #around: Surroundings
  readonly #name: string
  readonly phone: Phone
  #pictures = 0

  private constructor(around: Surroundings, name: string, phone: Phone) {
    this.#around = around
    this.#name = name
    this.phone = phone
  }

  static async meet(around: Surroundings, name: string): Promise<LiveCustomer> {
    const page = await around.browser.newPage()
    return new LiveCustomer(around, name, await phoneOf(page, around.service.baseUrl, "live"))
  }

  /** Waits for words on a page, and keeps a picture of the page. */
  async sees(words: string, page: string): Promise<void> {
    await this.phone.waitFor(words)
    await this.shoots(page)
  }

  async shoots(page: string): Promise<void> {
    this.#pictures += 1
    expect(await this.phone.fits(), `${page} fits a narrow telephone`).toBe(true)
    await this.phone.shoot(`${this.#name}-${String(this.#pictures).padStart(2, "0")}-${page}`)
  }

  /** Signs in with the link of a mail that scanners have looked at before. Nobody can use the link afterwards. */
  async opens(subject: RegExp): Promise<void> {
    const link = await mailedLink(this.#around.mail, this.#name, subject)
    await this.#scan(link)
    await this.phone.open(link)
    await this.sees("This link is for you alone", "link")
    await this.phone.press("Continue")
    await this.sees("Your steps", "journey")
    expect((await new CustomerBrowser(this.#around.service).signIn(link)).status).toBe(404)
  }

  /** HEAD, GET twice, and a headless browser that runs the scripts of the page. */
  async #scan(link: string): Promise<void> {
    const { browser, service } = this.#around
    for (const method of ["HEAD", "GET", "GET"]) {
      expect((await new CustomerBrowser(service).ask(link, { method })).status).toBe(200)
    }
    const scanner = await browser.newPage(`${service.baseUrl}${link}`)
    await scanner.until(`document.readyState === "complete" && document.body?.innerText.includes("Continue") === true`)
    await scanner.close()
  }

  /** The built-in check: a photo of the document from a file, and one of the face, from a file or taken just now. */
  async verifiesHere(face: "CAMERA" | "FILE"): Promise<void> {
    await this.phone.press("Start")
    await this.sees("Photo of your face", "identity")
    await this.#sendPhotos(face)
    // A machine that is busy with other tests may be too slow to look. The page then asks the customer to try again.
    for (let tries = 1; tries < mostTries && (await this.#isTooBusy()); tries += 1) await this.#sendPhotos(face)
    await this.sees("Thank you, that is you", "identity-verified")
    await this.phone.press("See where your journey stands")
    await this.sees("Your steps", "journey-verified")
  }

  async #sendPhotos(face: "CAMERA" | "FILE"): Promise<void> {
    const { phone } = this
    await phone.choose("#documentPhoto", this.#around.photo)
    if (face === "CAMERA") await phone.photograph("#selfie")
    else await phone.choose("#selfie", this.#around.photo)
    await phone.until(`[...document.querySelectorAll(".photo img")].filter((one) => one.complete).length === 2`)
    await this.shoots("identity-photos")
    await phone.evaluate("document.body.dataset.isOld = true")
    await phone.press("Check my photos")
    await phone.until(`document.readyState === "complete" && document.body?.dataset.isOld === undefined`)
  }

  async #isTooBusy(): Promise<boolean> {
    return (await this.phone.evaluate(`document.body.innerText.includes("The check cannot be done just now")`)) === true
  }

  /** The check of an outside provider, on the provider's page. */
  async goesToPartner(button: string): Promise<void> {
    await this.phone.press(button)
    await this.sees("The check is done on a partner's page", "identity-partner")
    await this.phone.press("Go to the identity check")
    await this.phone.waitFor("The partner's check")
  }

  /** Confirms the address on file, or gives this one if none is on file. */
  async confirmsAddress(given: Readonly<Record<string, string>> | null): Promise<void> {
    const { phone } = this
    await phone.press("Continue")
    if (given === null) {
      await this.sees("Yes, deliver here", "address-on-file")
      await phone.press("Yes, deliver here")
    } else {
      await phone.waitFor("We have no address on file")
      for (const [id, value] of Object.entries(given)) {
        await phone.evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(value)}`)
      }
      await this.shoots("address")
      await phone.press("Deliver to this address")
    }
    await this.sees("Record the handover video", "journey-video")
  }

  async sendsVideo(from: "CAMERA" | "FILE"): Promise<void> {
    const { phone } = this
    await phone.press("Continue")
    await this.sees("Use the camera", "video")
    if (from === "FILE") {
      await phone.choose("#video", this.#around.video)
      await phone.evaluate(`document.querySelector("#plain button").click()`)
    } else {
      await phone.press("Use the camera")
      await this.sees("Start recording", "video-camera")
      await phone.press("Start recording")
      await phone.waitFor("Recording: 3 of")
      await this.shoots("video-recording")
      await phone.press("Stop")
      await this.sees("Send this video", "video-recorded")
      await phone.press("Send this video")
    }
    await phone.until(`location.pathname === "/app/journey" && document.readyState === "complete"`)
    await this.shoots("journey-video-sent")
  }

  /** The page when nothing is left to do. Then the browser is closed. */
  async leaves(): Promise<void> {
    await this.phone.open("/app/journey")
    await this.sees("Your handover is complete", "journey-complete")
    expect(this.phone.complaints).toEqual([])
    await this.phone.close()
  }
}
