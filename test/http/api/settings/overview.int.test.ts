/** A company's overview and the test journeys that its people start themselves. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { overviewOperations } from "../../../../src/http/api/company/overview.ts"
import { testJourneyOperations } from "../../../../src/http/api/team/testJourneys.ts"
import {
  overviewParameters,
  overviewStatement
} from "../../../../src/runtime/stores/company/PostgresCompanyOverview.ts"
import { CompanyId } from "../../../../src/schema/ids.ts"
import { Shape } from "../../../../src/schema/journey/statuses.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { planOf } from "../../../support/plans.ts"
import { startReceiver } from "../../../support/receivers.ts"
import { startService, type Service } from "../../../support/service.ts"
import { isPromised, strictly } from "../../documents/promised.ts"
import { codesOf } from "./reviewGround.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
})
afterAll(() => service.stop())

const overviewOf = (company: string) => askSettings(service, `/companies/${company}/overview`)
const startTest = (company: string, body: unknown) =>
  askSettings(service, `/companies/${company}/test-journeys`, { body })

/** A company as the operator has just made it: without a key. */
const newCompany = async (kind: "DEALER" | "BROKER" = "DEALER"): Promise<string> =>
  (await askSettings(service, "/companies", { body: { name: "Quay Cars", kind, adminEmail: "owner@example.com" } }))
    .data.id

/** Journeys of both modes in turn, of which two in three wait. */
const fill = (company: string, from: number, to: number) =>
  queryDirectly(
    service.databaseUrl,
    `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state,
       waiting_on, type, created_at)
     select gen_random_uuid(), $1, n % 2 = 0, case when n % 3 = 0 then 'COMPLETED' else 'ACTIVE' end, 1, gen_random_uuid(),
       'many-' || n, ''::bytea, '{}'::json, case when n % 3 = 0 then null else 'CUSTOMER_TO_RECORD_VIDEO' end,
       'DELIVERY', now() - n * interval '1 second'
     from generate_series($2::int, $3::int) n`,
    [company, from, to]
  )

describe("the overview", () => {
  it("of a new company has no step done and nothing that waits, whatever another company has", async () => {
    const { id: busy } = await makeCompany(service, { credits: 2, settings: { sandbox: { pace: "manual" } } })
    for (const member of ["ann", "bob"]) {
      await askSettings(service, `/companies/${busy}/members`, {
        body: { email: `${member}@busy.example`, role: "TEAM" }
      })
    }
    for (const livemode of [true, false]) {
      await writeEndpoint(service.query, { companyId: busy, livemode, url: "https://hooks.example.com/busy" })
    }
    const { data: started } = await startTest(busy, { shape: "CASH_SALE" })
    await service.query("update journeys set review = 'IDENTITY' where id = $1", [started.id])
    await service.query("update deliveries set status = 'DELIVERED', due_at = null")
    await service.query("insert into mail_standings (company_id, stopped_at) values ($1, now())", [busy])
    const answer = await overviewOf(await newCompany())
    isPromised("getOverview", answer)
    const [schema] = overviewOperations.endpoints[0].success
    strictly(schema as never, answer)
    expect(answer.data).toMatchObject({
      firstSteps: {
        testKey: false,
        testJourney: false,
        testEndpoint: false,
        webhook: false,
        team: false,
        identityProvider: false,
        financePanel: false,
        credits: false,
        liveEndpoint: false,
        liveKey: false
      },
      waiting: [],
      reviews: [],
      endpoints: [],
      mailStoppedAt: null,
      events: []
    })
  })

  it("ticks off each first step as it is done", async () => {
    const { id } = await makeCompany(service, {
      credits: 2,
      settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
    })
    const receiver = await startReceiver()
    const endpoint = `/companies/${id}/webhook-endpoints/test`
    await askSettings(service, endpoint, { method: "PUT", body: { url: receiver.url } })
    const before = (await overviewOf(id)).data
    expect(before.firstSteps).toMatchObject({ testKey: true, testJourney: false, testEndpoint: true, webhook: false })
    expect(before.firstSteps).toMatchObject({
      identityProvider: true,
      financePanel: false,
      credits: true,
      liveKey: true
    })
    const started = await startTest(id, { shape: "CASH_SALE" })
    const { data } = await eventually(
      () => overviewOf(id),
      (answer) => answer.data.firstSteps.webhook
    )
    await receiver.stop()
    expect(data.firstSteps.testJourney).toBe(true)
    expect(data.waiting).toEqual([{ mode: "TEST", waitingOn: "CUSTOMER_TO_VERIFY_IDENTITY", count: 1, isMore: false }])
    expect(data.endpoints).toMatchObject([{ mode: "TEST", enabled: true, failingSince: null }])
    expect(data.events[0]).toMatchObject({ mode: "TEST", journeyId: started.data.id })
    expect((await overviewOf(await newCompany())).data.events).toEqual([])
  })

  it("counts a live endpoint as set while it is turned on", async () => {
    const { id } = await makeCompany(service)
    const put = (body: unknown) =>
      askSettings(service, `/companies/${id}/webhook-endpoints/live`, { method: "PUT", body })
    const url = "https://127.0.0.1:1/live"
    await put({ url })
    const isSet = async () => (await overviewOf(id)).data.firstSteps.liveEndpoint
    expect(await isSet()).toBe(true)
    await put({ url, enabled: false })
    expect(await isSet()).toBe(false)
  })

  it("counts no key that is revoked or has expired, and none of the other mode", async () => {
    const { id, liveKeyId, testKeyId } = await makeCompany(service)
    const keys = async () => {
      const { liveKey, testKey } = (await overviewOf(id)).data.firstSteps
      return { liveKey, testKey }
    }
    await askSettings(service, `/companies/${id}/api-keys/${testKeyId}`, { method: "DELETE" })
    expect(await keys()).toEqual({ liveKey: true, testKey: false })
    await service.query("update api_keys set expires_at = now() where id = $1", [liveKeyId])
    expect(await keys()).toEqual({ liveKey: false, testKey: false })
  })

  it("counts what the test endpoint has taken, and neither what failed, nor what the live endpoint took, nor an endpoint that was removed", async () => {
    const id = await newCompany()
    const endpoint = (livemode: boolean) =>
      writeEndpoint(service.query, { companyId: id, livemode, url: "https://hooks.example.com/steps" })
    const [test, live] = [await endpoint(false), await endpoint(true)]
    const delivery = (endpointId: string, status: string) =>
      service.query("insert into deliveries (endpoint_id, event_id, status) values ($1, gen_random_uuid(), $2)", [
        endpointId,
        status
      ])
    const isTaken = async () => (await overviewOf(id)).data.firstSteps.webhook
    await delivery(live, "DELIVERED")
    await delivery(test, "GIVEN_UP")
    expect(await isTaken()).toBe(false)
    await delivery(test, "DELIVERED")
    expect(await isTaken()).toBe(true)
    await askSettings(service, `/companies/${id}/webhook-endpoints/test`, { method: "DELETE" })
    expect(await isTaken()).toBe(false)
    expect((await overviewOf(id)).data.endpoints).toMatchObject([{ mode: "LIVE" }])
  })

  it("counts open reviews, and those of each kind", async () => {
    const { id } = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
    for (const kind of ["IDENTITY", "VIDEO", "VIDEO"]) {
      const { data } = await startTest(id, { shape: "CASH_SALE" })
      await service.query("update journeys set review = $2 where id = $1", [data.id, kind])
    }
    const kinds = [
      { kind: "IDENTITY", count: 1 },
      { kind: "VIDEO", count: 2 }
    ]
    expect((await overviewOf(id)).data.reviews).toEqual([{ mode: "TEST", count: 3, isMore: false, kinds }])
  })

  it("says that there are more than it counts only where there are more", async () => {
    const id = await newCompany()
    await fill(id, 1, 3000)
    const counted = { waitingOn: "CUSTOMER_TO_RECORD_VIDEO", count: 1000 }
    expect((await overviewOf(id)).data.waiting).toEqual([
      { mode: "LIVE", ...counted, isMore: false },
      { mode: "TEST", ...counted, isMore: false }
    ])
    await fill(id, 3002, 3002)
    expect((await overviewOf(id)).data.waiting).toEqual([
      { mode: "LIVE", ...counted, isMore: true },
      { mode: "TEST", ...counted, isMore: false }
    ])
  })

  it("costs the same for a company with a hundred thousand journeys: no table is read as a whole, and counts stop", async () => {
    const id = CompanyId.make(await newCompany())
    await fill(id, 1, 100_000)
    await queryDirectly(service.databaseUrl, "vacuum analyze journeys")
    const { data } = await overviewOf(id)
    expect(data.waiting).toEqual(
      ["LIVE", "TEST"].map((mode) => ({ mode, waitingOn: "CUSTOMER_TO_RECORD_VIDEO", count: 1000, isMore: true }))
    )
    const plan = await planOf(service, service.sql.unsafe(overviewStatement, overviewParameters(id, Date.now())))
    expect(plan.steps.filter((step) => step === "Seq Scan of journeys")).toEqual([])
    expect(plan.pages).toBeLessThan(1000)
  })
})

describe("a test journey of a company's own people", () => {
  it.each(Shape.literals)("starts from the example of %s, without any key", async (shape) => {
    const id = await newCompany()
    const started = await startTest(id, { shape })
    expect([started.status, started.errors]).toEqual([202, null])
    isPromised("startTestJourney", started)
    const [schema] = testJourneyOperations.endpoints[0].success
    strictly(schema as never, started)
    expect(started.data).toMatchObject({ livemode: false, status: "ACTIVE" })
    const again = await startTest(id, { shape })
    expect(again.data.id).not.toBe(started.data.id)
    const audit = (await askSettings(service, `/companies/${id}/audit?action=test_journey.started`)).data.content
    expect(audit[1]).toMatchObject({ actor: "operator", details: { journeyId: started.data.id, shape } })
  })

  it("is refused as a start would be: the sandbox's switches, a broker's rights, a company that is off", async () => {
    const dealer = await newCompany()
    await askSettings(service, `/companies/${dealer}`, {
      method: "PATCH",
      body: { sandbox: { identityConfigured: false } }
    })
    const refused = [
      ["EKYC_NOT_CONFIGURED", await startTest(dealer, { shape: "CASH_SALE" })],
      ["DEALER_ONLY", await startTest(await newCompany("BROKER"), { shape: "CASH_SALE" })],
      ["VALIDATION_FAILED", await startTest(dealer, { shape: "BARTER" })],
      ["VALIDATION_FAILED", await startTest(dealer, {})],
      ["NOT_FOUND", await startTest("00000000-0000-7000-8000-000000000000", { shape: "CASH_SALE" })]
    ] as const
    for (const [code, answer] of refused) {
      expect(codesOf(answer)?.[0]?.[1]).toBe(code)
      isPromised("startTestJourney", answer)
    }
    await askSettings(service, `/companies/${dealer}`, { method: "PATCH", body: { active: false } })
    expect(codesOf(await startTest(dealer, { shape: "FINANCE_SALE" }))).toEqual([["company", "CONFLICT"]])
  })
})
