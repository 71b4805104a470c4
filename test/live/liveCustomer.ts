/**
 * A customer of a live journey with their own telephone, in a language, with or without scripts, on a good line or a bad one.
 * The customer reads the mail that came over SMTP, opens its link, and does what the pages ask. Link scanners always visit the
 * link first. Each page is looked at in light and dark; its pictures are kept under `test/output/live`.
 */
import { expect } from "vitest"
import type { HeadTurn } from "../../src/schema/media/headTurns.ts"
import { languages, type Language } from "../../src/schema/words/locale/languages.ts"
import { wordsOf, type Words } from "../../src/schema/words/words.ts"
import { secondsOfTurns } from "../http/app/camera.ts"
import { CustomerBrowser } from "../http/app/CustomerBrowser.ts"
import { phoneOf, type Phone } from "../http/app/phone.ts"
import { accessibilityProblems } from "../support/accessibility.ts"
import { startBadLine, type BadLine } from "../support/badLine.ts"
import type { Ground } from "./liveGround.ts"
import { mailedLink, type Wanted } from "./mailedLink.ts"
import { recordFor, turnsAsked } from "./videoOfCustomer.ts"

/** What a customer works with. Paths are of files on the telephone. */
type Surroundings = Pick<Ground, "browser" | "service" | "mail" | "photo" | "document" | "turnBeforeCamera" | "videoOf">

/** What is special about a customer. The usual one reads English, has scripts, and has a good line. */
export interface Habits {
  readonly language?: Language
  readonly hasScripts?: boolean
  readonly isLineBad?: boolean
  /** The language of mail before the customer has visited: the company's. */
  readonly companysLanguage?: Language
}

export const emailOf = (name: string) => `${name}@customer.example`

/** Fewer attempts than a customer has in a day. */
const mostTries = 4

/** Bytes a second in each direction, and milliseconds before each answer. */
const slow = { offline: false, latency: 200, downloadThroughput: 100_000, uploadThroughput: 100_000 }

export class LiveCustomer {
  readonly #around: Surroundings
  readonly #name: string
  readonly #hasScripts: boolean
  readonly #line: BadLine | null
  readonly words: Words
  readonly phone: Phone
  /** Of mail: what the customer has chosen counts once the customer has been here. */
  #mailLanguage: Language
  #pictures = 0

  private constructor(around: Surroundings, name: string, phone: Phone, line: BadLine | null, habits: Habits) {
    const { companysLanguage = "en", hasScripts = true, language = "en" } = habits
    this.#around = around
    this.#name = name
    this.#line = line
    this.#hasScripts = hasScripts
    this.#mailLanguage = companysLanguage
    this.words = wordsOf(language)
    this.phone = phone
  }

  static async meet(around: Surroundings, name: string, habits: Habits = {}): Promise<LiveCustomer> {
    const page = await around.browser.newPage()
    const line = habits.isLineBad === true ? await startBadLine(around.service.baseUrl) : null
    const phone = await phoneOf(page, line?.url ?? around.service.baseUrl, "live")
    const customer = new LiveCustomer(around, name, phone, line, habits)
    const { locale } = languages[customer.words.code]
    await phone.command("Network.setExtraHTTPHeaders", { headers: { "Accept-Language": `${locale}, de;q=0.5` } })
    if (line !== null) await phone.command("Network.emulateNetworkConditions", slow)
    await customer.#allowScripts(customer.#hasScripts)
    return customer
  }

  async #allowScripts(isAllowed: boolean): Promise<void> {
    await this.phone.command("Emulation.setScriptExecutionDisabled", { value: !isAllowed })
  }

  /** Waits for words on a page that has come whole, and looks at the page. */
  async sees(words: string, page: string): Promise<void> {
    await this.#reads(words)
    await this.looks(page)
  }

  async #reads(words: string): Promise<void> {
    await this.phone.waitFor(words)
    await this.phone.until(`document.readyState === "complete"`)
  }

  /** In light and dark: the page fits, has no fault that axe-core finds, and is in the customer's language. */
  async looks(page: string): Promise<void> {
    const { phone } = this
    this.#pictures += 1
    const picture = `${this.#name}-${String(this.#pictures).padStart(2, "0")}-${page}`
    expect(await phone.evaluate("document.documentElement.lang"), picture).toBe(languages[this.words.code].locale)
    for (const isDark of [false, true]) {
      await phone.dark(isDark)
      await phone.shoot(isDark ? `${picture}-dark` : picture)
      // axe-core is a script. The page's own scripts were left out when it was loaded, and stay so.
      await this.#allowScripts(true)
      expect(await accessibilityProblems(phone), picture).toEqual([])
      await this.#allowScripts(this.#hasScripts)
    }
    await phone.dark(false)
    expect(await phone.fits(), `${page} fits a narrow telephone`).toBe(true)
  }

  /** Signs in with the link of a mail that scanners have looked at before. Nobody can use the link afterwards. */
  async opens(asking: Wanted["asking"]): Promise<void> {
    const { code, journey, link: says } = this.words
    const link = await mailedLink(this.#around.mail, {
      to: emailOf(this.#name),
      asking,
      language: this.#mailLanguage
    })
    await this.#scan(link)
    await this.phone.open(link)
    await this.sees(says.forYou, "link")
    await this.phone.press(says.button)
    await this.sees(journey.yourSteps, "journey")
    this.#mailLanguage = code
    expect((await new CustomerBrowser(this.#around.service).signIn(link)).status).toBe(404)
  }

  /** HEAD, GET twice, and a headless browser that runs the scripts of the page. */
  async #scan(link: string): Promise<void> {
    const { browser, service } = this.#around
    for (const method of ["HEAD", "GET", "GET"]) {
      expect((await new CustomerBrowser(service).ask(link, { method })).status).toBe(200)
    }
    const scanner = await browser.newPage(`${service.baseUrl}${link}`)
    await scanner.until(`document.readyState === "complete" && document.querySelector("main form button") !== null`)
    await scanner.close()
  }

  /** Reads the notice before a camera and agrees, unless a consent came with the start. */
  async #agrees(step: "identity" | "video"): Promise<void> {
    const { consent } = this.words
    await this.phone.until(`document.readyState === "complete" && location.pathname !== "/app/journey"`)
    if ((await this.#path()) !== `/app/consent/${step}`) return
    await this.sees(consent.howLong, `${step}-consent`)
    await this.phone.press(consent[step].agree)
  }

  async #path(): Promise<unknown> {
    return this.phone.evaluate("location.pathname")
  }

  /** Presses what leads to another page, and waits for that page. */
  async #leadsOn(press: () => Promise<unknown>): Promise<void> {
    await this.phone.evaluate("document.body.dataset.isOld = true")
    await press()
    await this.phone.until(`document.readyState === "complete" && document.body?.dataset.isOld === undefined`)
  }

  /** Sends a page's form. Where the line breaks, the customer opens the page again, and sends again what has not arrived. */
  async #sends(fill: () => Promise<void>, press: () => Promise<unknown>): Promise<void> {
    const path = String(await this.#path())
    for (let tries = 1; tries <= mostTries; tries += 1) {
      await fill()
      await this.#leadsOn(press)
      if ((await this.phone.evaluate("location.protocol")) !== "chrome-error:") return
      await this.phone.open(path)
      if ((await this.#path()) !== path) return
    }
    throw new Error(`${path} could not be sent`)
  }

  /** The built-in check: a photo of the document from a file, and one of the face, from a file or taken in the page. */
  async verifiesHere(face: "CAMERA" | "FILE"): Promise<void> {
    const { frame, identity, journey, steps } = this.words
    await this.phone.press(steps.VERIFY_IDENTITY.start)
    await this.#agrees("identity")
    await this.sees(identity.selfie.label, "identity")
    const check = () => this.phone.press(identity.check)
    await this.#sends(() => this.#choosesPhotos(face), check)
    // A machine that is busy with other tests may be too slow to look. The page then asks the customer to try again.
    for (let tries = 1; tries < mostTries && (await this.#isTooBusy()); tries += 1) await this.#leadsOn(check)
    if ((await this.#path()) !== "/app/journey") {
      await this.sees(identity.verified.heading, "identity-verified")
      await this.phone.press(frame.seeJourney)
    }
    await this.sees(journey.yourSteps, "journey-verified")
  }

  async #choosesPhotos(face: "CAMERA" | "FILE"): Promise<void> {
    const { phone } = this
    await phone.choose("#documentPhoto", this.#around.document)
    if (face === "CAMERA") await this.#takesFace()
    else await phone.choose("#selfie", this.#around.photo)
    if (this.#hasScripts) await phone.waitFor(this.words.identity.script.bothReady)
    await this.looks("identity-photos")
  }

  /** With the camera in the page, when it says that the view is good. */
  async #takesFace(): Promise<void> {
    const { phone } = this
    const { camera, script } = this.words.identity
    await phone.until(`document.querySelector('[data-name="selfie"] .open-camera').checkVisibility()`)
    await phone.evaluate(`document.querySelector('[data-name="selfie"] .open-camera').click()`)
    await phone.until(`document.getElementById("stage").dataset.hint === "GOOD"`)
    await this.looks("identity-camera")
    await phone.press(camera.shoot)
    await this.sees(script.look, "identity-camera-taken")
    await phone.press(camera.use)
  }

  async #isTooBusy(): Promise<boolean> {
    const { heading } = this.words.identity.unavailable
    return (await this.phone.evaluate(`document.body.innerText.includes(${JSON.stringify(heading)})`)) === true
  }

  /** The check of an outside provider, on the provider's page. */
  async goesToPartner(button: string): Promise<void> {
    const { provider } = this.words.identity
    await this.phone.press(button)
    await this.sees(provider.text, "identity-partner")
    await this.phone.press(provider.button)
    await this.phone.waitFor("The partner's check")
  }

  /** Confirms the first address on file, or gives this one if none is on file. */
  async confirmsAddress(given: Readonly<Record<string, string>> | null): Promise<void> {
    const { phone } = this
    const { address, steps } = this.words
    await phone.press(steps.CONFIRM_ADDRESS.start)
    if (given === null) {
      await this.sees(address.addressesOnFile, "address-on-file")
      await phone.press(address.deliverToChosen)
    } else {
      await this.#reads(address.noneOnFile)
      for (const [id, value] of Object.entries(given)) {
        await phone.evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(value)}`)
      }
      await this.looks("address")
      await phone.press(address.deliverToThis)
    }
    await this.sees(steps.RECORD_VIDEO.name, "journey-video")
  }

  async sendsVideo(from: "CAMERA" | "FILE"): Promise<void> {
    const { phone } = this
    const { steps, video } = this.words
    await phone.press(steps.RECORD_VIDEO.start)
    await this.#agrees("video")
    await this.sees(video.choose, "video")
    const turns = await turnsAsked(phone, this.words)
    if (from === "CAMERA") await this.#records(turns)
    else {
      const film = await this.#around.videoOf(turns)
      await this.#sends(
        () => phone.choose("#video", film),
        () => phone.evaluate(`document.querySelector("#plain button").click()`)
      )
    }
    await phone.until(`location.pathname === "/app/journey" && document.readyState === "complete"`)
    await this.looks("journey-video-sent")
  }

  /** A first video without the turns, which the customer does not send, and another one with them. */
  async #records(turns: ReadonlyArray<HeadTurn>): Promise<void> {
    const { phone } = this
    const { buttons, script } = this.words.video
    const picture = `${this.#name}-video-recording`
    await phone.waitFor(buttons.camera)
    await phone.press(buttons.camera)
    await this.sees(buttons.record, "video-camera")
    await recordFor(phone, this.words, 1, picture)
    await this.sees(script.watch, "video-recorded")
    await this.#around.turnBeforeCamera(turns)
    await phone.press(buttons.again)
    await recordFor(phone, this.words, secondsOfTurns, picture)
    await this.#reads(script.watch)
    await phone.press(buttons.send)
  }

  /** The page when nothing is left to do. Then the browser is closed. */
  async leaves(): Promise<void> {
    await this.phone.open("/app/journey")
    await this.sees(this.words.ending.heading, "journey-complete")
    expect(this.phone.complaints).toEqual([])
    await this.phone.close()
    if (this.#line === null) return
    const { answers, requests } = this.#line.lost()
    expect(requests + answers, "the line has lost something").toBeGreaterThan(0)
    await this.#line.close()
  }
}
