/**
 * A page that its customer reloads, goes back to, or leaves open until they are signed out: it sends nothing again, and says what has
 * happened. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { newLink } from "./CustomerBrowser.ts"
import { startCashSale, startFinanceSale, type PagesGround } from "./pagesGround.ts"
import { onLine, type Phone } from "./phone.ts"
import { describeInChromium, onPhone } from "./phoneGround.ts"

const photo = (name: string) => fileURLToPath(new URL(`../../fixtures/photos/${name}`, import.meta.url))
const { address, frame, identity, notices, video } = wordsOf("en")

describeInChromium("coming back to a page, in Chromium", { timeout: 180_000 }, () => {
  let ground: PagesGround
  let phone: Phone

  onPhone((here) => ({ ground, phone } = here))

  const signIn = async (journeyId: string, step: "VERIFY_IDENTITY" | "CONFIRM_ADDRESS" | "RECORD_VIDEO") => {
    await phone.command("Network.clearBrowserCookies")
    await phone.open(await newLink(ground.service, journeyId, step))
    await phone.press("Continue")
    await phone.waitFor("Your steps")
  }

  const atPhotos = async () => {
    const journeyId = await startCashSale(ground)
    await signIn(journeyId, "VERIFY_IDENTITY")
    await phone.press("Start")
    await phone.press("I agree")
    await phone.until(`document.querySelector('[data-name="selfie"] .photo-tools')?.hidden === false`)
    return journeyId
  }

  /** As over a night. */
  const runOut = (journeyId: string) =>
    ground.service.query("update customer_sessions set seen_at = now() - interval '31 minutes' where journey_id = $1", [
      journeyId
    ])

  /** Leads to another page, which has come when this is over. */
  const goes = async (how: () => Promise<unknown>) => {
    await phone.evaluate("document.body.dataset.isOld = true")
    await how()
    await phone.until(`document.readyState === "complete" && document.body?.dataset.isOld === undefined`)
  }
  const reload = () => goes(() => phone.command("Page.reload"))
  const goBack = () => goes(() => phone.evaluate("history.back()"))
  const text = async () => String(await phone.evaluate("document.body.innerText"))

  it("after photos that were refused sends no photo again, and asks for both as at first", async () => {
    await atPhotos()
    await phone.choose("#documentPhoto", photo("face-grey.jpg"))
    await phone.choose("#selfie", photo("face.jpg"))
    await phone.waitFor(identity.script.bothReady)
    await phone.press(identity.check)
    await phone.waitFor(identity.samePhoto.heading)
    const isFirstForm = async () => {
      expect(await text()).toContain(identity.intro)
      expect(await text()).toContain(identity.triesLeft({ left: 4, of: 5 }))
      expect(await text()).not.toContain(identity.problems.MISSING)
    }
    await reload()
    await isFirstForm()
    await goes(() => phone.open("/app/journey"))
    await goBack()
    await isFirstForm()
  })

  it("after an address with mistakes shows the form", async () => {
    await signIn(await startFinanceSale(ground, "HOME_DELIVERY"), "CONFIRM_ADDRESS")
    await phone.press("Continue")
    await phone.waitFor(address.noneOnFile)
    await phone.press(address.deliverToThis)
    await phone.waitFor(address.lookAgain({ count: 4 }))
    await goes(() => phone.open("/app/journey"))
    await goBack()
    expect(await text()).toContain(address.noneOnFile)
    expect(await text()).not.toContain(address.problems.MISSING({ field: "Street" }))
  })

  it("after a new link was mailed has the button for another one", async () => {
    const journeyId = await startCashSale(ground)
    const link = await newLink(ground.service, journeyId, "VERIFY_IDENTITY")
    await newLink(ground.service, journeyId, "VERIFY_IDENTITY")
    await phone.command("Network.clearBrowserCookies")
    await phone.open(link)
    await phone.press(notices.linkEnded.button)
    await phone.waitFor(notices.newLink.heading)
    await reload()
    expect(await text()).toContain(notices.linkEnded.button)
    const asked = "select from mails where journey_id = $1 and cause like $1 || '|asked|%'"
    expect(await ground.service.query(asked, [journeyId])).toHaveLength(1)
  })

  it("that was open until its customer was signed out says so, and shows nothing of them any more", async () => {
    const journeyId = await startCashSale(ground)
    await signIn(journeyId, "VERIFY_IDENTITY")
    await runOut(journeyId)
    await goes(() => phone.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`))
    expect(await text()).toContain(notices.runOut.heading)
    expect(await text()).not.toContain("AB12 CDE")
    await phone.shoot("left-open")
  })

  const comesBack = () => phone.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`)
  const isSaid = () => phone.evaluate(`document.querySelector("#session").checkVisibility()`)

  it("says that its customer will soon be signed out, and one press keeps them signed in where they were typing", async () => {
    const journeyId = await startFinanceSale(ground, "HOME_DELIVERY")
    await signIn(journeyId, "CONFIRM_ADDRESS")
    await phone.press("Continue")
    await phone.waitFor(address.noneOnFile)
    await comesBack()
    expect(await isSaid()).toBe(false)
    await ground.service.query(
      "update customer_sessions set seen_at = now() - interval '28 minutes' where journey_id = $1",
      [journeyId]
    )
    await phone.evaluate(`document.querySelector("main input:not([type=hidden])").focus()`)
    await comesBack()
    await phone.waitFor(frame.session.soon({ minutes: 3 }))
    await phone.shoot("signed-out-soon")
    expect(await phone.fits()).toBe(true)
    expect(await phone.awkward()).toEqual([])
    await phone.evaluate(`document.querySelector("#session button").focus()`)
    await phone.press(frame.session.stay)
    await phone.waitFor(frame.session.stays)
    expect(await phone.evaluate("document.activeElement.tagName")).toBe("INPUT")
    const fresh = "select from customer_sessions where journey_id = $1 and seen_at > now() - interval '1 minute'"
    expect(await ground.service.query(fresh, [journeyId])).toHaveLength(1)
    await comesBack()
    await phone.until(`document.querySelector("#session").hidden`)
  })

  it("says that its customer will be signed out whatever they do, and later that they were", async () => {
    const journeyId = await startFinanceSale(ground, "HOME_DELIVERY")
    await signIn(journeyId, "CONFIRM_ADDRESS")
    await phone.press("Continue")
    await phone.waitFor(address.noneOnFile)
    await ground.service.query(
      "update customer_sessions set opened_at = now() - interval '11 hours 58 minutes' where journey_id = $1",
      [journeyId]
    )
    await comesBack()
    await phone.waitFor(frame.session.last({ minutes: 3 }))
    expect(await text()).not.toContain(frame.session.stay)
    await runOut(journeyId)
    await comesBack()
    await phone.waitFor(frame.session.over)
    await phone.shoot("signed-out-now")
    await goes(() => phone.press(frame.session.signInAgain))
    expect(await text()).toContain(notices.runOut.heading)
  })

  it("says before a video is recorded that its customer was signed out, or that the purchase has ended", async () => {
    const journeyId = await startFinanceSale(ground, "IN_STORE")
    await signIn(journeyId, "RECORD_VIDEO")
    await phone.open("/app/video")
    await phone.waitFor(video.buttons.camera)
    await runOut(journeyId)
    await goes(() => phone.press(video.buttons.camera))
    expect(await text()).toContain(notices.runOut.heading)
  })

  it("goes on with a photo of whoever signed in again meanwhile, and tells anybody else how to", async () => {
    const journeyId = await atPhotos()
    const other = await newLink(ground.service, journeyId, "VERIFY_IDENTITY")
    // In another tab of the same browser.
    await phone.evaluate(`fetch(${JSON.stringify(other)}).then((answer) => answer.text()).then((page) => {
      const token = /name="token" value="([^"]+)"/.exec(page.split("<main")[1])[1]
      return fetch(${JSON.stringify(other)}, { method: "POST", body: new URLSearchParams({ token }) })
    })`)
    await goes(() => phone.choose("#documentPhoto", photo("document.jpg")))
    await phone.waitFor(identity.script.ready)
    await runOut(journeyId)
    await goes(() => phone.choose("#selfie", photo("face.jpg")))
    expect(await text()).toContain(notices.runOut.heading)
  })

  it("for another purchase sends no photo that waited for the one before", async () => {
    const journeyId = await atPhotos()
    await runOut(journeyId)
    await goes(() => phone.choose("#selfie", photo("face.jpg")))
    expect(await phone.evaluate(`sessionStorage.getItem("photo-selfie") !== null`)).toBe(true)
    const before = phone.requested.length
    await atPhotos()
    expect(await phone.evaluate(`sessionStorage.getItem("photo-selfie")`)).toBeNull()
    expect(phone.requested.slice(before).filter((url) => url.includes("selfie-uploads"))).toEqual([])
  })

  it("leads to a photo whose sending broke, and does not ask to take it again", async () => {
    await atPhotos()
    const offline = (isOffline: boolean) =>
      phone.command("Network.emulateNetworkConditions", onLine({ offline: isOffline }))
    await offline(true)
    await phone.choose("#documentPhoto", photo("document.jpg"))
    await phone.waitFor(identity.script.broken)
    await phone.press(identity.check)
    await phone.until(`document.activeElement.classList.contains("resume")`)
    expect(await text()).toContain(identity.script.broken)
    await offline(false)
    await phone.waitFor(identity.script.ready)
  })
})
