/** A test journey's link: the real pages, with samples and outcomes beside them, nothing kept and nothing charged (S7, S8). */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { ask, askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { documentPhoto, facePhoto } from "../../support/photos.ts"
import type { Service } from "../../support/service.ts"
import { tokenIn, wordsOf, type Seen } from "./CustomerBrowser.ts"
import { journeyOf, signedIn, startCashSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
let service: Service

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
})
afterAll(() => service?.stop())

/** Somebody who has opened the link of a test journey. `tag`: of the customer's address. */
const atTest = async (tag = "+never", step: CustomerStep = "VERIFY_IDENTITY") => {
  const { testKey } = ground.company
  const journeyId = await startCashSale(ground, (body) => (body.customer.email = `buyer${tag}@example.com`), testKey)
  const customer = await signedIn(ground, journeyId, step)
  const token = tokenIn(await customer.ask("/app/journey"))
  const status = async (): Promise<string> => (await journeyOf(ground, journeyId, testKey)).delivery.status
  const send = (path: string, form: Readonly<Record<string, string>> = {}): Promise<Seen> =>
    customer.send(path, { token, ...form })
  const sendFiles = (path: string, files: Readonly<Record<string, Uint8Array>>): Promise<Seen> => {
    const form = new FormData()
    form.set("token", token)
    for (const [name, file] of Object.entries(files)) form.set(name, new Blob([Buffer.from(file)]), name)
    return customer.send(path, form)
  }
  return { journeyId, customer, token, status, send, sendFiles }
}

/** Rows that hold something of what the customer of this journey sent. */
const keptOf = async (journeyId: string): Promise<number> => {
  const [row] = await service.query<{ kept: string }>(
    `select (select count(*) from video_uploads where journey_id = $1) + (select count(*) from identity_attempts
      where journey_id = $1 and (sealed_document is not null or sealed_selfie is not null or sealed_prints is not null))
      as kept`,
    [journeyId]
  )
  return Number(row?.kept)
}

const sample = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(`${service.baseUrl}/app/samples/${name}`)).arrayBuffer())

describe("the link of a test journey", () => {
  it("opens the pages of a live one, marked, with samples and outcomes beside the step", async () => {
    const { customer } = await atTest()
    const journey = await customer.ask("/app/journey")
    expect(wordsOf(journey)).toContain("TEST This is a simulated purchase")
    expect(wordsOf(journey)).toContain("You need your passport, driving licence or identity card")
    await customer.agree("identity")
    const page = await customer.ask("/app/identity")
    expect(page.text).toContain('name="documentPhoto"')
    expect(page.text).toContain('href="/app/samples/document.jpg"')
    expect(page.text).toContain('value="identity.under_review"')
  })

  it("leads through real photos, a real address and a real video, keeps nothing of them and charges nothing", async () => {
    const { customer, journeyId, send, sendFiles, status } = await atTest()
    await customer.agree("identity")
    const [documentPhotoSample, selfie, video] = [
      await sample("document.jpg"),
      await sample("selfie.jpg"),
      await sample("video.mp4")
    ]
    const checked = await sendFiles("/app/identity", { documentPhoto: documentPhotoSample, selfie })
    expect(wordsOf(checked)).toContain("Thank you, that is you")
    expect(await status()).toBe("AWAITING_LOCATION")
    const address = { buildingNumber: "9", street: "Mill Lane", city: "Leeds", postcode: "LS2 8AA" }
    expect((await send("/app/address", address)).status).toBe(303)
    expect(await status()).toBe("AWAITING_VIDEO")
    await customer.agree("video")
    expect((await customer.ask("/app/video")).text).toContain('href="/app/samples/video.mp4"')
    expect((await sendFiles("/app/video", { video })).status).toBe(303)
    expect(await status()).toBe("VIDEO_UPLOADED")
    expect(await keptOf(journeyId)).toBe(0)
    const wallets = await askSettings(service, `/companies/${ground.company.id}/wallets`)
    for (const wallet of wallets.data.content) expect([wallet.balance, wallet.held]).toEqual([100, 0])
  })

  it("uses the samples at the press of a button", async () => {
    const { customer, journeyId, send, status } = await atTest()
    expect(await send("/app/samples/photos")).toMatchObject({ status: 303, location: "/app/consent/identity" })
    await customer.agree("identity")
    expect(wordsOf(await send("/app/samples/photos"))).toContain("Thank you, that is you")
    await send("/app/test-outcomes", { event: "delivery.location_confirmed" })
    await customer.agree("video")
    expect(await send("/app/samples/video")).toMatchObject({ status: 303, location: "/app/journey" })
    expect(await status()).toBe("VIDEO_UPLOADED")
    expect(await keptOf(journeyId)).toBe(0)
  })

  it("leads from the page after the samples to a page that opens in the chosen language", async () => {
    // A customer of this test alone: the service keeps the language with the customer.
    const { customer, send } = await atTest("+welsh+never")
    await customer.agree("identity")
    const page = await send("/app/samples/photos")
    const back = /name="back"\s+value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    const chosen = await send("/app/language", { language: "cy", back })
    expect(chosen).toMatchObject({ status: 303, location: "/app/identity" })
    expect((await customer.ask("/app/identity")).location).toBe("/app/journey")
    expect((await customer.ask("/app/journey")).text).toContain('lang="cy-GB"')
  })

  it("offers after a check what can come of the next step, and nothing of the one that has ended", async () => {
    for (const how of ["samples", "files"]) {
      const { customer, send, sendFiles } = await atTest()
      await customer.agree("identity")
      const files = { documentPhoto: await sample("document.jpg"), selfie: await sample("selfie.jpg") }
      const page = how === "samples" ? await send("/app/samples/photos") : await sendFiles("/app/identity", files)
      expect(wordsOf(page)).toContain("Thank you, that is you")
      expect(page.text).not.toContain('value="identity.')
      expect(page.text).toContain('value="delivery.location_confirmed"')
    }
  })

  it("says what comes by itself: of a journey that takes no step nothing, and of a step without samples no other choice", async () => {
    const { customer, send } = await atTest()
    expect(wordsOf(await customer.ask("/app/journey"))).toMatch(
      /Or choose what comes of this step\. This test journey takes no step/
    )
    await send("/app/test-outcomes", { event: "identity.verified" })
    const address = wordsOf(await customer.ask("/app/address"))
    expect(address).toContain(
      "Take this step on the page as a customer would, or choose what comes of it. This test journey takes no step"
    )
    expect(address).not.toContain("Or choose")
    await send("/app/test-outcomes", { event: "delivery.location_confirmed" })
    await customer.agree("video")
    await send("/app/samples/video")
    const waiting = wordsOf(await customer.ask("/app/journey"))
    expect(waiting).toContain("This test journey takes no step by itself. Press the button")
    expect(waiting).not.toContain("goes on by itself")
    const other = await atTest("")
    const page = wordsOf(await other.customer.ask("/app/journey"))
    expect(page).toContain("after ten minutes it goes on by itself")
    expect(page).not.toContain("takes no step by itself")
  })

  it("judges photos as in a live journey, and keeps none of those that are no use", async () => {
    const { customer, journeyId, sendFiles, status } = await atTest()
    await customer.agree("identity")
    const same = await sendFiles("/app/identity", { documentPhoto: facePhoto(), selfie: facePhoto() })
    expect(same.status).toBe(422)
    const unreadable = await sendFiles("/app/identity", { documentPhoto: documentPhoto(), selfie: Buffer.from("none") })
    expect(unreadable.status).toBe(422)
    expect(await status()).toBe("AWAITING_IDENTITY")
    expect(await keptOf(journeyId)).toBe(0)
  })

  it("still has a button for each outcome, and refuses one that is no longer possible", async () => {
    const { customer, send, status } = await atTest()
    expect((await send("/app/test-outcomes", { event: "identity.under_review" })).status).toBe(303)
    expect(await status()).toBe("IDENTITY_UNDER_REVIEW")
    expect((await send("/app/test-outcomes", { event: "finance_enquiry.approved" })).status).toBe(303)
    expect(await status()).toBe("IDENTITY_UNDER_REVIEW")
    expect((await send("/app/test-outcomes", { event: "delivery.completed" })).status).toBe(303)
    expect(await status()).toBe("COMPLETED")
    expect((await customer.ask("/app/identity")).status).toBe(303)
  })
})

/** When the journey goes on by itself. */
const tickOf = async (journeyId: string): Promise<number> => {
  const [row] = await service.query<{ at: string }>(
    "select (state -> 'sandbox' ->> 'tickAt') as at from journeys where id = $1",
    [journeyId]
  )
  return Number(row?.at)
}

describe("a test journey that goes on by itself", () => {
  it("waits ten minutes for somebody who has opened a page, and not for a page that looks by itself", async () => {
    const { customer, journeyId, send, status } = await atTest("")
    const held = await tickOf(journeyId)
    const [created] = await service.query<{ at: Date }>("select created_at as at from journeys where id = $1", [
      journeyId
    ])
    expect(held - (created?.at.getTime() ?? 0)).toBeGreaterThan(9 * 60_000)
    await customer.ask("/app/identity")
    await customer.ask("/app/journey", { headers: { "x-look": "1" } })
    expect(await tickOf(journeyId)).toBe(held)
    expect(await status()).toBe("AWAITING_IDENTITY")
    // Nothing is asked of the customer while the service checks the video: then nobody is waited for.
    await send("/app/test-outcomes", { event: "delivery.video_uploaded" })
    await eventually(status, (now) => now === "VIDEO_UPLOADED")
    await customer.ask("/app/journey")
    expect(await tickOf(journeyId)).toBeLessThan(held)
  })

  it("waits ten minutes for the reviewer whom the customer has chosen, and after a rejection for the customer", async () => {
    const reviews = `/companies/${ground.company.id}/reviews`
    const rejected = async (journeyId: string) => {
      const { data } = await askSettings(service, `${reviews}?mode=TEST&size=100`)
      const review = data.content.find((one: { readonly journeyId: string }) => one.journeyId === journeyId)
      const body = { decision: "REJECT", reason: "The document is too dark" }
      expect((await askSettings(service, `${reviews}/${review.id}/decision`, { body })).status).toBe(200)
      return (await tickOf(journeyId)) - Date.now()
    }
    const { journeyId, send, status } = await atTest("")
    await send("/app/test-outcomes", { event: "identity.under_review" })
    await eventually(status, (now) => now === "IDENTITY_UNDER_REVIEW")
    expect((await tickOf(journeyId)) - Date.now()).toBeGreaterThan(8 * 60_000)
    expect(await rejected(journeyId)).toBeGreaterThan(8 * 60_000)
    // Nobody is signed in at the pages of this one: a program that decides reviews waits for nobody.
    const { testKey } = ground.company
    const other = await startCashSale(ground, (body) => (body.customer.email = "buyer@example.com"), testKey)
    const event = { body: { event: "identity.under_review" } }
    expect((await ask(service, testKey, `/api/v1/journeys/${other}/simulate`, event)).status).toBe(200)
    expect(await rejected(other)).toBeLessThan(60_000)
  })
})

describe("a live journey", () => {
  it("has neither samples nor outcomes", async () => {
    const journeyId = await startCashSale(ground)
    const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
    const page = await customer.ask("/app/journey")
    expect(page.text).not.toContain("/app/samples/")
    const token = tokenIn(page)
    for (const path of ["/app/samples/photos", "/app/samples/video", "/app/test-outcomes"]) {
      expect((await customer.send(path, { token, event: "identity.verified" })).status).toBe(303)
    }
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("AWAITING_IDENTITY")
  })
})
