/** The customer's steps over HTTP without a script: the delivery address and the identity check's form. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { facePhoto } from "../../support/photos.ts"
import type { Service } from "../../support/service.ts"
import { tokenIn, wordsOf } from "./CustomerBrowser.ts"
import { journeyOf, signedIn, startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
let service: Service
let company: TestCompany

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
  company = ground.company
})
afterAll(() => service?.stop())

describe("the delivery address", () => {
  it("is asked for where none is on file, refused with the start's own rules, and kept sealed", async () => {
    const journeyId = await startFinanceSale(ground, "HOME_DELIVERY")
    const customer = await signedIn(ground, journeyId, "CONFIRM_ADDRESS")
    const page = await customer.ask("/app/address")
    expect(wordsOf(page)).toContain("We have no address on file")
    const token = tokenIn(page)
    const wrong = await customer.send("/app/address", { token, street: " ", city: "Leeds", postcode: "x".repeat(21) })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('aria-invalid="true" aria-describedby="street-error"')
    expect(wordsOf(wrong)).toContain("Error: Street is required")
    expect(wordsOf(wrong)).toContain("Error: Postcode must be at most 20 characters")
    expect(wrong.text).toContain('value="Leeds"')
    const given = { token, buildingNumber: "9", street: "CANARY Street", city: "Leeds", postcode: "LS1 1AA" }
    expect(await customer.send("/app/address", given)).toMatchObject({ status: 303, location: "/app/journey" })
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("AWAITING_VIDEO")
    const stored = await service.query<{ row: string }>(
      "select row_to_json(a)::text as row from delivery_addresses a union all select state::text from journeys union all select message::text from journal"
    )
    expect(stored.map(({ row }) => row).join("\n")).not.toContain("CANARY")
    expect(await customer.send("/app/address", given)).toMatchObject({ status: 303 })
    expect(await service.query("select from delivery_addresses where journey_id = $1", [journeyId])).toHaveLength(1)
  })

  it("is refused without the page's token, whoever is signed in", async () => {
    const journeyId = await startFinanceSale(ground, "HOME_DELIVERY")
    const customer = await signedIn(ground, journeyId, "CONFIRM_ADDRESS")
    const other = await signedIn(ground, await startFinanceSale(ground, "HOME_DELIVERY"), "CONFIRM_ADDRESS")
    const foreign = tokenIn(await other.ask("/app/address"))
    const address = { street: "Mill Lane", city: "Leeds", postcode: "LS1 1AA" }
    expect((await customer.send("/app/address", address)).status).toBe(403)
    expect((await customer.send("/app/address", { ...address, token: foreign })).status).toBe(403)
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("AWAITING_LOCATION")
  })
})

describe("the address of an application", () => {
  it("is shown to be confirmed, and confirmed with one button", async () => {
    const body = startBody("FINANCE_ALREADY_SUBMITTED")
    body.finance.decision = "APPROVED"
    body.finance.addressHistory = startExamples.FINANCE_SUBMIT_VIA_MIRA.finance.addressHistory
    const { data, status } = await start(service, company.liveKey, body)
    expect(status).toBe(202)
    const customer = await signedIn(ground, data.id, "VERIFY_IDENTITY")
    const token = tokenIn(await customer.ask("/app/identity"))
    const form = new FormData()
    form.set("token", token)
    form.set("documentPhoto", new Blob([facePhoto()], { type: "image/jpeg" }), "document.jpg")
    form.set("selfie", new Blob([facePhoto()], { type: "image/jpeg" }), "selfie.jpg")
    const checked = await customer.send("/app/identity", form)
    expect(wordsOf(checked)).toContain("Thank you, that is you")
    await eventually(
      () => journeyOf(ground, data.id),
      (journey) => journey.delivery?.status === "AWAITING_LOCATION"
    )
    const page = await customer.ask("/app/address")
    expect(wordsOf(page)).toContain("14 Station Approach Leeds West Yorkshire LS1 4DY")
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].slice(0, 6)
    const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]))
    expect((await customer.send("/app/address", fields)).status).toBe(303)
    expect((await journeyOf(ground, data.id)).delivery.status).toBe("AWAITING_VIDEO")
  })
})

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

describe("the identity check's form", () => {
  it("says by the field what is missing, too large or no photo", async () => {
    const journeyId = await startCashSale(ground)
    const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
    const token = tokenIn(await customer.ask("/app/identity"))
    const missing = await customer.send("/app/identity", photos(token, facePhoto(), null))
    expect(missing.status).toBe(422)
    expect(missing.text).toContain('id="selfie-error"')
    expect(missing.text).not.toContain('id="documentPhoto-error"')
    const large = await customer.send("/app/identity", photos(token, new Uint8Array(5 * 2 ** 20 + 1), facePhoto()))
    expect(wordsOf(large)).toContain("This photo has more than 5 MB")
    const noPhoto = await customer.send("/app/identity", photos(token, Buffer.from("no photo at all"), facePhoto()))
    expect(noPhoto.status).toBe(422)
    expect(noPhoto.text).toContain('id="documentPhoto-error"')
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("AWAITING_IDENTITY")
  })

  it("is refused without its token, and answered when far too much is sent", async () => {
    const customer = await signedIn(ground, await startCashSale(ground), "VERIFY_IDENTITY")
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
