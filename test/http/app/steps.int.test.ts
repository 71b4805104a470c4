/** The identity check's form over HTTP without a script. The delivery address: address.int.test.ts. */
import { escapedHtml } from "../../../src/schema/escapedHtml.ts"
import { languageCodes } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf as catalogueOf } from "../../../src/schema/words/words.ts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../support/eventually.ts"
import { facePhoto } from "../../support/photos.ts"
import type { Service } from "../../support/service.ts"
import { tokenIn, wordsOf } from "./CustomerBrowser.ts"
import { journeyOf, signedIn, startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
let service: Service

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
})
afterAll(() => service?.stop())

const photos = (token: string, document: Uint8Array | null, selfie: Uint8Array | null): FormData => {
  const form = new FormData()
  form.set("token", token)
  for (const [name, photo] of [
    ["documentPhoto", document],
    ["selfie", selfie]
  ] as const) {
    if (photo !== null) form.set(name, new Blob([Buffer.from(photo)], { type: "image/jpeg" }), `${name}.jpg`)
  }
  return form
}

it("says on the journey's page until when the step can be done, as its reminders do", async () => {
  const journeyId = await startFinanceSale(ground, "IN_STORE")
  const customer = await signedIn(ground, journeyId, "RECORD_VIDEO")
  const deadline = Date.parse((await journeyOf(ground, journeyId)).delivery.expiresAt)
  for (const code of languageCodes) {
    const { formats, journey } = catalogueOf(code)
    const page = await customer.ask("/app/journey", { headers: { "accept-language": code } })
    expect(wordsOf(page)).toContain(escapedHtml(journey.until({ until: formats.moment(deadline) })))
  }
})

it.each([
  ["/app/identity", "VERIFY_IDENTITY", "identity"],
  ["/app/video", "RECORD_VIDEO", "video"]
] as const)(
  "%s says how long photos stay and whom to ask for one's data, in every language",
  async (path, step, consent) => {
    const journeyId = step === "RECORD_VIDEO" ? await startFinanceSale(ground, "IN_STORE") : await startCashSale(ground)
    const customer = await signedIn(ground, journeyId, step)
    await customer.agree(consent)
    for (const code of languageCodes) {
      const page = await customer.ask(path, { headers: { "accept-language": code } })
      expect(page.status).toBe(200)
      const { ending } = catalogueOf(code)
      const [whomToAsk = ""] = ending.yourData({ company: "|" }).split("|")
      expect(page.text).toContain(`${escapedHtml(ending.kept({ days: 30 }))} ${escapedHtml(whomToAsk)}`)
    }
  }
)

describe("the identity check's form", () => {
  it("says by the field what is missing, too large or no photo", async () => {
    const journeyId = await startCashSale(ground)
    const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
    await customer.agree("identity")
    const token = tokenIn(await customer.ask("/app/identity"))
    const missing = await customer.send("/app/identity", photos(token, facePhoto(), null))
    expect(missing.status).toBe(422)
    expect(missing.text).toContain('id="selfie-error"')
    expect(missing.text).not.toContain('id="documentPhoto-error"')
    const tooLarge = new Uint8Array(5 * 2 ** 20 + 1)
    const alone = await customer.send("/app/identity", photos(token, tooLarge, null))
    expect(wordsOf(alone)).toContain("This photo has more than 5 MB")
    expect(alone.text).toContain('id="selfie-error"')
    // The other photo was forgotten, and the page asked for one photo again.
    const large = await customer.send("/app/identity", photos(token, tooLarge, facePhoto()))
    expect(wordsOf(large)).toContain("This photo has more than 5 MB")
    expect(large.text).not.toContain('id="selfie-error"')
    expect(wordsOf(large)).toContain("We have this photo")
    // A machine that is busy with other tests may be too slow to look at the good photo.
    const noPhoto = await eventually(
      () => customer.send("/app/identity", photos(token, Buffer.from("no photo at all"), facePhoto())),
      ({ status }) => status !== 503,
      50_000
    )
    expect(noPhoto.status).toBe(422)
    expect(noPhoto.text).toContain('id="documentPhoto-error"')
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("AWAITING_IDENTITY")
  })

  it("is refused without its token, and answered when far too much is sent", async () => {
    const customer = await signedIn(ground, await startCashSale(ground), "VERIFY_IDENTITY")
    await customer.agree("identity")
    expect((await customer.send("/app/identity", photos("x", facePhoto(), facePhoto()))).status).toBe(403)
    const token = tokenIn(await customer.ask("/app/identity"))
    const flood = await customer.send("/app/identity", photos(token, new Uint8Array(30 * 2 ** 20), facePhoto()))
    expect(flood.status).toBe(413)
    expect(flood.text).toContain("<h1>")
  })

  it("sends a customer elsewhere whose step it is not", async () => {
    const customer = await signedIn(ground, await startFinanceSale(ground, "IN_STORE"), "RECORD_VIDEO")
    for (const path of ["/app/identity", "/app/address"]) {
      expect(await customer.ask(path)).toMatchObject({ status: 303, location: "/app/journey" })
    }
    expect((await customer.ask("/app/video")).status).toBe(200)
  })
})
