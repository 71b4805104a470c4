/**
 * What the service does around its providers, from a journey that is owed something to what the provider was told and
 * what came back (decisions F5, D2, D5; INV-20), one attempt at a time.
 */
import { Effect, Result } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { IdentityChecks } from "../../../src/actors/checks/identity/IdentityChecks.ts"
import { IdentityAttempts } from "../../../src/actors/checks/identity/IdentityAttempts.ts"
import { startIdentityCheck } from "../../../src/actors/effects/startIdentityCheck.ts"
import { submitApplication } from "../../../src/actors/effects/submitApplication.ts"
import { eventually } from "../../support/eventually.ts"
import {
  becomes,
  derivedRequestIds,
  makeProvidedCompany,
  startLive,
  storedState
} from "../../support/providerRequests.ts"
import { startProvidedService, type Provided } from "../../support/providedService.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

let provided: Provided
let service: Provided["service"]
let panel: Provided["panel"]
let identity: Provided["identity"]
let company: Provided["company"]
beforeAll(async () => {
  provided = await startProvidedService()
  ;({ company, identity, panel, service } = provided)
})
afterEach(() => {
  panel.behave("OK")
  identity.behave("OK")
})
afterAll(() => provided.stop())

/** A piece of work of a serial of its own, past the service's own attempts. */
let serials = 1000
const submit = async (journeyId: string, serial = (serials += 1)) =>
  service.run(Effect.result(submitApplication(await storedState(service, journeyId), serial)))
const start = async (journeyId: string, serial = (serials += 1)) =>
  service.run(
    Effect.result(
      startIdentityCheck(await storedState(service, journeyId), serial, "https://journeys.example/app/journey")
    )
  )

const erase = async (journeyId: string): Promise<void> => {
  await service.query(
    "update customers set wrapped_key = null where id = (select customer_id from journeys where id = $1)",
    [journeyId]
  )
}

const failure = (reason: string, definite = false) => Result.fail(expect.objectContaining({ definite, reason }))
const accepted = Result.succeed({ _tag: "PanelAccepted", check: { possible: true, by: "HTTP" } })

describe("an attempt to hand an application in", () => {
  it("sends it under one id however often it is made, and tells the journey that it was taken", async () => {
    const journeyId = await startLive(service, company, "FINANCE_SUBMIT_VIA_MIRA")
    const { marked: submissionId } = derivedRequestIds(journeyId, "FINANCE", 7)
    panel.behave("LOST")
    expect(await submit(journeyId, 7)).toEqual(failure("CONNECTION_RESET"))
    panel.behave(503)
    expect(await submit(journeyId, 7)).toEqual(failure("HTTP_503"))
    panel.behave("OK")
    expect(await submit(journeyId, 7)).toEqual(accepted)
    const sent = panel.asked.filter(({ body }) => body.submissionId === submissionId)
    expect(sent.map(({ idempotencyKey, isGenuine }) => [idempotencyKey, isGenuine])).toEqual(
      Array.from({ length: 3 }, () => [submissionId, true])
    )
    expect(sent[0]?.body).toMatchObject({
      journeyId,
      application: {
        customer: { lastName: "Okafor" },
        finance: {
          employmentHistory: [{ employmentType: "CURRENT" }, {}],
          addressHistory: [{ addressType: "CURRENT" }, {}]
        }
      }
    })
    expect(await service.query("select from provider_requests where id = $1", [submissionId])).toHaveLength(1)
  })

  it("is the last when the panel refuses", async () => {
    const journeyId = await startLive(service, company, "FINANCE_SUBMIT_VIA_MIRA")
    panel.behave(422)
    expect(await submit(journeyId)).toMatchObject({ failure: { definite: true, reason: "HTTP_422" } })
  })

  it("is the last when the panel's settings are gone, or no application can be made", async () => {
    const other = await makeProvidedCompany(service, panel, identity)
    const journeyId = await startLive(service, other, "FINANCE_SUBMIT_VIA_MIRA")
    const sale = await startLive(service, company, "CASH_SALE")
    const count = panel.asked.length
    expect(await submit(sale)).toEqual(Result.succeed({ _tag: "PanelFailed", reason: "SUBMISSION_ERROR" }))
    await service.query("update companies set finance_panel = null where id = $1", [other.id])
    expect(await submit(journeyId)).toEqual(Result.succeed({ _tag: "PanelFailed", reason: "PANEL_NOT_CONFIGURED" }))
    expect(panel.asked.filter(({ body }) => body.journeyId === sale)).toEqual([])
    expect(panel.asked.length - count).toBeLessThanOrEqual(1)
  })

  it("says when the company cannot check identities any more", async () => {
    const other = await makeProvidedCompany(service, panel, identity)
    const journeyId = await startLive(service, other, "FINANCE_SUBMIT_VIA_MIRA")
    await service.query("update companies set identity_provider = null where id = $1", [other.id])
    expect(await submit(journeyId)).toEqual(
      Result.succeed({ _tag: "PanelAccepted", check: { possible: false, reason: "EKYC_NOT_CONFIGURED" } })
    )
  })
})

const checkStarted = Result.succeed({ _tag: "IdentityCheckStarted", check: 1 })

describe("an attempt to have a check started", () => {
  it("keeps the provider's page for the customer, under their key, and nowhere in the clear", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    await becomes(service, company, journeyId, (it) => it.identity.status === "REQUESTED")
    identity.answerWith('{"url":"http://127.0.0.1:9/verify?token=page-canary-52e1"}')
    expect(await start(journeyId, 9)).toEqual(checkStarted)
    const { marked: checkId } = derivedRequestIds(journeyId, "IDENTITY", 9)
    expect(identity.taken.get(checkId)).toEqual({
      checkId,
      journeyId,
      returnUrl: "https://journeys.example/app/journey",
      customer: { firstName: "Tomasz", lastName: "Wójcik", dateOfBirth: null }
    })
    const ways = await service.run(
      Effect.flatMap(IdentityAttempts, (attempts) => attempts.way(JourneyId.make(journeyId)))
    )
    expect(ways).toEqual({ _tag: "PROVIDER", url: "http://127.0.0.1:9/verify?token=page-canary-52e1" })
    const [row] = await service.query<{ readonly row: string }>(
      "select row_to_json(c)::text as row from identity_checks c where id = $1",
      [checkId]
    )
    expect(row?.row).not.toContain("canary")
    expect(
      Buffer.from(/sealed_url":"\\\\x([0-9a-f]+)/.exec(row?.row ?? "")?.[1] ?? "", "hex").toString()
    ).not.toContain("canary")
  })

  it("keeps the later page of a check that is asked for again", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    // The journey's own attempt is over: it does not keep a page after those of the test.
    await becomes(service, company, journeyId, (it) => it.identity.status === "REQUESTED")
    for (const page of ["first", "second"]) {
      identity.answerWith(`{"url":"http://127.0.0.1:9/${page}"}`)
      await start(journeyId, 9)
    }
    const { identity: state } = await storedState(service, journeyId)
    const check = state === null || state.status === "NOT_ASKED" ? 0 : (state.check ?? 0)
    const page = await service.run(
      Effect.flatMap(IdentityChecks, (checks) => checks.page({ journeyId: JourneyId.make(journeyId), check }))
    )
    expect(page?.checkId).toBe(derivedRequestIds(journeyId, "IDENTITY", 9).marked)
    const other = await service.run(
      Effect.flatMap(IdentityChecks, (checks) =>
        checks.page({ journeyId: JourneyId.make(journeyId), check: check + 1 })
      )
    )
    expect(other).toBeNull()
  })

  it("fails for good when it is refused, and for now when the provider is broken", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    identity.behave(403)
    expect(await start(journeyId)).toEqual(failure("HTTP_403", true))
    identity.behave(502)
    expect(await start(journeyId)).toEqual(failure("HTTP_502"))
  })

  it("needs nobody where checks are made here, and cannot be made where nothing is configured", async () => {
    const other = await makeProvidedCompany(service, panel, identity)
    const journeyId = await startLive(service, other, "IDENTITY_DELIVERY")
    await service.query(`update companies set identity_provider = '{"kind":"BUILT_IN"}' where id = $1`, [other.id])
    expect(await start(journeyId, 5)).toEqual(checkStarted)
    await service.query("update companies set identity_provider = null where id = $1", [other.id])
    expect(await start(journeyId)).toEqual(
      Result.succeed({ _tag: "IdentityUnavailable", check: 1, reason: "EKYC_NOT_CONFIGURED" })
    )
  })

  it("is for nobody once the customer was erased", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    await erase(journeyId)
    expect(await start(journeyId)).toEqual(failure("CUSTOMER_ERASED", true))
  })

  it("keeps no page of a customer who is erased while the provider answers", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    const pages = () => service.query("select from identity_checks where journey_id = $1", [journeyId])
    await eventually(pages, ({ length }) => length === 1)
    identity.beforeAnswering(() => erase(journeyId))
    expect(await start(journeyId)).toEqual(checkStarted)
    identity.beforeAnswering(() => Promise.resolve())
    expect(await pages()).toHaveLength(1)
  })
})
