/** The mail to the team of a dealer whom a broker has named for a handover (M11). */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { addMember } from "../../../support/members.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { startService, type Service } from "../../../support/service.ts"
import { makeBroker, namedHandover, namedStart, verify } from "./handoverGround.ts"

let service: Service
let broker: TestCompany
let dealer: TestCompany
beforeAll(async () => {
  service = await startService()
  broker = await makeBroker(service)
  dealer = await makeCompany(service, { name: "Riverbank Cars" })
})
afterAll(() => service.stop())

/** The mails of a journey to the dealer's people, in the built-in mailbox. */
const told = async (
  journeyId: string
): Promise<ReadonlyArray<{ readonly kind: string; readonly to: string; readonly text: string }>> =>
  (await askSettings(service, `/mail?journeyId=${journeyId}&size=100`)).data.content.filter(
    ({ kind }: { readonly kind: string }) => kind === "DEALER_NAMED"
  )

const owedFor = async (journeyId: string): Promise<number> => {
  const [row] = await service.query<{ readonly mails: number }>(
    "select count(*)::int4 as mails from mails where journey_id = $1 and kind = 'DEALER_NAMED'",
    [journeyId]
  )
  return row?.mails ?? -1
}

/** A journey whose handover exists from the start. */
const startedSale = async (key: string, vehicle: Readonly<Record<string, unknown>>): Promise<string> => {
  const body = startBody("FINANCE_SALE")
  const { status, data } = await startWithPhoto(service, key, { ...body, vehicle: { ...body.vehicle, ...vehicle } })
  expect(status).toBe(202)
  return data.id
}

describe("the named dealer", () => {
  it("is mailed once, when the handover exists, to each of its team who wants mail, and the broker sees one mail of it", async () => {
    const mailed = await makeCompany(service, { name: "Quayside Cars" })
    const people = ["owner@quayside.example", "clerk@quayside.example"]
    for (const email of people) await addMember(service, mailed.id, { email, role: "TEAM" })
    const everybody = [...people, "owner@example.com"]
    const { id } = await namedStart(service, broker, mailed.id)
    expect(await told(id)).toEqual([])
    await verify(service, broker, id)
    const mails = await eventually(
      () => told(id),
      (found) => found.length === everybody.length
    )
    expect(mails.map(({ to }) => to).toSorted()).toEqual(everybody.toSorted())
    const { customer } = startBody("IDENTITY_DELIVERY")
    for (const { text } of mails) {
      expect(text).toContain("Broad Brokers has named your company as the dealer")
      expect(text).toContain(`handover ${id}`)
      expect(text).not.toContain(customer.lastName)
    }
    const { data } = await askSettings(service, `/companies/${broker.id}/journeys/${id}/timeline?size=100`)
    const kinds = data.content.flatMap(
      ({ mails: owed }: { readonly mails: ReadonlyArray<{ readonly kind: string }> }) => owed.map(({ kind }) => kind)
    )
    expect(kinds.filter((kind: string) => kind === "DEALER_NAMED")).toHaveLength(1)
  })

  it("is not mailed for the handover of a test journey, nor of a journey that names no dealer", async () => {
    const { id } = await namedHandover(service, broker, dealer.id, (body) => {
      delete body.vehicle.dealerCompanyId
    })
    const about = (await askSettings(service, `/mail?journeyId=${id}&size=100`)).data.content
    expect(about.map(({ kind }: { readonly kind: string }) => kind)).not.toContain("DEALER_NAMED")
    const test = await start(service, broker.testKey, {
      ...startBody("IDENTITY_DELIVERY"),
      vehicle: { ...startBody("IDENTITY_DELIVERY").vehicle, dealerCompanyId: dealer.id }
    })
    await ask(service, broker.testKey, `/api/v1/journeys/${test.data.id}/simulate`, {
      body: { event: "delivery.completed" }
    })
    expect(await owedFor(test.data.id)).toBe(0)
  })

  it("is mailed by the start, once, when the handover exists from the start", async () => {
    const id = await startedSale(broker.liveKey, { dealerCompanyId: dealer.id })
    expect(await owedFor(id)).toBe(1)
    const [mail] = await eventually(
      () => told(id),
      (found) => found.length === 1
    )
    expect(mail?.to).toBe("owner@example.com")
    expect(mail?.text).toContain(`handover ${id}`)
    const cancelled = await ask(service, broker.liveKey, `/api/v1/journeys/${id}/cancel`, {
      body: { reason: "No longer wanted" }
    })
    expect(cancelled.status).toBe(200)
    expect(await owedFor(id)).toBe(1)
  })

  it("is not mailed by the start of a test journey, nor of one that names no dealer", async () => {
    expect(await owedFor(await startedSale(broker.testKey, { dealerCompanyId: dealer.id }))).toBe(0)
    expect(await owedFor(await startedSale(broker.liveKey, {}))).toBe(0)
  })
})
