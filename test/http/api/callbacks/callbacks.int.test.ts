/** Callbacks of outside providers at the real service (FAULT-33, decisions D5, F4 and F6). */
import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { ask, type Answer } from "../../../support/companies.ts"
import {
  becomes,
  eventTypes,
  makeProvidedCompany,
  read,
  requestIdOf,
  settled,
  startLive,
  traceOf
} from "../../../support/providerRequests.ts"
import { startProvidedService, type Provided } from "../../../support/providedService.ts"
import { reordered } from "../../../support/signedCallback.ts"

let provided: Provided
let service: Provided["service"]
let panel: Provided["panel"]
let identity: Provided["identity"]
let company: Provided["company"]
let submitted: Provided["submitted"]
beforeAll(async () => {
  provided = await startProvidedService()
  ;({ company, identity, panel, service, submitted } = provided)
})
afterEach(() => panel.behave("OK"))
afterAll(() => provided.stop())

const codeOf = (answer: Answer) => [answer.status, answer.errors?.[0]?.code ?? null]
const ok = [200, null]

/** A journey whose customer the provider is checking. */
const checking = async () => {
  const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
  const checkId = await requestIdOf(service, journeyId, "IDENTITY")
  await settled(service, journeyId)
  return { journeyId, checkId }
}

describe("a panel's decision", () => {
  it.each([
    ["APPROVED", "APPROVED", "ACTIVE"],
    ["REFERRED", "REFERRED", "ACTIVE"],
    ["DECLINED", "DECLINED", "CANCELLED"]
  ] as const)("%s is the journey's", async (decision, finance, status) => {
    const { journeyId, submissionId } = await submitted()
    expect(codeOf(await panel.decide(service, submissionId, decision, randomUUID()))).toEqual(ok)
    expect(await read(service, company, journeyId)).toMatchObject({ status, finance: { status: finance } })
    const [line] = await service.query<{ readonly sender: string }>(
      "select sender from journal where journey_id = $1 order by version desc limit 1",
      [journeyId]
    )
    expect(line?.sender).toBe("panel")
  })

  it("counts once, however often it comes, one after the other and at once", async () => {
    const { journeyId, submissionId } = await submitted()
    const id = "decision-1"
    const decide = () => panel.decide(service, submissionId, "REFERRED", id)
    const answers = await Promise.all(Array.from({ length: 20 }, decide))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(codeOf(await decide())).toEqual(ok)
    const events = await eventTypes(service, journeyId)
    expect(events.filter((type) => type === "finance_enquiry.referred")).toHaveLength(1)
  })

  it("counts once also with another word under the same id", async () => {
    const { journeyId, submissionId } = await submitted()
    await panel.decide(service, submissionId, "REFERRED", "said")
    expect(codeOf(await panel.decide(service, submissionId, "DECLINED", "said"))).toEqual(ok)
    expect(await read(service, company, journeyId)).toMatchObject({ finance: { status: "REFERRED" } })
  })

  it("counts under an id that another request, or another provider, has used", async () => {
    const [one, other, { checkId, journeyId }] = [await submitted(), await submitted(), await checking()]
    for (const { submissionId } of [one, other]) {
      expect(codeOf(await panel.decide(service, submissionId, "REFERRED", "shared"))).toEqual(ok)
    }
    expect(codeOf(await identity.report(service, checkId, "VERIFIED", "shared"))).toEqual(ok)
    for (const asked of [one, other]) {
      expect(await read(service, company, asked.journeyId)).toMatchObject({ finance: { status: "REFERRED" } })
    }
    expect(await read(service, company, journeyId)).toMatchObject({ identity: { status: "VERIFIED" } })
  })

  it("counts again under another id: referred, referred again, approved", async () => {
    const { journeyId, submissionId } = await submitted()
    for (const [at, decision] of (["REFERRED", "REFERRED", "APPROVED"] as const).entries()) {
      expect(codeOf(await panel.decide(service, submissionId, decision, `d-${at}`))).toEqual(ok)
    }
    const events = await eventTypes(service, journeyId)
    expect(events.filter((type) => /referred|approved/.test(type))).toEqual([
      "finance_enquiry.referred",
      "finance_enquiry.referred",
      "finance_enquiry.approved"
    ])
  })

  it("that comes late changes nothing: after another decision, after cancel, after the decline", async () => {
    const { journeyId, submissionId } = await submitted()
    await panel.decide(service, submissionId, "APPROVED", "first")
    const approved = await traceOf(service, journeyId)
    for (const decision of ["DECLINED", "REFERRED", "APPROVED"] as const) {
      expect(codeOf(await panel.decide(service, submissionId, decision, `late-${decision}`))).toEqual(ok)
    }
    expect(await traceOf(service, journeyId)).toEqual(approved)

    await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}/cancel`, {
      body: { reason: "The customer changed their mind" }
    })
    const cancelled = await traceOf(service, journeyId)
    expect(codeOf(await panel.decide(service, submissionId, "APPROVED", "after cancel"))).toEqual(ok)
    expect(await traceOf(service, journeyId)).toEqual(cancelled)
    const outcomes = await service.query<{ readonly outcome: string }>(
      "select outcome from provider_callbacks where request_id = $1 order by at",
      [submissionId]
    )
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["APPLIED", "IGNORED", "IGNORED", "IGNORED", "IGNORED"])
  })

  it("that comes before our call has returned counts as accepted first", async () => {
    let submissionId = ""
    panel.beforeAnswering(async (body) => {
      submissionId = body.submissionId
      expect(codeOf(await panel.decide(service, body.submissionId, "APPROVED", "at once"))).toEqual(ok)
    })
    const journeyId = await startLive(service, company, "FINANCE_SUBMIT_VIA_MIRA")
    const journey = await becomes(service, company, journeyId, (it) => it.identity.status === "REQUESTED")
    panel.beforeAnswering(() => Promise.resolve())
    expect(journey).toMatchObject({ status: "ACTIVE", finance: { status: "APPROVED" } })
    expect(await requestIdOf(service, journeyId, "FINANCE")).toBe(submissionId)
    expect([...panel.taken.values()].filter((one) => one.journeyId === journeyId)).toHaveLength(1)
    const events = await eventTypes(service, journeyId)
    expect(events).toEqual([
      "journey.created",
      "finance_enquiry.submitted",
      "finance_enquiry.approved",
      "identity.requested"
    ])
  })

  it("asks for no identity check that the company cannot make any more", async () => {
    const other = await makeProvidedCompany(service, panel, identity)
    panel.behave("SILENT")
    const journeyId = await startLive(service, other, "FINANCE_SUBMIT_VIA_MIRA")
    const submissionId = await requestIdOf(service, journeyId, "FINANCE")
    await service.query("update companies set identity_provider = null where id = $1", [other.id])
    await panel.decide(service, submissionId, "APPROVED", "d")
    expect(await read(service, other, journeyId)).toMatchObject({
      finance: { status: "APPROVED" },
      identity: { status: "UNAVAILABLE", unavailableReason: "EKYC_NOT_CONFIGURED" }
    })
  })
})

describe("an identity provider's result", () => {
  it.each([
    ["VERIFIED", "VERIFIED"],
    ["UNDER_REVIEW", "UNDER_REVIEW"],
    ["FAILED", "FAILED"]
  ] as const)("%s is the journey's", async (result, status) => {
    const { checkId, journeyId } = await checking()
    expect(codeOf(await identity.report(service, checkId, result, "r-1"))).toEqual(ok)
    expect((await read(service, company, journeyId)).identity.status).toBe(status)
  })

  it("may fail and then verify, and a failure that comes late takes nothing back", async () => {
    const { checkId, journeyId } = await checking()
    await identity.report(service, checkId, "FAILED", "r-1")
    await identity.report(service, checkId, "VERIFIED", "r-2")
    const verified = await becomes(service, company, journeyId, ({ delivery }) => delivery !== null)
    expect(verified.identity.status).toBe("VERIFIED")
    const before = await traceOf(service, journeyId)
    expect(codeOf(await identity.report(service, checkId, "FAILED", "r-3"))).toEqual(ok)
    expect(await traceOf(service, journeyId)).toEqual(before)
  })

  it("that had no effect when it came has none when it is repeated later", async () => {
    const { checkId, journeyId } = await checking()
    await identity.report(service, checkId, "UNDER_REVIEW", "review")
    await identity.report(service, checkId, "UNDER_REVIEW", "again")
    await identity.report(service, checkId, "FAILED", "failed")
    expect(codeOf(await identity.report(service, checkId, "UNDER_REVIEW", "again"))).toEqual(ok)
    expect((await read(service, company, journeyId)).identity.status).toBe("FAILED")
  })

  it("about an earlier ask is ignored", async () => {
    const { checkId, journeyId } = await checking()
    await service.query("update provider_requests set check_number = check_number - 1 where id = $1", [checkId])
    const before = await traceOf(service, journeyId)
    expect(codeOf(await identity.report(service, checkId, "VERIFIED", "old"))).toEqual(ok)
    expect(await traceOf(service, journeyId)).toEqual(before)
  })

  it("reaches one end in any order and with any repeats", async () => {
    const results = [
      ["FAILED", "a"],
      ["UNDER_REVIEW", "b"],
      ["VERIFIED", "c"]
    ] as const
    for (const seed of [1, 2, 3, 4]) {
      const { checkId, journeyId } = await checking()
      for (const [result, id] of reordered(results, seed)) {
        expect(codeOf(await identity.report(service, checkId, result, id))).toEqual(ok)
      }
      expect((await read(service, company, journeyId)).identity.status).toBe("VERIFIED")
      const events = await eventTypes(service, journeyId)
      expect(events.filter((type) => type === "identity.verified")).toHaveLength(1)
    }
  })
})
