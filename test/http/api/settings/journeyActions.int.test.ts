import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { simulatableEvents } from "../../../../src/schema/journey/events.ts"
import { callsOfKeys, type CallerActions, type JourneyActions } from "../../../../src/schema/journey/actions.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../../support/companies.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"
import { operations } from "../../documents/document.ts"
import { codesOf, journeyAt, slowCompany, unavailableJourney } from "./reviewGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
  company = await slowCompany(service)
})
afterAll(() => service.stop())

const actionsOf = (id: string, of = company) => askSettings(service, `/companies/${of.id}/journeys/${id}/actions`)
const dataOf = async (id: string): Promise<JourneyActions> => (await actionsOf(id)).data

const ownActionsOf = (id: string, key = company.testKey) => ask(service, key, `/api/v1/journeys/${id}/actions`)

const bodies: Readonly<Record<string, (value: string) => unknown>> = {
  cancelJourney: () => ({ reason: "The customer bought another car" }),
  cancelCompanyJourney: () => ({ reason: "The customer bought another car" }),
  sendFinanceDecision: (decision) => ({ decision }),
  simulateEvent: (event) => ({ event }),
  forceOutcome: (event) => ({ event }),
  decideReview: (decision) => ({ decision, reason: "Both photos show one person" })
}

/** What is sent where every value would do. */
const anyValue: Readonly<Record<string, string>> = {
  sendFinanceDecision: "APPROVED",
  simulateEvent: "delivery.completed",
  forceOutcome: "delivery.completed",
  decideReview: "APPROVE"
}

/** Makes a call for real, as the answer names it. */
const call = (
  { by, method, path }: Pick<JourneyActions["allowed"][number], "by" | "method" | "path">,
  operation: string,
  value: string
) => {
  const body = bodies[operation]?.(value)
  return ask(service, by === "TEAM" ? operatorToken : company.testKey, path, {
    method,
    ...(body === undefined ? {} : { body })
  })
}

interface Ground {
  readonly name: string
  readonly make: () => Promise<{ readonly id: string }>
}

const at = (shape: Shape, event: string | null): Ground => ({
  name: `${shape} ${event ?? "just started"}`,
  make: () => journeyAt(service, company, shape, event)
})

const grounds: ReadonlyArray<Ground> = [
  at("FINANCE_ALREADY_SUBMITTED", null),
  at("FINANCE_ALREADY_SUBMITTED", "identity.under_review"),
  at("FINANCE_ALREADY_SUBMITTED", "finance_enquiry.declined"),
  at("FINANCE_SUBMIT_VIA_MIRA", null),
  at("IDENTITY_DELIVERY", "delivery.video_uploaded"),
  at("CASH_SALE", "delivery.under_review"),
  { name: "a check that could not be started", make: () => unavailableJourney(service, company) }
]

const ofKeys = <Line extends { readonly by: string }>(lines: ReadonlyArray<Line>) =>
  lines.flatMap(({ by, ...line }) => (by === "API_KEY" ? [line] : []))

describe.each(grounds)("the calls of a journey: $name", ({ make }) => {
  it("that are allowed are taken when they are made as they are named", async () => {
    const { id } = await make()
    const { allowed } = await dataOf(id)
    for (const { choices, operation } of allowed) {
      for (const value of (choices?.values ?? [anyValue[operation] ?? ""]).slice(0, 2)) {
        // Every call finds a journey that has not been moved yet.
        const fresh = await make()
        const named = (await dataOf(fresh.id)).allowed.find((one) => one.operation === operation)
        if (named === undefined) throw new Error(`${operation} is not allowed on a journey of the same kind`)
        const answer = await call(named, operation, value)
        expect([operation, value, answer.errors]).toEqual([operation, value, null])
      }
    }
  })

  it("are told to the caller as to the team, each with the schema of its body", async () => {
    const { id } = await make()
    const [{ data: told }, { allowed, notAllowed, waitingOn }] = await Promise.all([ownActionsOf(id), dataOf(id)])
    expect(told.waitingOn).toEqual(waitingOn)
    expect(told.notAllowed).toEqual(ofKeys(notAllowed))
    expect(told.allowed).toMatchObject(ofKeys(allowed))
    for (const { body, method, path } of (told as CallerActions).allowed) {
      const operation = operations.find(
        (one) => one.method === method && one.path === path.replace(id, "{journeyId}")
      )?.operation
      const { $ref } = operation?.requestBody?.content[body.contentType]?.schema ?? {}
      expect(body.schema).toBe(`/openapi.json${$ref}`)
    }
  })

  it("that are not allowed are refused with the code that is named", async () => {
    const { id } = await make()
    const { notAllowed } = await dataOf(id)
    const base = `/settings/v1/companies/${company.id}/journeys/${id}`
    const paths: Readonly<Record<string, string>> = {
      cancelJourney: `/api/v1/journeys/${id}/cancel`,
      sendFinanceDecision: `/api/v1/journeys/${id}/finance-decision`,
      simulateEvent: `/api/v1/journeys/${id}/simulate`,
      resendCheck: `${base}/resend-check`,
      resendLink: `${base}/resend-link`,
      cancelCompanyJourney: `${base}/cancel`,
      cancelHandover: `${base}/cancel-handover`,
      forceOutcome: `${base}/simulate`
    }
    const refused = notAllowed.filter(({ operation }) => paths[operation] !== undefined)
    expect(refused.length).toBeGreaterThan(0)
    for (const { by, choices, code, operation } of refused) {
      const every = ["simulateEvent", "forceOutcome"].includes(operation) ? simulatableEvents : ["APPROVED", "DECLINED"]
      for (const value of (choices?.values ?? every).slice(0, 2)) {
        const answer = await call({ by, method: "POST", path: paths[operation] ?? "" }, operation, value)
        expect([operation, value, answer.errors?.[0]?.code]).toEqual([operation, value, code])
      }
    }
  })
})

it("says who is awaited, since when and until when", async () => {
  const { id } = await journeyAt(service, company, "FINANCE_ALREADY_SUBMITTED", "identity.under_review")
  const { data: timeline } = await askSettings(service, `/companies/${company.id}/journeys/${id}/timeline`)
  const events = timeline.content.flatMap((one: { readonly events: ReadonlyArray<unknown> }) => one.events)
  const createdAt = (type: string) => events.find((one: { readonly type: string }) => one.type === type).createdAt
  const { waitingOn } = await dataOf(id)
  expect(waitingOn).toMatchObject([
    { on: "SEND_FINANCE_DECISION", who: "CALLER", since: createdAt("finance_enquiry.submitted"), expectedBy: null },
    { on: "IDENTITY_UNDER_REVIEW", who: "TEAM", since: createdAt("identity.under_review"), expectedBy: null }
  ])
})

it("knows when the sandbox takes the next step", async () => {
  const quick = await makeCompany(service, { settings: { sandbox: { pace: 60 } } })
  const { id } = await journeyAt(service, quick, "IDENTITY_DELIVERY", null)
  const { data } = await actionsOf(id, quick)
  const [waiting] = (data as JourneyActions).waitingOn
  expect(waiting).toMatchObject({ on: "CUSTOMER_TO_VERIFY_IDENTITY", who: "CUSTOMER" })
  expect(Date.parse(waiting?.expectedBy ?? "") - Date.parse(waiting?.since ?? "")).toBe(60_000)
})

it("are nobody else's", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  expect(codesOf(await actionsOf(id, await makeCompany(service)))).toEqual([["journey", "NOT_FOUND"]])
})

it("are told to a key by its own rights: what it may not call is refused so, whatever the journey would take", async () => {
  const { id } = await journeyAt(service, company, "FINANCE_ALREADY_SUBMITTED", null)
  const { data: reader } = await askSettings(service, `/companies/${company.id}/api-keys`, {
    body: { mode: "TEST", scopes: ["journeys:read"] }
  })
  const { data } = await ownActionsOf(id, reader.key)
  expect(data.allowed).toEqual([])
  const refused = callsOfKeys.map((operation) => ({ operation, code: "API_KEY_NOT_PERMITTED", choices: null }))
  expect(data.notAllowed).toEqual(refused)
  const cancelled = await ask(service, reader.key, `/api/v1/journeys/${id}/cancel`, {
    body: { reason: "The customer bought another car" }
  })
  expect(codesOf(cancelled)).toEqual([["authorization", "API_KEY_NOT_PERMITTED"]])
})

it("are told to the keys of the journey's own company and mode alone", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  const other = await makeCompany(service)
  for (const key of [company.liveKey, other.testKey]) {
    expect(codesOf(await ownActionsOf(id, key))).toEqual([["journey", "JOURNEY_NOT_FOUND"]])
  }
})
