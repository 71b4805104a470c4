/** What a dealer sees of the handovers that brokers have named it for: exactly the handover, and only its own. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { sayAsCustomer } from "../../../support/consents.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"
import { keepAddress } from "./caseGround.ts"
import { makeBroker, namedHandover, namedStart, verify } from "./handoverGround.ts"
import { codesOf } from "./reviewGround.ts"

let service: Service
let broker: TestCompany
let dealer: TestCompany
beforeAll(async () => {
  service = await startService()
  broker = await makeBroker(service)
  dealer = await makeCompany(service, { name: "Riverbank Cars" })
})
afterAll(() => service.stop())

const list = async (of: { readonly id: string }, query = "") =>
  (await askSettings(service, `/companies/${of.id}/handovers${query}`)).data
const open = (of: { readonly id: string }, journeyId: string) =>
  askSettings(service, `/companies/${of.id}/handovers/${journeyId}`)
const audit = async (of: TestCompany): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  (await askSettings(service, `/companies/${of.id}/audit?size=100`)).data.content

const idsOf = (piece: { readonly content: ReadonlyArray<{ readonly journeyId: string }> }) =>
  piece.content.map(({ journeyId }) => journeyId)

describe("the named dealer", () => {
  it("sees a handover from the moment it exists, and nothing of the journey before", async () => {
    const { id } = await namedStart(service, broker, dealer.id)
    expect(idsOf(await list(dealer))).not.toContain(id)
    expect(codesOf(await open(dealer, id))).toEqual([["handover", "NOT_FOUND"]])
    await verify(service, broker, id)
    expect(idsOf(await list(dealer))).toContain(id)
    expect((await open(dealer, id)).status).toBe(200)
  })

  it("gets whom to hand the vehicle to, which vehicle, where and how far it is, and not a member more", async () => {
    const { id } = await namedHandover(service, broker, dealer.id.toUpperCase(), (body) => {
      Object.assign(body, { externalReference: "kept-reference", externalCompanyName: "kept seller" })
      Object.assign(body.customer, { title: "MS", mobile: "+44 7700 900101", dateOfBirth: "1980-01-06" })
      Object.assign(body.vehicle, { registration: "GO70 CAR", inventoryVehicleId: "kept-stock" })
      body.delivery = { type: "HOME_DELIVERY", notes: "Ring twice" }
      body.finance = { panelName: "kept-panel", panelReference: "kept-7", lender: "kept-lender" }
    })
    const address = { buildingNumber: "14", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" }
    await keepAddress(service, id, address)
    const { data } = await open(dealer, id)
    const { customer, vehicle } = startBody("IDENTITY_DELIVERY")
    expect(data).toEqual({
      journeyId: id,
      broker: "Broad Brokers",
      type: "HOME_DELIVERY",
      status: "AWAITING_LOCATION",
      waitingOn: "CUSTOMER_TO_CONFIRM_ADDRESS",
      createdAt: expect.any(String),
      completedAt: null,
      expiresAt: expect.any(String),
      erased: false,
      customer: {
        title: "MS",
        firstName: customer.firstName,
        lastName: customer.lastName,
        email: customer.email,
        mobile: "+44 7700 900101"
      },
      vehicle: {
        registration: "GO70 CAR",
        make: vehicle.make ?? null,
        model: vehicle.model ?? null,
        year: vehicle.year ?? null,
        colour: vehicle.colour ?? null
      },
      address: {
        ...address,
        buildingName: null,
        subBuildingName: null,
        organisationName: null,
        county: null,
        lines: ["14 Alder Way", "Leeds", "LS1 4AP"],
        confirmedAt: expect.any(String)
      },
      notes: "Ring twice",
      reviews: [],
      timeline: [{ at: expect.any(String), event: "delivery.created" }]
    })
    const entry = (await list(dealer)).content.find((one: { readonly journeyId: string }) => one.journeyId === id)
    expect(entry).toEqual({
      journeyId: id,
      broker: "Broad Brokers",
      type: "HOME_DELIVERY",
      status: "AWAITING_LOCATION",
      waitingOn: "CUSTOMER_TO_CONFIRM_ADDRESS",
      createdAt: data.createdAt,
      completedAt: null,
      customerName: `${customer.firstName} ${customer.lastName}`,
      registration: "GO70 CAR"
    })
    expect(JSON.stringify([data, entry])).not.toMatch(/kept|1980/)
  })

  it("sees how a video fares with the broker's team, and has no way to decide", async () => {
    const { id } = await namedHandover(service, broker, dealer.id)
    await sayAsCustomer(service, id, { _tag: "ConsentRefused", step: "video", notice: "video-1-en" })
    const { data } = await open(dealer, id)
    expect(data).toMatchObject({
      status: "UNDER_REVIEW",
      waitingOn: "BROKER_TO_REVIEW",
      reviews: [{ since: expect.any(String), state: "WAITING", decidedAt: null }]
    })
    expect((await askSettings(service, `/companies/${dealer.id}/reviews?size=100`)).data.content).toEqual([])
    const reviews = (await askSettings(service, `/companies/${broker.id}/reviews?size=100`)).data.content
    const review = reviews.find((one: { readonly journeyId: string }) => one.journeyId === id).id
    const decision = { body: { decision: "APPROVE", reason: "Seen in person by the dealer" } }
    const strange = await askSettings(service, `/companies/${dealer.id}/reviews/${review}/decision`, decision)
    expect(codesOf(strange)).toEqual([["review", "NOT_FOUND"]])
    await askSettings(service, `/companies/${broker.id}/reviews/${review}/decision`, decision)
    expect((await open(dealer, id)).data).toMatchObject({
      status: "COMPLETED",
      waitingOn: null,
      completedAt: expect.any(String),
      reviews: [{ state: "APPROVED", decidedAt: expect.any(String) }]
    })
    expect((await open(dealer, id)).data.timeline.map(({ event }: { readonly event: string }) => event)).toEqual([
      "delivery.created",
      "delivery.awaiting_video",
      "delivery.under_review",
      "delivery.completed"
    ])
  })

  it("is written down as a reader, in its own audit log and in the broker's, without a word of the customer", async () => {
    const { id } = await namedHandover(service, broker, dealer.id)
    const other = await makeBroker(service, "Other Brokers")
    const { id: ofOther } = await namedHandover(service, other, dealer.id)
    await list(dealer, "?size=2")
    const between = { names: 2, newest: ofOther, oldest: id }
    const looks = { action: "handovers.listed_by_dealer", actor: "operator" }
    expect((await audit(dealer))[0]).toMatchObject({ action: "handovers.listed", details: between })
    const one = (journeyId: string) => ({ names: 1, newest: journeyId, oldest: journeyId, dealerCompanyId: dealer.id })
    expect((await audit(broker))[0]).toMatchObject({ ...looks, details: one(id) })
    expect((await audit(other))[0]).toMatchObject({ ...looks, details: one(ofOther) })
    const listedBefore = [await audit(dealer), await audit(broker), await audit(other)]
    await list(dealer, "?size=2")
    expect([await audit(dealer), await audit(broker), await audit(other)]).toEqual(listedBefore)
    const response = await fetch(`${service.baseUrl}/settings/v1/companies/${dealer.id}/handovers/${id}`, {
      headers: { authorization: `Bearer ${operatorToken}` }
    })
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect((await audit(dealer))[0]).toMatchObject({
      actor: "operator",
      action: "handover.opened",
      details: { journeyId: id, brokerCompanyId: broker.id }
    })
    expect((await audit(broker))[0]).toMatchObject({
      actor: "operator",
      action: "handover.opened_by_dealer",
      details: { journeyId: id, dealerCompanyId: dealer.id }
    })
  })

  it("is left with what is not personal once the customer is erased", async () => {
    const { customerReference, id } = await namedHandover(service, broker, dealer.id, (body) => {
      body.customer.email = "gone@example.com"
      body.vehicle.registration = "GONE 1"
      body.delivery = { type: "HOME_DELIVERY", notes: "Gone note" }
    })
    await keepAddress(service, id, { street: "Gone Way", city: "Leeds", postcode: "LS1 4AP" })
    await askSettings(service, `/companies/${broker.id}/customers/${customerReference}`, { method: "DELETE" })
    const { data } = await open(dealer, id)
    expect(data).toMatchObject({ erased: true, customer: null, vehicle: null, address: null, notes: null })
    const entry = (await list(dealer)).content.find((one: { readonly journeyId: string }) => one.journeyId === id)
    expect(entry).toMatchObject({ customerName: null, registration: null, status: "CANCELLED" })
    expect(JSON.stringify([data, entry])).not.toMatch(/gone/i)
  })
})

describe("whoever is not the named dealer", () => {
  it("hears what is said of a handover that nobody has: another dealer, the broker itself, a dealer turned off", async () => {
    const other = await makeCompany(service, { name: "Elsewhere Cars" })
    const leaving = await makeCompany(service, { name: "Leaving Cars" })
    const { id } = await namedHandover(service, broker, dealer.id)
    const { id: left } = await namedHandover(service, broker, leaving.id)
    expect((await open(leaving, left)).status).toBe(200)
    await askSettings(service, `/companies/${leaving.id}`, { method: "PATCH", body: { active: false } })
    const before = await audit(broker)
    const said = async (of: TestCompany, journeyId: string) => {
      const { data, errors, message, status } = await open(of, journeyId)
      return { data, errors, message, status }
    }
    const unknown = await said(dealer, randomUUID())
    expect(unknown).toMatchObject({ status: 404, errors: [{ field: "handover", code: "NOT_FOUND" }] })
    const pairs = [
      [other, id],
      [broker, id],
      [leaving, id],
      [leaving, left]
    ] as const
    for (const [company, journeyId] of pairs) expect(await said(company, journeyId)).toEqual(unknown)
    expect(await audit(broker)).toEqual(before)
    for (const company of [other, broker, leaving]) expect(await list(company)).toEqual({ content: [], next: null })
  })

  it("gets no further with a place of somebody else's list", async () => {
    const other = await makeCompany(service, { name: "Cursor Cars" })
    const { id } = await namedHandover(service, broker, other.id)
    await namedHandover(service, broker, dealer.id)
    expect(await list(dealer, `?after=${id}`)).toEqual({ content: [], next: null })
    expect(await list(dealer, `?after=${randomUUID()}`)).toEqual({ content: [], next: null })
  })

  it("learns nothing through a test key, which may name anybody", async () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.vehicle.dealerCompanyId = dealer.id
    const { data } = await start(service, broker.testKey, body)
    await ask(service, broker.testKey, `/api/v1/journeys/${data.id}/simulate`, {
      body: { event: "delivery.awaiting_video" }
    })
    expect(idsOf(await list(dealer, "?size=100"))).not.toContain(data.id)
    expect((await open(dealer, data.id)).status).toBe(404)
  })

  it("is not let in without the token", async () => {
    const paths = [`/companies/${dealer.id}/handovers`, `/companies/${dealer.id}/handovers/${randomUUID()}`]
    for (const path of paths) expect((await fetch(`${service.baseUrl}/settings/v1${path}`)).status).toBe(401)
  })
})

describe("the list of handovers", () => {
  it("goes from the newest handover to the oldest, each once, page by page", async () => {
    const busy = await makeCompany(service, { name: "Busy Cars" })
    const second = await makeBroker(service, "Second Brokers")
    const first = await namedStart(service, broker, busy.id)
    const made = [
      await namedHandover(service, broker, busy.id),
      await namedHandover(service, second, busy.id),
      await namedHandover(service, broker, busy.id)
    ]
    // The journey that was started first is handed over last.
    await verify(service, broker, first.id)
    const newestFirst = [...made.map(({ id }) => id), first.id].toReversed()
    expect(idsOf(await list(busy))).toEqual(newestFirst)
    const one = await list(busy, "?size=3")
    expect(idsOf(one)).toEqual(newestFirst.slice(0, 3))
    const two = await list(busy, `?size=3&after=${one.next}`)
    expect([idsOf(two), two.next]).toEqual([newestFirst.slice(3), null])
    expect(one.content.map(({ broker: name }: { readonly broker: string }) => name)).toEqual([
      "Broad Brokers",
      "Broad Brokers",
      "Second Brokers"
    ])
    expect(codesOf(await askSettings(service, `/companies/${busy.id}/handovers?after=x&page=1`))).toEqual([
      ["page", "VALIDATION_FAILED"],
      ["after", "VALIDATION_FAILED"]
    ])
  })
})
