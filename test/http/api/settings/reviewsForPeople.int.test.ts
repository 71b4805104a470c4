/** What a review tells the people who decide it beside the check: whose it is, and what the customer will read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, startBody, start, type TestCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"
import { decide, journeyAt, reviewOf, reviewsOf, simulate, slowCompany, unavailableJourney } from "./reviewGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await slowCompany(service)
})
afterAll(() => service.stop())

const show = async (journeyId: string) =>
  (await askSettings(service, `/companies/${company.id}/reviews/${await reviewOf(service, company, journeyId)}`)).data

const audit = async (): Promise<ReadonlyArray<{ readonly action: string; readonly details: object }>> =>
  (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data.content

interface Reads {
  readonly decision: string
  readonly page: ReadonlyArray<{ readonly text: string; readonly english: string | null }>
  readonly mails: ReadonlyArray<{ readonly kind: string; readonly subject: { readonly text: string } }>
  readonly showsReason: boolean
}

const readOn = (review: { readonly customerReads: ReadonlyArray<Reads> }, decision: string) =>
  review.customerReads.find((one) => one.decision === decision)

describe("the list of reviews", () => {
  it("names the customers and vehicles, and the audit log has how many names were read", async () => {
    const body = startBody("CASH_SALE")
    Object.assign(body.customer, { firstName: "Zofia", lastName: "Nowak", email: "zofia@example.com" })
    const { data } = await start(service, company.testKey, body)
    await simulate(service, company, data.id, "identity.under_review")
    const { content } = await reviewsOf(service, company)
    expect(content).toMatchObject([
      { journeyId: data.id, customerName: "Zofia Nowak", registration: body.vehicle.registration }
    ])
    expect((await audit())[0]).toMatchObject({ action: "reviews.listed", details: { mode: "TEST", names: 1 } })
    expect(await show(data.id)).toMatchObject({ customerName: "Zofia Nowak" })
    expect((await audit())[0]).toMatchObject({ action: "review.opened", details: { journeyId: data.id } })
    expect(JSON.stringify(await audit())).not.toContain("Nowak")
    // Names that nobody is shown are not read.
    await reviewsOf(service, company, "mode=LIVE")
    expect((await audit())[0]?.action).toBe("review.opened")
  })

  it("names nobody who was erased", async () => {
    const { customerReference, id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const review = await reviewOf(service, company, id)
    await askSettings(service, `/companies/${company.id}/customers/${customerReference}`, { method: "DELETE" })
    const { data } = await askSettings(service, `/companies/${company.id}/reviews/${review}`)
    expect(data).toMatchObject({ open: false, customerName: null, registration: null, customerReads: [] })
  })
})

describe("what the customer will read", () => {
  it("of an identity check is the next step when it is approved, and the reason when it is rejected", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const review = await show(id)
    expect(readOn(review, "APPROVE")).toMatchObject({ showsReason: false, mails: [{ kind: expect.any(String) }] })
    const rejected = readOn(review, "REJECT")
    expect(rejected).toMatchObject({ showsReason: true, mails: [{ kind: "VERIFY_IDENTITY" }] })
    expect(rejected?.page[0]).toEqual({ text: "Please verify your identity again", english: null })
    // It is what the decision comes to.
    await decide(service, company, review.id, "REJECT")
    const timeline = (await askSettings(service, `/companies/${company.id}/journeys/${id}/timeline`)).data.content
    expect(timeline.at(-1).mails.map(({ kind }: { readonly kind: string }) => kind)).toEqual(["VERIFY_IDENTITY"])
  })

  it("is in the language of the customer, with the English beside it", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    await service.query(
      "update customers set language = 'pl' where id = (select customer_id from journeys where id = $1)",
      [id]
    )
    const review = await show(id)
    const [first] = readOn(review, "REJECT")?.page ?? []
    expect(first?.english).toBe("Please verify your identity again")
    expect(first?.text).not.toBe(first?.english)
    expect(review.customerReads[0].language).toBe("pl")
  })

  it("of a video is the receipt or the video again", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "delivery.under_review")
    const review = await show(id)
    expect(review.kind).toBe("VIDEO")
    expect(readOn(review, "APPROVE")).toMatchObject({
      page: [{ text: "Your handover is complete" }, {}],
      mails: [{ kind: "HANDOVER_COMPLETE" }]
    })
    expect(readOn(review, "REJECT")).toMatchObject({
      page: [{ text: "Please record the video again" }, {}],
      mails: [{ kind: "RECORD_VIDEO" }],
      showsReason: false
    })
  })

  it("of a check that could not be started is what the customer gets when it is resent", async () => {
    const { id } = await unavailableJourney(service, company)
    const review = await show(id)
    expect(review.customerReads.map(({ decision }: Reads) => decision)).toEqual(["RESEND"])
    expect(readOn(review, "RESEND")).toMatchObject({ mails: [{ kind: "VERIFY_IDENTITY" }], showsReason: false })
  })
})
