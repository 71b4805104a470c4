/**
 * The consent before every camera (D7): nothing is taken without it, the answer is recorded, a refusal goes to the team, and a
 * withdrawal deletes every photo and video, whatever happens meanwhile.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { biometricColumns } from "../../../src/runtime/stores/checks/PostgresBiometrics.ts"
import { askSettings } from "../../support/companies.ts"
import { sayAsCustomer } from "../../support/consents.ts"
import { eventually } from "../../support/eventually.ts"
import { facePhoto } from "../../support/photos.ts"
import { noticeIn, tokenIn, wordsOf, type CustomerBrowser } from "./CustomerBrowser.ts"
import { journeyOf, signedIn, startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
beforeAll(async () => {
  ground = await startPages()
})
afterAll(() => ground.service.stop())

const asking = async () => {
  const journeyId = await startCashSale(ground)
  return { journeyId, customer: await signedIn(ground, journeyId, "VERIFY_IDENTITY") }
}

const journalOf = (journeyId: string) =>
  ground.service.query<{ readonly message: Readonly<Record<string, string>>; readonly sender: string }>(
    "select sender, message from journal where journey_id = $1 and message ->> '_tag' like 'Consent%' order by version",
    [journeyId]
  )

const submit = async (customer: CustomerBrowser, path: string) => {
  const page = await customer.ask(path)
  return customer.send(path, { token: tokenIn(page), notice: noticeIn(page) })
}

const photosOf = (journeyId: string) =>
  ground.service.query<{ readonly sealed: Uint8Array }>(
    `select sealed from customer_photos where journey_id = $1
    union all select sealed_document from identity_attempts where journey_id = $1 and sealed_document is not null
    union all select sealed_selfie from identity_attempts where journey_id = $1 and sealed_selfie is not null
    union all select sealed_prints from identity_attempts where journey_id = $1 and sealed_prints is not null
    union all select sealed_portrait from provider_results where journey_id = $1 and sealed_portrait is not null
    union all select c.sealed from video_chunks c join video_uploads u on u.id = c.upload_id where u.journey_id = $1`,
    [journeyId]
  )

const photos = (token: string) => {
  const form = new FormData()
  form.set("token", token)
  for (const name of ["documentPhoto", "selfie"]) {
    form.set(name, new Blob([new Uint8Array(facePhoto())], { type: "image/jpeg" }), `${name}.jpg`)
  }
  return form
}

describe("before the photos of the identity check", () => {
  it("the page says what is compared, by whom, how long it is kept, and the notice's version", async () => {
    const { company, service } = ground
    await askSettings(service, `/companies/${company.id}`, {
      method: "PATCH",
      body: { mediaRetentionDays: 17 }
    })
    const { customer } = await asking()
    expect((await customer.ask("/app/identity")).location).toBe("/app/consent/identity")
    const page = await customer.ask("/app/consent/identity")
    for (const words of [
      "The face on the photo of your identity document is compared with the face on your selfie",
      "For Harbour",
      "deleted 17 days after your purchase has ended",
      "Notice identity-2-en"
    ]) {
      expect(wordsOf(page)).toContain(words)
    }
  })

  it("no photo is taken without it, by the form or in parts", async () => {
    const { customer, journeyId } = await asking()
    const token = tokenIn(await customer.ask("/app/consent/identity"))
    expect((await customer.send("/app/identity", photos(token))).location).toBe("/app/consent/identity")
    const headers = { origin: ground.service.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token }
    const part = await customer.ask("/app/document-uploads", { method: "POST", headers })
    expect([part.status, JSON.parse(part.text)]).toEqual([409, { code: "NOT_ASKED" }])
    expect(await photosOf(journeyId)).toEqual([])
    expect(await ground.service.query("select from identity_attempts where journey_id = $1", [journeyId])).toEqual([])
  })

  it("agreeing is recorded with its version, and leads to the photos", async () => {
    const { customer, journeyId } = await asking()
    expect((await customer.agree("identity")).location).toBe("/app/identity")
    expect((await customer.ask("/app/identity")).status).toBe(200)
    expect(await journalOf(journeyId)).toEqual([
      { sender: "customer", message: { _tag: "ConsentGiven", step: "identity", notice: "identity-2-en" } }
    ])
    // Asked once, a customer is not asked again.
    expect((await customer.ask("/app/consent/identity")).location).toBe("/app/identity")
  })

  it("whoever has agreed is asked no more: a form that was left open counts for nothing", async () => {
    const { customer, journeyId } = await asking()
    const left = await customer.ask("/app/consent/identity/refusal")
    await customer.agree("identity")
    const sent = await customer.send("/app/consent/identity/refusal", { token: tokenIn(left), notice: noticeIn(left) })
    expect(sent.location).toBe("/app/identity")
    expect(await journalOf(journeyId)).toMatchObject([{ message: { _tag: "ConsentGiven" } }])
  })

  it("an answer to another text than the present one counts for nothing and shows the text again", async () => {
    const { customer, journeyId } = await asking()
    const token = tokenIn(await customer.ask("/app/consent/identity"))
    for (const notice of ["", "identity-0-en", "video-1-en"]) {
      expect((await customer.send("/app/consent/identity", { token, notice })).text).toContain("identity-2-en")
    }
    expect((await customer.send("/app/consent/identity", { token: "x", notice: "identity-2-en" })).status).toBe(403)
    expect(await journalOf(journeyId)).toEqual([])
  })

  it("a refusal goes to the team, which asks again by rejecting", async () => {
    const { company, service } = ground
    const { customer, journeyId } = await asking()
    expect(wordsOf(await customer.ask("/app/consent/identity/refusal"))).toContain(
      "finishes the identity check with you in another way"
    )
    expect((await submit(customer, "/app/consent/identity/refusal")).location).toBe("/app/journey")
    expect(wordsOf(await customer.ask("/app/journey"))).toContain("You did not agree to the comparison")
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("IDENTITY_UNDER_REVIEW")

    const reviews = `/companies/${company.id}/reviews`
    const { data } = await askSettings(service, reviews)
    const review = data.content.find((one: { journeyId: string }) => one.journeyId === journeyId)
    expect(review).toMatchObject({ kind: "IDENTITY", reasons: ["CONSENT_REFUSED"], attempts: 0 })
    expect((await askSettings(service, `${reviews}/${review.id}`)).data.consents).toEqual({
      identity: { answer: "REFUSED", notice: "identity-2-en", at: expect.any(String), agreed: null },
      video: null
    })
    const body = { decision: "REJECT", reason: "Please try with photos after all" }
    expect((await askSettings(service, `${reviews}/${review.id}/decision`, { body })).status).toBe(200)
    expect((await customer.ask("/app/identity")).location).toBe("/app/consent/identity")
  })
})

describe("before the handover video", () => {
  it("a finance sale's consent counts, and anybody else is asked", async () => {
    const sale = await startFinanceSale(ground, "IN_STORE")
    expect((await (await signedIn(ground, sale, "RECORD_VIDEO")).ask("/app/video")).status).toBe(200)

    const journeyId = await startCashSale(
      ground,
      (body) => (body.delivery = { type: "IN_STORE", saleType: "CASH_SALE" })
    )
    await sayAsCustomer(ground.service, journeyId, { _tag: "IdentityVerified", assurance: "PROVIDER" })
    const customer = await signedIn(ground, journeyId, "RECORD_VIDEO")
    expect((await customer.ask("/app/video")).location).toBe("/app/consent/video")
    const token = tokenIn(await customer.ask("/app/consent/video"))
    const headers = { origin: ground.service.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token }
    expect((await customer.ask("/app/video-uploads", { method: "POST", headers })).status).toBe(409)
    expect((await customer.agree("video")).location).toBe("/app/video")
    await customer.ask("/app/video")
    const named = { ...headers, "x-challenge": customer.challenge }
    expect((await customer.ask("/app/video-uploads", { method: "POST", headers: named })).status).toBe(201)
  })

  it("a refusal goes to the team, which can finish without a video", async () => {
    const { company, service } = ground
    const journeyId = await startCashSale(
      ground,
      (body) => (body.delivery = { type: "IN_STORE", saleType: "CASH_SALE" })
    )
    await sayAsCustomer(service, journeyId, { _tag: "IdentityVerified", assurance: "PROVIDER" })
    const customer = await signedIn(ground, journeyId, "RECORD_VIDEO")
    expect((await submit(customer, "/app/consent/video/refusal")).location).toBe("/app/journey")
    const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
    const review = data.content.find((one: { journeyId: string }) => one.journeyId === journeyId)
    expect(review).toMatchObject({ kind: "VIDEO", reasons: ["CONSENT_REFUSED"] })
    const body = { decision: "APPROVE", reason: "Handed over in person" }
    const path = `/companies/${company.id}/reviews/${review.id}/decision`
    expect((await askSettings(service, path, { body })).data.status).toBe("COMPLETED")
  })
})

describe("a customer who withdraws", () => {
  it("has the caller's photo deleted, and the team goes on with the handover", async () => {
    const journeyId = await startFinanceSale(ground, "IN_STORE")
    expect((await photosOf(journeyId)).length).toBe(1)
    const customer = await signedIn(ground, journeyId, "RECORD_VIDEO")
    const headers = { origin: ground.service.baseUrl, "sec-fetch-site": "same-origin" }
    const token = tokenIn(await customer.ask("/app/video"))
    const begun = await customer.ask("/app/video-uploads", {
      method: "POST",
      headers: { ...headers, "x-form-token": token, "x-challenge": customer.challenge }
    })
    expect(begun.status).toBe(201)

    expect(wordsOf(await customer.ask("/app/journey"))).toContain("Withdraw my consent")
    expect(wordsOf(await customer.ask("/app/consent/withdrawal"))).toContain("Every photo and every video")
    expect((await submit(customer, "/app/consent/withdrawal")).location).toBe("/app/journey")
    await eventually(
      () => customer.ask("/app/journey"),
      (page) => wordsOf(page).includes("Your photos and videos have been deleted")
    )
    expect(await photosOf(journeyId)).toEqual([])
    expect(await ground.service.query("select from video_uploads where journey_id = $1", [journeyId])).toEqual([])
    expect((await journeyOf(ground, journeyId)).delivery.status).toBe("UNDER_REVIEW")
    expect((await customer.ask("/app/consent/withdrawal")).location).toBe("/app/journey")
    expect((await customer.ask("/app/video")).location).toBe("/app/journey")

    // The team still sees what was agreed to, and a customer who is asked once more is not told of a video that nobody looked at.
    const { company, service } = ground
    const file = await askSettings(service, `/companies/${company.id}/journeys/${journeyId}/case?reason=review`)
    const said = file.data.consents.filter(({ about }: { about: string }) => about === "HANDOVER_VIDEO")
    expect(said).toMatchObject([
      { answer: "AGREED", notice: "start", by: "CALLER" },
      { answer: "WITHDRAWN", notice: "withdrawal-2-en", by: "CUSTOMER" }
    ])
    const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
    const { id } = data.content.find((one: { journeyId: string }) => one.journeyId === journeyId)
    const review = await askSettings(service, `/companies/${company.id}/reviews/${id}`)
    expect(review.data.consents.video).toMatchObject({ answer: "WITHDRAWN", agreed: { notice: "start" } })
    const reads = review.data.customerReads.find(({ decision }: { decision: string }) => decision === "REJECT")
    expect(JSON.stringify(reads.page)).not.toContain("could not tell from the last one")
    const body = { decision: "REJECT", reason: "Please record it after all" }
    await askSettings(service, `/companies/${company.id}/reviews/${id}/decision`, { body })
    expect(wordsOf(await customer.ask("/app/journey"))).not.toContain("could not tell from the last one")
  })
})

it("every sealed column of the database either shows a face, and is deleted, or is known not to", async () => {
  const columns = await ground.service.query<{ readonly name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name like 'sealed%'
      and not (select relispartition from pg_class where oid = table_name::regclass) order by 1`
  )
  const faceless = [
    "delivery_addresses.sealed",
    "encryption_indexes.sealed",
    "encryption_marks.sealed",
    "identity_checks.sealed_url",
    "journal.sealed_note",
    "mails.sealed",
    "mails.sealed_recipient",
    "members.sealed_email",
    "personal_records.sealed",
    "provider_results.sealed_review_url",
    "webhook_endpoints.sealed_previous_secret",
    "webhook_endpoints.sealed_previous_secret2",
    "webhook_endpoints.sealed_previous_secret3",
    "webhook_endpoints.sealed_secret"
  ]
  expect(columns.map(({ name }) => name).toSorted()).toEqual([...biometricColumns, ...faceless].toSorted())
})
