/** The case file of a journey: what it holds, who is written down as its reader, and what is left of it after an erasure. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fillFromState } from "../../../../src/runtime/postgres/migrations/0013_waiting.ts"
import { removeMediaStatement } from "../../../../src/runtime/stores/erasure/retentionStatements.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"
import { keepAddress, keepAttempt, keepVideo, keptVideo } from "./caseGround.ts"
import { codesOf } from "./reviewGround.ts"

let service: Service
let company: TestCompany
let broker: TestCompany
beforeAll(async () => {
  service = await startService()
  const settings = { identityProvider: { kind: "BUILT_IN" } }
  company = await makeCompany(service, { credits: 20, settings })
  broker = await makeCompany(service, { credits: 20, kind: "BROKER", name: "Broad Finance", settings })
})
afterAll(() => service.stop())

const pathOf = (id: string, of = company) => `/companies/${of.id}/journeys/${id}/case`
const read = async (id: string, of = company, query = "") =>
  (await askSettings(service, `${pathOf(id, of)}${query}`)).data

const look = (path: string) =>
  fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${operatorToken}` } })

const audit = async (of = company): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  (await askSettings(service, `/companies/${of.id}/audit?size=100`)).data.content

describe("the case file", () => {
  it("holds all that a live start said, finance, figures and consents included, and the confirmed address", async () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.delivery = { type: "HOME_DELIVERY", notes: "Ring twice.\nMind the dog." }
    body.externalCompanyName = "Riverbank Cars"
    body.vehicle.dealerCompanyId = company.id.toUpperCase()
    body.finance = { panelName: "PanelOne", panelReference: "PO-7", lender: "Northmoor" }
    Object.assign(body.customer, { title: "MS", mobile: "+44 7700 900101", dateOfBirth: "1990-04-17" })
    const { data } = await start(service, broker.liveKey, body)
    const address = { buildingNumber: "14", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" }
    await keepAddress(service, data.id, address)
    const found = await read(data.id, broker)
    const { inventoryVehicleId, ...vehicle } = body.vehicle
    expect(found).toMatchObject({
      erased: false,
      customer: body.customer,
      vehicle: { registration: vehicle.registration, make: vehicle.make, inventoryVehicleId },
      seller: {
        externalCompanyName: "Riverbank Cars",
        dealerCompanyId: company.id,
        dealerCompanyName: "Harbour Cars",
        dealerDirectoryId: null
      },
      handover: {
        type: "HOME_DELIVERY",
        notes: "Ring twice.\nMind the dog.",
        dealerDirectoryId: null,
        address: {
          ...address,
          county: null,
          lines: ["14 Alder Way", "Leeds", "LS1 4AP"],
          confirmedAt: expect.any(String)
        }
      },
      finance: {
        panelSubmission: null,
        panelName: "PanelOne",
        panelReference: "PO-7",
        lender: "Northmoor",
        vehiclePrice: null,
        application: null
      },
      consents: [],
      video: null,
      pictures: [],
      mediaKeptUntil: null,
      customerKeptUntil: null,
      applicationKeptUntil: null,
      timeline: `/settings/v1/companies/${broker.id}/journeys/${data.id}/timeline`
    })
    // The journey beside it is the one that the caller reads.
    expect(found.journey).toMatchObject({ id: data.id, finance: null })
    expect((await look(found.timeline)).status).toBe(200)
  })

  it("shows the dealer's id in a directory with the handover, when the dealer is not on the service", async () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.vehicle.dealerDirectoryId = "dir-77"
    const { data } = await start(service, broker.liveKey, body)
    expect(await read(data.id, broker)).toMatchObject({
      seller: { dealerCompanyId: null, dealerDirectoryId: "dir-77" },
      handover: { dealerDirectoryId: "dir-77" }
    })
  })

  it("holds the application of a test journey, with the consents that its caller recorded", async () => {
    const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
    const { data } = await start(service, company.testKey, body)
    const found = await read(data.id)
    expect(found.journey.livemode).toBe(false)
    expect(found.finance).toMatchObject({
      panelSubmission: "SUBMIT_VIA_MIRA",
      vehiclePrice: body.finance.vehiclePrice,
      monthlyBudget: body.finance.monthlyBudget,
      application: { maritalStatus: body.finance.maritalStatus, employmentHistory: [{ employmentType: "CURRENT" }, {}] }
    })
    expect(found.finance.application).not.toHaveProperty("consents")
    expect(found.consents).toEqual([
      {
        about: "APPLICATION",
        by: "CALLER",
        answer: "AGREED",
        notice: null,
        at: data.createdAt,
        details: body.finance.consents
      },
      // What the application agrees to for the check counts as the customer's consent.
      { about: "IDENTITY_CHECK", by: "CALLER", answer: "AGREED", notice: "start", at: expect.any(String), details: {} }
    ])
  })

  it("lists the attempts at the check with verdict, reasons and photos, which stay to be seen after the decision", async () => {
    const { data } = await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))
    const unclear = await keepAttempt(service, data.id, "UNCLEAR", "IdentityUnderReview", ["FACES_UNCLEAR"])
    const clear = await keepAttempt(service, data.id, "SAME", "IdentityVerified", [])
    const { identity, pictures } = await read(data.id)
    expect(identity.attempts).toEqual([
      {
        id: unclear,
        at: expect.any(String),
        sender: "identity",
        comparison: "UNCLEAR",
        verdict: "UNDER_REVIEW",
        reasons: ["FACES_UNCLEAR"]
      },
      { id: clear, at: expect.any(String), sender: "identity", comparison: "SAME", verdict: "VERIFIED", reasons: [] }
    ])
    const base = `/settings/v1${pathOf(data.id)}/pictures`
    expect(pictures).toEqual([
      { name: "document", attemptId: unclear, path: `${base}/${unclear}/document` },
      { name: "selfie", attemptId: unclear, path: `${base}/${unclear}/selfie` },
      { name: "selfie", attemptId: clear, path: `${base}/${clear}/selfie` }
    ])
    const seen = await look(pictures[0].path)
    expect([seen.status, seen.headers.get("content-type"), seen.headers.get("cache-control")]).toEqual([
      200,
      "image/jpeg",
      "no-store"
    ])
    expect(await seen.text()).toBe("a document")
    expect(await (await look(pictures[2].path)).text()).toBe("a SAME selfie")
    expect((await audit())[0]).toMatchObject({
      action: "case.picture_opened",
      details: { journeyId: data.id, picture: "selfie", attemptId: clear }
    })
    for (const strange of [`${clear}/document`, `${data.id}/selfie`, `${randomUUID()}/selfie`, "x/selfie"]) {
      expect((await look(`${base}/${strange}`)).status).toBe(404)
    }
    // The photo of one journey is no photo of another.
    const other = await start(service, company.liveKey, startBody("CASH_SALE"))
    expect((await look(`/settings/v1${pathOf(other.data.id)}/pictures/${clear}/selfie`)).status).toBe(404)
  })

  it("shows the video and the caller's photo after the decision, until they are kept no longer", async () => {
    const { data } = await startWithPhoto(service, company.liveKey, startBody("FINANCE_SALE"))
    await keepVideo(service, data.id)
    const handover = {
      status: "UNDER_REVIEW",
      createdAt: 0,
      completedAt: null,
      mismatches: 2,
      reasons: ["SEVERAL_PEOPLE"]
    }
    await service.query(
      `update journeys set version = version + 1,
         state = jsonb_set(state::jsonb, '{handover}', $2::text::jsonb)::json where id = $1`,
      [data.id, JSON.stringify(handover)]
    )
    await service.query(fillFromState)
    await service.query(
      `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select id, 99, gen_random_uuid(), company_id, livemode, 'delivery.under_review', '{"data":{}}', now() from journeys where id = $1`,
      [data.id]
    )
    const reviews = (await askSettings(service, `/companies/${company.id}/reviews?size=100`)).data.content
    const review = reviews.find((one: { readonly journeyId: string }) => one.journeyId === data.id).id
    const decision = { decision: "APPROVE", reason: "It is the same person, without a doubt" }
    expect(
      (await askSettings(service, `/companies/${company.id}/reviews/${review}/decision`, { body: decision })).status
    ).toBe(200)

    const found = await read(data.id, company, "?reason=review")
    expect(found.journey.status).toBe("COMPLETED")
    expect(found.consents).toMatchObject([
      {
        about: "CALLERS_PHOTO",
        by: "CALLER",
        answer: "AGREED",
        notice: expect.any(String),
        details: { method: expect.any(String), photoSource: "IN_PERSON_PHOTO" }
      },
      { about: "HANDOVER_VIDEO", by: "CALLER", answer: "AGREED", notice: "start" }
    ])
    expect(found.video).toMatchObject({
      mismatches: 2,
      uploads: [{ kind: "WEBM", seconds: 12.5, bytes: keptVideo.length, completedAt: expect.any(String) }],
      verdicts: [{ sender: "operator", verdict: "APPROVED" }],
      path: `/settings/v1${pathOf(data.id)}/video`
    })
    expect(new Date(found.mediaKeptUntil).getTime()).toBeGreaterThan(Date.now())
    const seen = await look(found.video.path)
    expect([seen.status, seen.headers.get("content-type"), seen.headers.get("cache-control")]).toEqual([
      200,
      "video/webm",
      "no-store"
    ])
    expect(Buffer.from(await seen.arrayBuffer())).toEqual(keptVideo)
    expect(found.pictures).toMatchObject([{ name: "customer-photo", attemptId: null }])
    expect((await look(found.pictures[0].path)).status).toBe(200)
    const [photo, film, opened] = await audit()
    expect([photo?.["action"], film?.["action"]]).toEqual(["case.picture_opened", "case.video_opened"])
    expect(opened).toMatchObject({
      actor: "operator",
      action: "case.opened",
      details: { journeyId: data.id, reason: "review" }
    })

    await service.query("update journeys set ended_at = now() - interval '31 days' where id = $1", [data.id])
    await service.query("update ended_journeys set ended_at = now() - interval '31 days' where journey_id = $1", [
      data.id
    ])
    await service.query(removeMediaStatement, [new Date(), 100])
    expect(await read(data.id)).toMatchObject({ pictures: [], video: { path: null, uploads: [] } })
    expect((await look(found.video.path)).status).toBe(404)
    expect((await look(found.pictures[0].path)).status).toBe(404)
  })

  it("says after an erasure that what was personal is gone", async () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.customer.email = "erased.case@example.com"
    const { data } = await start(service, company.liveKey, body)
    await keepAttempt(service, data.id, "UNCLEAR", "IdentityUnderReview", [])
    await keepAddress(service, data.id, { street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" })
    await askSettings(service, `/companies/${company.id}/customers/${data.customerReference}`, { method: "DELETE" })
    const found = await read(data.id)
    expect(found).toMatchObject({
      erased: true,
      customer: null,
      vehicle: null,
      seller: null,
      finance: null,
      handover: { notes: null, address: null, dealerDirectoryId: null },
      consents: [],
      pictures: [],
      journey: { id: data.id, status: "CANCELLED" }
    })
    // What the journey heard is no personal data, and stays.
    expect(found.identity.attempts).toMatchObject([{ id: null, verdict: "UNDER_REVIEW" }])
    expect(JSON.stringify(found)).not.toMatch(/erased\.case|Alder/)
  })
})

describe("reading a case file", () => {
  it("is written down with the reason, which is support unless another is given", async () => {
    const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
    const response = await look(`/settings/v1${pathOf(data.id)}`)
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect((await audit())[0]).toMatchObject({
      actor: "operator",
      action: "case.opened",
      details: { journeyId: data.id, reason: "support" }
    })
    const refused = await askSettings(service, `${pathOf(data.id)}?reason=curiosity`)
    expect(codesOf(refused)).toEqual([["reason", "VALIDATION_FAILED"]])
    expect(
      (await audit()).filter(({ details }) => (details as { journeyId: string }).journeyId === data.id)
    ).toHaveLength(1)
  })

  it("is refused without the token, and another company's path finds nothing and writes nothing", async () => {
    const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
    expect((await fetch(`${service.baseUrl}/settings/v1${pathOf(data.id)}`)).status).toBe(401)
    const before = await audit(broker)
    const strange = await askSettings(service, pathOf(data.id, broker))
    expect(codesOf(strange)).toEqual([["journey", "NOT_FOUND"]])
    expect(await audit(broker)).toEqual(before)
  })

  it("tells no name of a company that a test key has named", async () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.vehicle.dealerCompanyId = company.id
    const { data } = await start(service, broker.testKey, body)
    expect((await read(data.id, broker)).seller).toMatchObject({ dealerCompanyId: company.id, dealerCompanyName: null })
  })
})
