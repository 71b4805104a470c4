/**
 * Callbacks with ids that no provider was given: how many look-ups a flood of them costs, and that what was asked before ids had marks
 * is answered under its id.
 */
import { Effect, Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startIdentityCheck } from "../../../../src/actors/effects/startIdentityCheck.ts"
import { submitApplication } from "../../../../src/actors/effects/submitApplication.ts"
import { isUnavailable } from "../../../../src/runtime/postgres/sqlFailure.ts"
import { derivedRequestIds, eventTypes, startLive, storedState } from "../../../support/providerRequests.ts"
import { startProvidedService, type Provided } from "../../../support/providedService.ts"

let provided: Provided
let service: Provided["service"]
let panel: Provided["panel"]
let company: Provided["company"]
beforeAll(async () => {
  provided = await startProvidedService()
  ;({ company, panel, service } = provided)
})
afterAll(() => provided.stop())

/** The statements about requests meanwhile: whether there are unmarked ones at all, and look-ups. */
const statementsOf = async (ask: () => Promise<unknown>) => {
  const asked = vi.spyOn(service.sql, "unsafe")
  await ask()
  const texts = asked.mock.calls.map(([text]) => text).filter((text) => text.includes("from provider_requests"))
  asked.mockRestore()
  const general = texts.filter((text) => text.startsWith("select exists")).length
  return { general, single: texts.length - general }
}

const decide = (submissionId: string) => panel.decide(service, submissionId, "REFERRED", randomUUID())

/** As a node of the version before writes that it asks a panel. */
const askedBefore = (id: string, journeyId: string) =>
  service.query(
    `insert into provider_requests (id, kind, journey_id, company_id, check_number, created_at)
     values ($1, 'FINANCE', $2, $3, null, now()) on conflict (id) do nothing`,
    [id, journeyId, company.id]
  )

const marksOf = (journeyId: string, kind: "FINANCE" | "IDENTITY") =>
  service.query<{ readonly id: string; readonly isMarked: boolean }>(
    `select id, is_marked as "isMarked" from provider_requests where journey_id = $1 and kind = $2`,
    [journeyId, kind]
  )

describe("a callback", () => {
  it("is refused without a look-up when its id was forged, however many there are", async () => {
    const statuses: Array<number> = []
    const { general, single } = await statementsOf(() =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          statuses.push((await decide(randomUUID())).status)
        })
      )
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(single).toBe(0)
    // Whether there are requests of before is asked once a second, whatever comes.
    expect(general).toBeLessThan(10)
  })

  it("is looked up when the service has made its id", async () => {
    const { submissionId } = await provided.submitted()
    const { single } = await statementsOf(async () => expect((await decide(submissionId)).status).toBe(200))
    expect(single).toBe(1)
  })
})

describe("while nodes are upgraded one after another", () => {
  it("an application that a node of before has sent is sent again under its id, and its decision counts", async () => {
    const { journeyId, submissionId } = await provided.submitted()
    const { marked, unmarked } = derivedRequestIds(journeyId, "FINANCE", 1000)
    expect(marked).not.toBe(submissionId)
    // The service's own request of this journey is taken away: this one is the journey's only application.
    await service.query("delete from provider_requests where journey_id = $1 and kind = 'FINANCE'", [journeyId])
    await askedBefore(unmarked, journeyId)
    expect(
      await service.run(Effect.result(submitApplication(await storedState(service, journeyId), 1000)))
    ).toMatchObject({
      success: { _tag: "PanelAccepted" }
    })
    const sent = panel.asked.filter(({ body }) => body.journeyId === journeyId).map(({ body }) => body.submissionId)
    expect(sent).toEqual([submissionId, unmarked])
    expect(await marksOf(journeyId, "FINANCE")).toEqual([{ id: unmarked, isMarked: false }])
    await vi.waitFor(async () => expect((await decide(unmarked)).status).toBe(200), { timeout: 10_000 })
    expect(await eventTypes(service, journeyId)).toContain("finance_enquiry.referred")
  })

  it("a node of before cannot ask a provider again under another id, and tries later", async () => {
    const { journeyId } = await provided.submitted()
    await expect(askedBefore(randomUUID(), journeyId)).rejects.toSatisfy(isUnavailable)
    expect(await marksOf(journeyId, "FINANCE")).toHaveLength(1)
    const other = await startLive(service, company, "CASH_SALE")
    await askedBefore(randomUUID(), other)
    expect(await marksOf(other, "FINANCE")).toHaveLength(1)
  })

  it("the check of a journey has a mark, although the application before it has none", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    await askedBefore(randomUUID(), journeyId)
    const started = await service.run(
      Effect.result(
        startIdentityCheck(await storedState(service, journeyId), 1000, "https://journeys.example/app/journey")
      )
    )
    expect(Result.isSuccess(started)).toBe(true)
    const { marked } = derivedRequestIds(journeyId, "IDENTITY", 1000)
    expect(await marksOf(journeyId, "IDENTITY")).toContainEqual({ id: marked, isMarked: true })
  })
})

const forged = () => statementsOf(() => decide(randomUUID()))

it("a forged id costs a look-up only as long as requests of before can be answered", async () => {
  const journeyId = await startLive(service, company, "CASH_SALE")
  const daysAgo = (days: number) =>
    service.query("update provider_requests set created_at = now() - make_interval(days => $1) where not is_marked", [
      days
    ])
  await askedBefore(randomUUID(), journeyId)
  await daysAgo(179)
  await vi.waitFor(async () => expect((await forged()).single).toBe(1), { timeout: 10_000 })
  await daysAgo(181)
  await vi.waitFor(async () => expect((await forged()).single).toBe(0), { timeout: 10_000 })
})
