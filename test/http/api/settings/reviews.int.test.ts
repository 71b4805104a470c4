import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fillFromState } from "../../../../src/runtime/postgres/migrations/0013_waiting.ts"
import { openReviews } from "../../../../src/runtime/stores/review/PostgresReviewQueue.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../../support/companies.ts"
import { addMember, openSession } from "../../../support/members.ts"
import { startService, type Service } from "../../../support/service.ts"
import { ConsoleBrowser } from "../../console/consoleGround.ts"
import {
  codesOf,
  decide,
  journeyAt,
  reviewOf,
  reviewsOf,
  simulate,
  slowCompany,
  unavailableJourney
} from "./reviewGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await slowCompany(service)
})
afterAll(() => service.stop())

const journeyOf = async (id: string) => (await ask(service, company.testKey, `/api/v1/journeys/${id}`)).data
const linesOf = (id: string, tag: string) =>
  service.query<{ readonly sender: string; readonly message: object; readonly sealed_note: Uint8Array | null }>(
    "select sender, message, sealed_note from journal where journey_id = $1 and message ->> '_tag' = $2",
    [id, tag]
  )
const auditOf = async () => (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data.content

describe("the queue", () => {
  it("shows what waits, the longest waiting first, by kind, and nothing that does not wait", async () => {
    const own = await slowCompany(service)
    const identity = await journeyAt(service, own, "IDENTITY_DELIVERY", "identity.under_review")
    const cash = await journeyAt(service, own, "CASH_SALE", "identity.under_review")
    await journeyAt(service, own, "IDENTITY_DELIVERY", "identity.failed")
    const video = await journeyAt(service, own, "IDENTITY_DELIVERY", "delivery.under_review")
    const stuck = await unavailableJourney(service, own)
    const found = await reviewsOf(service, own)
    const kinds = found.content.map((one: { kind: string; journeyId: string }) => [one.kind, one.journeyId])
    expect(kinds).toEqual([
      ["IDENTITY", identity.id],
      ["IDENTITY", cash.id],
      ["VIDEO", video.id],
      ["CHECK_UNAVAILABLE", stuck.id]
    ])
    expect(found.content[0]).toEqual({
      id: expect.any(String),
      kind: "IDENTITY",
      customerName: expect.any(String),
      registration: "AB12 CDE",
      mode: "TEST",
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      journeyId: identity.id,
      journeyType: "IDENTITY_DELIVERY",
      externalReference: "deal-1003",
      attempts: 1,
      openedBy: [],
      reasons: ["FACES_UNCLEAR"]
    })
    const ids = found.content.map(({ id }: { readonly id: string }) => id)
    for (const [at, id] of ids.entries()) {
      const { queue } = (await askSettings(service, `/companies/${own.id}/reviews/${id}`)).data
      expect(queue).toEqual({ previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null, waiting: 4 })
    }
    const page = await reviewsOf(service, own, "mode=TEST&size=1&page=1")
    expect([page.content[0].journeyId, page.content.length, page.totalElements]).toEqual([cash.id, 1, 4])
    expect((await reviewsOf(service, own, "")).content).toEqual([])
    expect((await reviewsOf(service, company)).content).toEqual([])
  })

  it("has a check that is unavailable once more as a review of its own, which nobody has decided", async () => {
    const own = await slowCompany(service)
    const stuck = await unavailableJourney(service, own)
    const reviewNow = async () => {
      const { content } = await reviewsOf(service, own)
      return (await askSettings(service, `/companies/${own.id}/reviews/${content[0].id}`)).data
    }
    const first = await reviewNow()
    const body = { sandbox: { identityConfigured: false } }
    await askSettings(service, `/companies/${own.id}`, { method: "PATCH", body })
    await askSettings(service, `/companies/${own.id}/journeys/${stuck.id}/resend-check`, { method: "POST" })
    const second = await reviewNow()
    expect([second.id === first.id, second.open, second.decided]).toEqual([false, true, null])
    const before = (await askSettings(service, `/companies/${own.id}/reviews/${first.id}`)).data
    expect(before).toMatchObject({ open: false, decided: { decision: "RESEND" } })
  })

  it("says why the team is asked, in codes, while it is asked", async () => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    await service.query(
      `update journeys set state = jsonb_set(state::jsonb, '{identity,reasons}', '["NAME_DIFFERS", "ACME_17"]')::json where id = $1`,
      [id]
    )
    const review = await reviewOf(service, company, id)
    const shown = async () => (await askSettings(service, `/companies/${company.id}/reviews/${review}`)).data
    expect(await shown()).toMatchObject({ open: true, reasons: ["NAME_DIFFERS", "ACME_17"] })
    expect(
      (await reviewsOf(service, company)).content.find((one: { journeyId: string }) => one.journeyId === id)
    ).toMatchObject({ reasons: ["NAME_DIFFERS", "ACME_17"] })
    await decide(service, company, review)
    expect(await shown()).toMatchObject({ open: false, reasons: [] })
    const stuck = await unavailableJourney(service, company)
    const waiting = (await reviewsOf(service, company)).content as ReadonlyArray<{ journeyId: string }>
    expect(waiting.find(({ journeyId }) => journeyId === stuck.id)).toMatchObject({
      reasons: [expect.stringMatching(/^(PROVIDER_ERROR|EKYC_NOT_CONFIGURED)$/)]
    })
  })

  it("shows an identity review that the caller's own duty hides from nextAction", async () => {
    const { id } = await journeyAt(service, company, "FINANCE_ALREADY_SUBMITTED", null)
    // Simulating a later event would have the lender decide first; the check alone goes to review.
    await service.query(
      `update journeys set state = jsonb_set(state::jsonb, '{identity}', state::jsonb -> 'identity' || '{"status": "UNDER_REVIEW", "attempts": 1}')::json where id = $1`,
      [id]
    )
    await service.query(fillFromState)
    await service.query(
      `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select id, 99, gen_random_uuid(), company_id, livemode, 'identity.under_review', '{"data":{}}', now() from journeys where id = $1`,
      [id]
    )
    expect((await journeyOf(id)).nextAction).toBe("SEND_FINANCE_DECISION")
    expect(await reviewOf(service, company, id)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("can be read by its index, whose condition is the query's", async () => {
    const { sql } = service
    const query = `explain select * ${openReviews.replace("$1", `'${company.id}'`).replace("$2", "true").replaceAll("$3", "null")}`
    // A table this small the planner reads by any other index; they come back with the end of the transaction.
    const plan = await Effect.runPromise(
      sql
        .unsafe("drop index journeys_longest_waiting, journeys_newest, journeys_by_reference, journeys_listed")
        .pipe(
          Effect.andThen(sql.unsafe("set local enable_seqscan = off")),
          Effect.andThen(sql.unsafe<Record<string, string>>(query)),
          Effect.flatMap(Effect.fail),
          sql.withTransaction,
          Effect.flip
        )
    )
    expect(JSON.stringify(plan)).toContain("journeys_in_review")
  })
})

describe("a decision", () => {
  it("approves an identity: the journey goes on, and the reason is sealed and in no event", async () => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    const review = await reviewOf(service, company, id)
    const answer = await decide(service, company, review, "APPROVE", { reason: "Known to us: canary-reason-731" })
    expect([answer.status, answer.data.id, answer.data.identity.status]).toEqual([200, id, "VERIFIED"])
    const [line] = await linesOf(id, "IdentityVerified")
    expect(line).toMatchObject({ sender: "operator", sealed_note: expect.any(Uint8Array) })
    expect(JSON.stringify(line?.message)).not.toContain("canary")
    const stored = await service.query("select body from events where journey_id = $1", [id])
    expect(JSON.stringify(stored)).not.toContain("canary-reason")
    const entry = (await auditOf()).find((one: { details: { reviewId?: string } }) => one.details.reviewId === review)
    expect(entry).toMatchObject({
      actor: "operator",
      action: "review.decided",
      details: { journeyId: id, kind: "IDENTITY", decision: "APPROVE" }
    })
    expect(JSON.stringify(await auditOf())).not.toContain("canary-reason")
  })

  it("stands on the review that is over: what was decided, when, and by whom, a member by their address", async () => {
    const decidedOf = async (review: string) =>
      (await askSettings(service, `/companies/${company.id}/reviews/${review}`)).data.decided
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const review = await reviewOf(service, company, id)
    expect(await decidedOf(review)).toBe(null)
    await decide(service, company, review, "REJECT")
    expect(await decidedOf(review)).toMatchObject({ decision: "REJECT", by: "operator", byName: "operator" })
    await simulate(service, company, id, "identity.under_review")
    const second = await reviewOf(service, company, id)
    const memberId = await addMember(service, company.id, { email: "clerk@harbour.example", role: "TEAM" })
    const member = new ConsoleBrowser(service, await openSession(service, memberId))
    await member.submit(`/console/reviews/${second}`, { decision: "APPROVE", reason: "The same person", next: "" })
    const by = `member:${memberId}`
    const at = expect.stringMatching(/Z$/)
    expect(await decidedOf(second)).toEqual({ decision: "APPROVE", at, by, byName: "clerk@harbour.example" })
    await askSettings(service, `/companies/${company.id}/members/${memberId}`, { method: "DELETE" })
    expect(await decidedOf(second)).toMatchObject({ by, byName: "a former member" })
    // The sandbox went on without the team.
    const alone = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const passed = await reviewOf(service, company, alone.id)
    await simulate(service, company, alone.id, "identity.verified")
    expect(await decidedOf(passed)).toBe(null)
  })

  it("rejects an identity: the customer tries again, and the next review is another one", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const first = await reviewOf(service, company, id)
    expect((await decide(service, company, first, "REJECT")).data.delivery.status).toBe("AWAITING_IDENTITY")
    await simulate(service, company, id, "identity.under_review")
    const second = await reviewOf(service, company, id)
    expect(second).not.toBe(first)
    const late = await decide(service, company, first, "APPROVE")
    expect([late.status, codesOf(late)]).toEqual([409, [["review", "CONFLICT"]]])
    expect((await decide(service, company, second, "APPROVE")).status).toBe(200)
  })

  it("on a review that was over undecided is none on the next review of the journey", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const first = await reviewOf(service, company, id)
    for (const event of ["identity.failed", "identity.under_review"]) await simulate(service, company, id, event)
    const late = codesOf(await decide(service, company, first, "APPROVE"))
    expect([late, (await journeyOf(id)).delivery.status]).toEqual([[["review", "CONFLICT"]], "IDENTITY_UNDER_REVIEW"])
  })

  it("approves a video: the handover is complete; rejects one: the customer records another", async () => {
    const approved = await journeyAt(service, company, "CASH_SALE", "delivery.under_review")
    const answer = await decide(service, company, await reviewOf(service, company, approved.id))
    expect([answer.data.status, answer.data.delivery.status]).toEqual(["COMPLETED", "COMPLETED"])
    const rejected = await journeyAt(service, company, "CASH_SALE", "delivery.under_review")
    const again = await decide(service, company, await reviewOf(service, company, rejected.id), "REJECT")
    expect(again.data.delivery.status).toBe("AWAITING_VIDEO")
  })

  it("is taken from one of ten reviewers at once; the others hear CONFLICT, also those who agree", async () => {
    for (const shape of ["IDENTITY_DELIVERY", "CASH_SALE"] as const) {
      const event = shape === "CASH_SALE" ? "delivery.under_review" : "identity.under_review"
      const { id } = await journeyAt(service, company, shape, event)
      const review = await reviewOf(service, company, id)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => decide(service, company, review, at % 2 === 0 ? "APPROVE" : "REJECT"))
      )
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
      const lines = await service.query("select 1 from journal where journey_id = $1 and sender = 'operator'", [id])
      expect(lines.length).toBe(1)
    }
  })

  it("repeated with the same key is the same decision, told once and written down once", async () => {
    const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
    const review = await reviewOf(service, company, id)
    const key = "review-key-1"
    const first = await decide(service, company, review, "REJECT", { key })
    const repeated = await decide(service, company, review, "REJECT", { key })
    expect([first.status, repeated.status]).toEqual([200, 200])
    // Also when the customer has tried again since.
    await simulate(service, company, id, "identity.under_review")
    expect((await decide(service, company, review, "REJECT", { key })).status).toBe(200)
    expect((await journeyOf(id)).delivery.status).toBe("IDENTITY_UNDER_REVIEW")
    expect((await decide(service, company, review, "APPROVE", { key })).status).toBe(409)
    expect((await linesOf(id, "IdentityFailed")).length).toBe(1)
    const written = (await auditOf()).filter(
      (one: { details: { reviewId?: string } }) => one.details.reviewId === review
    )
    expect(written.length).toBe(1)
  })

  it("is not taken of a check that is unavailable: that one is resent", async () => {
    const { id } = await unavailableJourney(service, company)
    const refused = await decide(service, company, await reviewOf(service, company, id))
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining("resent")])
    expect((await journeyOf(id)).identity.status).toBe("UNAVAILABLE")
  })

  it("of a journey that has ended is a conflict", async () => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    const review = await reviewOf(service, company, id)
    await ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, { body: { reason: "Found another car" } })
    expect((await decide(service, company, review)).status).toBe(409)
    expect((await askSettings(service, `/companies/${company.id}/reviews/${review}`)).data.open).toBe(false)
  })

  it.each([
    [{}, ["decision", "reason"]],
    [{ decision: "approve", reason: "Long enough" }, ["decision"]],
    [{ decision: "APPROVE", reason: "Too short" }, ["reason"]],
    [{ decision: "APPROVE", reason: "x".repeat(501) }, ["reason"]],
    [{ decision: "APPROVE", reason: "Long enough", reviewer: "me" }, ["reviewer"]]
  ])("with the body %j is refused at %j", async (body, fields) => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    const review = await reviewOf(service, company, id)
    const answer = await askSettings(service, `/companies/${company.id}/reviews/${review}/decision`, { body })
    expect(codesOf(answer)).toEqual(fields.map((field) => [field, "VALIDATION_FAILED"]))
    expect((await journeyOf(id)).identity.status).toBe("UNDER_REVIEW")
  })

  it("of another company's review, or of an event that began none, finds nothing", async () => {
    const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    const review = await reviewOf(service, company, id)
    const other = await makeCompany(service)
    expect(codesOf(await decide(service, other, review))).toEqual([["review", "NOT_FOUND"]])
    const [event] = await service.query<{ readonly id: string }>(
      "select id from events where journey_id = $1 and type = 'journey.created'",
      [id]
    )
    expect(codesOf(await decide(service, company, event?.id ?? ""))).toEqual([["review", "NOT_FOUND"]])
    expect(codesOf(await decide(service, company, "none"))).toEqual([["review", "NOT_FOUND"]])
  })
})
