/** Holds what the team's part of the settings API answers against what the document says it answers. */
import type { Schema } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { vehicleOperations } from "../../../src/http/api/company/vehicles.ts"
import { journeyListOperations } from "../../../src/http/api/team/journeyList.ts"
import { customerOperations } from "../../../src/http/api/team/customers.ts"
import { customerSessionOperations } from "../../../src/http/api/team/customerSessions.ts"
import { caseMediaOperations } from "../../../src/http/api/team/caseMedia.ts"
import { caseOperations } from "../../../src/http/api/team/cases.ts"
import { reviewLookOperations } from "../../../src/http/api/team/reviewLook.ts"
import { reviewMediaOperations } from "../../../src/http/api/team/reviewMedia.ts"
import { reviewOperations } from "../../../src/http/api/team/reviews.ts"
import { journeyActionOperations } from "../../../src/http/api/actions/journeyActions.ts"
import { memberOperations } from "../../../src/http/api/company/members.ts"
import { memberSessionOperations } from "../../../src/http/api/company/memberSessions.ts"
import { teamOperations } from "../../../src/http/api/team/team.ts"
import { addCustomerSession } from "../../support/addCustomerSession.ts"
import { askSettings, type Answer, type TestCompany } from "../../support/companies.ts"
import { addMember, addPasskey, openSession } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { decide, journeyAt, reviewOf, slowCompany, unavailableJourney } from "../api/settings/reviewGround.ts"
import { isPromised, strictly } from "./promised.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await slowCompany(service)
})
afterAll(() => service.stop())

const operations = [
  ...reviewOperations.endpoints,
  ...reviewLookOperations.endpoints,
  ...reviewMediaOperations.endpoints,
  ...teamOperations.endpoints,
  ...journeyActionOperations.endpoints,
  ...journeyListOperations.endpoints,
  ...caseOperations.endpoints,
  ...caseMediaOperations.endpoints,
  ...vehicleOperations.endpoints,
  ...customerOperations.endpoints,
  ...customerSessionOperations.endpoints,
  ...memberOperations.endpoints,
  ...memberSessionOperations.endpoints
]

/** Their answers are no JSON, or need a browser's authenticator; the tests of reviews and of passkeys look at them. */
const elsewhere = new Set([
  "getPicture",
  "getReviewVideo",
  "getCasePicture",
  "getCaseVideo",
  "getCaseFrame",
  "preparePasskey",
  "addPasskey"
])

const schemaOf = (operationId: string) => {
  const [schema] = operations.find(({ identifier }) => identifier === operationId)?.success ?? []
  // The endpoint keeps its schemas as any schema; these need no services.
  return schema as unknown as Schema.ConstraintDecoder<unknown>
}

const settings = (rest: string, given: Parameters<typeof askSettings>[2] = {}) =>
  askSettings(service, `/companies/${company.id}${rest}`, given)
const post = { method: "POST" }

it("is the shape that the document gives it, for every operation", async () => {
  const reviewed = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
  const review = await reviewOf(service, company, reviewed.id)
  const stuck = await unavailableJourney(service, company)
  const asked = await journeyAt(service, company, "CASH_SALE", null)
  const member = await addMember(service, company.id, { role: "TEAM" })
  const passkey = await addPasskey(service, member)
  await openSession(service, member)
  const customerSession = await addCustomerSession(service, asked.id)
  const sessions = await settings("/sessions")
  const alsoMember = await addMember(service, company.id, { email: "also@example.com", role: "TEAM" })
  await openSession(service, alsoMember)
  const answers: Readonly<Record<string, Answer>> = {
    listReviews: await settings("/reviews?mode=TEST"),
    getReview: await settings(`/reviews/${review}`),
    lookAtReview: await settings(`/reviews/${review}/look`, post),
    decideReview: await decide(service, company, review),
    resendCheck: await settings(`/journeys/${stuck.id}/resend-check`, post),
    resendLink: await settings(`/journeys/${asked.id}/resend-link`, post),
    listCustomerSessions: await settings(`/journeys/${asked.id}/customer-sessions`),
    endCustomerSession: await settings(`/journeys/${asked.id}/customer-sessions/${customerSession}`, {
      method: "DELETE"
    }),
    cancelCompanyJourney: await settings(`/journeys/${stuck.id}/cancel`, { body: { reason: "Found another car" } }),
    cancelHandover: await settings(`/journeys/${asked.id}/cancel-handover`, post),
    forceOutcome: await settings(`/journeys/${reviewed.id}/simulate`, { body: { event: "delivery.completed" } }),
    getTimeline: await settings(`/journeys/${reviewed.id}/timeline`),
    getCompanyJourney: await settings(`/journeys/${reviewed.id}`),
    getJourneyActions: await settings(`/journeys/${reviewed.id}/actions`),
    getCase: await settings(`/journeys/${reviewed.id}/case`),
    exportCase: await settings(`/journeys/${reviewed.id}/export`),
    listCompanyJourneys: await settings("/journeys?size=3"),
    searchJourneys: await settings("/journeys/search", { body: { search: "AB12 CDE" } }),
    saveVehicle: await settings("/vehicles/stock-1", { method: "PUT", body: { status: "IN_STOCK" } }),
    listVehicles: await settings("/vehicles"),
    correctCustomer: await settings(`/customers/${asked.customerReference}`, {
      method: "PATCH",
      body: { mobile: "07700 900456" }
    }),
    eraseCustomer: await settings(`/customers/${asked.customerReference}`, { method: "DELETE" }),
    getErasureProof: await settings(`/customers/${asked.customerReference}/erasure-proof`),
    listMembers: await settings("/members"),
    inviteMember: await settings("/members", { body: { email: "ben@example.com", role: "TEAM" } }),
    changeMember: await settings(`/members/${member}`, { method: "PATCH", body: { role: "OWNER" } }),
    setNotices: await settings(`/members/${member}/notices`, { method: "PUT", body: { notices: false } }),
    listSessions: sessions,
    endSessions: await settings(`/members/${alsoMember}/sessions`, { method: "DELETE" }),
    endSession: await settings(`/sessions/${sessions.data.content[0].id}`, { method: "DELETE" }),
    listPasskeys: await settings(`/members/${member}/passkeys`),
    removePasskey: await settings(`/members/${member}/passkeys/${passkey}`, { method: "DELETE" }),
    removeMember: await settings(`/members/${member}`, { method: "DELETE" })
  }
  const told = operations.map(({ identifier }) => identifier).filter((name) => !elsewhere.has(name))
  expect(Object.keys(answers).toSorted()).toEqual(told.toSorted())
  for (const [operationId, answer] of Object.entries(answers)) {
    expect([operationId, answer.errors]).toEqual([operationId, null])
    isPromised(operationId, answer)
    strictly(schemaOf(operationId), answer)
  }
})

it("is a refusal that the document names", async () => {
  const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
  const review = await reviewOf(service, company, id)
  const owner: string = (await settings("/members")).data.content[0].id
  const refused: ReadonlyArray<[operation: string, code: string, answer: Answer]> = [
    ["listReviews", "VALIDATION_FAILED", await settings("/reviews?mode=test")],
    ["getReview", "NOT_FOUND", await settings(`/reviews/${id}`)],
    ["getReview", "VALIDATION_FAILED", await settings(`/reviews/${review}?kind=identity`)],
    ["lookAtReview", "NOT_FOUND", await settings(`/reviews/${id}/look`, post)],
    ["getPicture", "NOT_FOUND", await settings(`/reviews/${review}/pictures/selfie`)],
    ["getReviewVideo", "NOT_FOUND", await settings(`/reviews/${review}/video`)],
    ["decideReview", "VALIDATION_FAILED", await decide(service, company, review, "MAYBE")],
    ["decideReview", "IDEMPOTENCY_KEY_REQUIRED", await decide(service, company, review, "REJECT", { key: "short" })],
    ["resendCheck", "CONFLICT", await settings(`/journeys/${id}/resend-check`, post)],
    ["resendLink", "CONFLICT", await settings(`/journeys/${id}/resend-link`, post)],
    [
      "forceOutcome",
      "CONFLICT",
      await settings(`/journeys/${id}/simulate`, { body: { event: "finance_enquiry.approved" } })
    ],
    ["forceOutcome", "VALIDATION_FAILED", await settings(`/journeys/${id}/simulate`, { body: { event: "ping" } })],
    ["cancelCompanyJourney", "VALIDATION_FAILED", await settings(`/journeys/${id}/cancel`, { body: {} })],
    [
      "cancelHandover",
      "VALIDATION_FAILED",
      await settings(`/journeys/${id}/cancel-handover`, { body: { reason: "short" } })
    ],
    ["cancelHandover", "NOT_FOUND", await settings(`/journeys/${review}/cancel-handover`, post)],
    ["getTimeline", "VALIDATION_FAILED", await settings(`/journeys/${id}/timeline?order=newest`)],
    ["getCompanyJourney", "NOT_FOUND", await settings(`/journeys/${review}`)],
    ["getJourneyActions", "NOT_FOUND", await settings(`/journeys/${review}/actions`)],
    ["getCase", "VALIDATION_FAILED", await settings(`/journeys/${id}/case?reason=curiosity`)],
    ["getCasePicture", "NOT_FOUND", await settings(`/journeys/${id}/case/pictures/${id}/selfie`)],
    ["getCaseVideo", "NOT_FOUND", await settings(`/journeys/${id}/case/video`)],
    ["getCaseFrame", "NOT_FOUND", await settings(`/journeys/${id}/case/video/frames/1`)],
    ["getCaseFrame", "NOT_FOUND", await settings(`/journeys/${id}/case/video/frames/first`)],
    ["listCompanyJourneys", "VALIDATION_FAILED", await settings("/journeys?search=somebody%40example.com")],
    ["searchJourneys", "VALIDATION_FAILED", await settings("/journeys/search", { body: {} })],
    ["saveVehicle", "VALIDATION_FAILED", await settings("/vehicles/stock-1", { method: "PUT", body: {} })],
    [
      "correctCustomer",
      "VALIDATION_FAILED",
      await settings(`/customers/${id}`, { method: "PATCH", body: { email: "nobody" } })
    ],
    ["correctCustomer", "NOT_FOUND", await settings(`/customers/${id}`, { method: "PATCH", body: {} })],
    ["eraseCustomer", "NOT_FOUND", await settings(`/customers/${id}`, { method: "DELETE" })],
    [
      "endCustomerSession",
      "NOT_FOUND",
      await settings(`/journeys/${id}/customer-sessions/${id}`, { method: "DELETE" })
    ],
    ["getErasureProof", "NOT_FOUND", await settings(`/customers/${id}/erasure-proof`)],
    ["listMembers", "VALIDATION_FAILED", await settings("/members?size=0")],
    ["inviteMember", "VALIDATION_FAILED", await settings("/members", { body: { email: "ben", role: "BOSS" } })],
    ["inviteMember", "CONFLICT", await settings("/members", { body: { email: "owner@example.com", role: "TEAM" } })],
    ["setNotices", "VALIDATION_FAILED", await settings(`/members/${owner}/notices`, { method: "PUT", body: {} })],
    ["preparePasskey", "ROLE_NOT_PERMITTED", await settings(`/members/${owner}/passkeys/options`, post)],
    [
      "addPasskey",
      "ROLE_NOT_PERMITTED",
      await settings(`/members/${owner}/passkeys`, { body: { name: "x", answer: "{}" } })
    ],
    ["changeMember", "CONFLICT", await settings(`/members/${owner}`, { method: "PATCH", body: { role: "TEAM" } })],
    ["removeMember", "CONFLICT", await settings(`/members/${owner}`, { method: "DELETE" })],
    ["listSessions", "VALIDATION_FAILED", await settings("/sessions?size=0")],
    ["endSession", "NOT_FOUND", await settings(`/sessions/${id}`, { method: "DELETE" })],
    ["endSessions", "NOT_FOUND", await settings(`/members/${id}/sessions`, { method: "DELETE" })],
    ["listPasskeys", "NOT_FOUND", await settings(`/members/${id}/passkeys`)],
    ["removePasskey", "NOT_FOUND", await settings(`/members/${owner}/passkeys/${id}`, { method: "DELETE" })]
  ]
  for (const [operation, code, answer] of refused) {
    expect([operation, answer.errors?.[0]?.code]).toEqual([operation, code])
    isPromised(operation, answer)
  }
})
