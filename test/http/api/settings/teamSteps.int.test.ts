import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { holdRows } from "../../../faults/heldRows.ts"
import { eventually } from "../../../support/eventually.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { addMember, openSession } from "../../../support/members.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"
import { ConsoleBrowser } from "../../console/consoleGround.ts"
import { codesOf, journeyAt, reviewsOf, slowCompany, unavailableJourney } from "./reviewGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await slowCompany(service)
})
afterAll(() => service.stop())

const step = (id: string, name: string, of = company) =>
  askSettings(service, `/companies/${of.id}/journeys/${id}/${name}`, { method: "POST" })
const audited = async (id: string) =>
  (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data.content
    .filter((one: { readonly details: { readonly journeyId?: string } }) => one.details.journeyId === id)
    .map((one: { readonly action: string; readonly actor: string }) => [one.action, one.actor])
const mailsOf = (id: string) =>
  service.query<{ readonly kind: string }>("select kind from mails where journey_id = $1 order by created_at, id", [id])

describe("resend-check", () => {
  it("asks the customer again once the check can be started, and is no review any more", async () => {
    const { id } = await unavailableJourney(service, company)
    const answer = await step(id, "resend-check")
    expect([answer.status, answer.data.identity.status]).toEqual([200, "REQUESTED"])
    const { content } = await reviewsOf(service, company)
    expect(content.map((one: { readonly journeyId: string }) => one.journeyId)).not.toContain(id)
    expect(await audited(id)).toEqual([["journey.check_resent", "operator"]])
    const again = await step(id, "resend-check")
    expect([again.status, again.message]).toEqual([409, expect.stringContaining("not unavailable")])
    expect((await audited(id)).length).toBe(1)
  })

  it("says so again while the check still cannot be started", async () => {
    const { id } = await unavailableJourney(service, company)
    await askSettings(service, `/companies/${company.id}`, {
      method: "PATCH",
      body: { sandbox: { identityConfigured: false } }
    })
    const answer = await step(id, "resend-check")
    await askSettings(service, `/companies/${company.id}`, {
      method: "PATCH",
      body: { sandbox: { identityConfigured: true } }
    })
    expect([answer.status, answer.data.identity]).toMatchObject([
      200,
      { status: "UNAVAILABLE", unavailableReason: "EKYC_NOT_CONFIGURED" }
    ])
    expect(answer.message).toContain("still cannot")
    const told = await service.query("select 1 from events where journey_id = $1 and type = 'identity.unavailable'", [
      id
    ])
    expect(told.length).toBe(2)
  })
})

describe("resend-link", () => {
  it("mails the customer the step they are asked for, and no more than so many an hour", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", null)
    const before = await mailsOf(id)
    expect((await step(id, "resend-link")).status).toBe(200)
    expect((await mailsOf(id)).slice(before.length)).toEqual([{ kind: "VERIFY_IDENTITY" }])
    expect(await audited(id)).toEqual([["journey.link_resent", "operator"]])
    const answers = [await step(id, "resend-link"), await step(id, "resend-link"), await step(id, "resend-link")]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409])
    expect((await mailsOf(id)).length).toBe(before.length + 3)
  })

  it("has no meaning while nothing is asked of the customer, or when the journey has ended", async () => {
    const reviewed = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const ended = await journeyAt(service, company, "CASH_SALE", "delivery.completed")
    for (const { id } of [reviewed, ended]) {
      expect(codesOf(await step(id, "resend-link"))).toEqual([["journey", "CONFLICT"]])
      expect(await audited(id)).toEqual([])
    }
  })
})

/** Asks, and goes away while the line for the audit log is written. */
const askAndLeave = async (path: string, body: unknown = {}) => {
  const rows = await holdRows(service.databaseUrl)
  await rows.take("lock table audit in share mode")
  const { hostname, port } = new URL(service.baseUrl)
  const caller = connect(Number(port), hostname)
  const sent = JSON.stringify(body)
  caller.write(
    [
      `POST /settings/v1/companies/${company.id}/${path} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Bearer ${operatorToken}`,
      "content-type: application/json",
      `content-length: ${sent.length}`,
      "",
      sent
    ].join("\r\n")
  )
  await rows.awaited("into audit")
  caller.end()
  // The service closes its side once it has seen that nobody waits. What it would give up then is given up while it answers others.
  await once(caller.resume(), "close")
  for (let at = 0; at < 20; at += 1) await askSettings(service, `/companies/${company.id}`)
  await rows.take("commit")
  await rows.end()
}

describe("whoever goes away before the answer", () => {
  it("has a mailed link in the audit log", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", null)
    const before = await mailsOf(id)
    await askAndLeave(`journeys/${id}/resend-link`)
    expect((await mailsOf(id)).length).toBe(before.length + 1)
    const lines = await eventually(
      () => audited(id),
      (found) => found.length > 0
    )
    expect(lines).toEqual([["journey.link_resent", "operator"]])
  })

  it("has a started test journey in the audit log", async () => {
    await askAndLeave("test-journeys", { shape: "CASH_SALE" })
    const [started] = await service.query<{ readonly id: string }>(
      "select id from journeys where company_id = $1 order by created_at desc limit 1",
      [company.id]
    )
    const lines = await eventually(
      () => audited(started?.id ?? ""),
      (found) => found.length > 0
    )
    expect(lines).toEqual([["test_journey.started", "operator"]])
  })
})

describe("cancel", () => {
  const reason = "The customer buys no car"
  const cancelled = (id: string, of = company) =>
    askSettings(service, `/companies/${of.id}/journeys/${id}/cancel`, { body: { reason } })

  it("ends a journey that has no handover, keeps the reason for the timeline, and is in the audit log without it", async () => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
    const answer = await cancelled(id)
    expect([answer.status, answer.data.status, answer.data.delivery]).toEqual([200, "CANCELLED", null])
    expect(await audited(id)).toEqual([["journey.cancelled", "operator"]])
    const { data } = await askSettings(service, `/companies/${company.id}/journeys/${id}/timeline`)
    expect(data.content.at(-1)).toMatchObject({ sender: "operator", message: "Cancel", note: reason })
    const audit = await service.query("select from audit where details::text like $1", [`%${reason}%`])
    expect(audit).toEqual([])
  })

  it("stands in the timeline with the address of the member who did it, as long as they are a member", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", null)
    const memberId = await addMember(service, company.id, { email: "clerk@harbour.example", role: "TEAM" })
    const member = new ConsoleBrowser(service, await openSession(service, memberId))
    const page = `/console/journeys/${id}`
    await member.submit(`${page}/cancel`, { reason })
    const last = async () =>
      (await askSettings(service, `/companies/${company.id}/journeys/${id}/timeline`)).data.content.at(-1)
    expect(await last()).toMatchObject({
      message: "Cancel",
      sender: `member:${memberId}`,
      senderName: "clerk@harbour.example"
    })
    expect((await member.ask(page)).text).toContain("<bdi>clerk@harbour.example</bdi>")
    await askSettings(service, `/companies/${company.id}/members/${memberId}`, { method: "DELETE" })
    expect(await last()).toMatchObject({ sender: `member:${memberId}`, senderName: "a former member" })
  })

  it("ends a handover before the journey, and refuses a journey that has ended", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.verified")
    expect((await cancelled(id)).data.delivery.status).toBe("CANCELLED")
    expect(codesOf(await cancelled(id))).toEqual([["journey", "CONFLICT"]])
  })

  it("finds no journey of another company", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", null)
    expect(codesOf(await cancelled(id, await makeCompany(service)))).toEqual([["journey", "NOT_FOUND"]])
  })

  it("asks for a reason", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", null)
    for (const body of [{}, { reason: "short" }]) {
      const answer = await askSettings(service, `/companies/${company.id}/journeys/${id}/cancel`, { body })
      expect(codesOf(answer)).toEqual([["reason", "VALIDATION_FAILED"]])
    }
  })
})

describe("cancel-handover", () => {
  it("ends the journey with the handover's own end before it", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.verified")
    const answer = await step(id, "cancel-handover")
    expect([answer.status, answer.data.status, answer.data.delivery.status]).toEqual([200, "CANCELLED", "CANCELLED"])
    expect(await audited(id)).toEqual([["journey.handover_cancelled", "operator"]])
    expect((await step(id, "cancel-handover")).status).toBe(409)
  })

  it("has no meaning without a handover", async () => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
    const answer = await step(id, "cancel-handover")
    expect([answer.status, answer.message]).toEqual([409, expect.stringContaining("no handover")])
  })
})

const force = (id: string, event: string, of = company) =>
  askSettings(service, `/companies/${of.id}/journeys/${id}/simulate`, { body: { event } })

describe("simulate", () => {
  it("forces an outcome of a test journey, as a test key does, and is in the audit log", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", null)
    const answer = await force(id, "identity.under_review")
    expect([answer.status, answer.data.nextAction]).toEqual([200, "DEALER_TO_REVIEW"])
    expect(await audited(id)).toEqual([["journey.simulated", "operator"]])
    expect(codesOf(await force(id, "finance_enquiry.approved"))).toEqual([["journey", "CONFLICT"]])
    expect(codesOf(await force(id, "ping"))).toEqual([["event", "VALIDATION_FAILED"]])
  })

  it("means nothing to a live journey", async () => {
    const of = await makeCompany(service, { credits: 2, settings: { identityProvider: { kind: "BUILT_IN" } } })
    const { data } = await start(service, of.liveKey, startBody("CASH_SALE"))
    const refused = await force(data.id, "delivery.completed", of)
    expect([codesOf(refused), refused.message]).toEqual([[["journey", "CONFLICT"]], expect.stringContaining("test")])
  })
})

it("finds no journey of another company, and none that is none", async () => {
  const { id } = await journeyAt(service, company, "CASH_SALE", null)
  const other = await makeCompany(service)
  for (const name of ["resend-check", "resend-link", "cancel-handover"]) {
    expect(codesOf(await step(id, name, other))).toEqual([["journey", "NOT_FOUND"]])
    expect(codesOf(await step("none", name))).toEqual([["journey", "NOT_FOUND"]])
  }
})
