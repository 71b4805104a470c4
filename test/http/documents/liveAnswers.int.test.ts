/** Holds what the running service answers against what the document says it answers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CallerActionsAnswer } from "../../../src/http/api/actions/callerActions.ts"
import { EventAnswer, EventPageAnswer } from "../../../src/http/api/journeys/events.ts"
import { JourneyAnswer, JourneyPageAnswer } from "../../../src/http/api/frame/journeyAnswer.ts"
import { ScenariosAnswer } from "../../../src/http/api/journeys/sandbox.ts"
import { StartPlanAnswer } from "../../../src/http/api/start/validateStart.ts"
import { Shape } from "../../../src/schema/journey/statuses.ts"
import {
  ask,
  askSettings,
  makeCompany,
  start,
  startBody,
  type Answer,
  type TestCompany
} from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startService, type Service } from "../../support/service.ts"
import { operationOf, responseOf } from "./document.ts"
import { isPromised, strictly } from "./promised.ts"

let service: Service
let company: TestCompany
let broker: TestCompany

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
  broker = await makeCompany(service, { kind: "BROKER" })
})
afterAll(() => service.stop())

const startAny = (shape: Shape): Promise<Answer> => {
  const body = startBody(shape)
  if (shape !== "FINANCE_SALE") return start(service, company.testKey, body)
  const form = new FormData()
  form.set("journey", new Blob([JSON.stringify(body)], { type: "application/json" }))
  form.set("customerFace", new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], { type: "image/jpeg" }), "face.jpg")
  return fetch(`${service.baseUrl}/api/v1/journeys`, {
    method: "POST",
    headers: { authorization: `Bearer ${company.testKey}`, "idempotency-key": "document-finance-sale" },
    body: form
  }).then(async (response) => ({
    ...((await response.json()) as Omit<Answer, "status" | "headers">),
    status: response.status,
    headers: response.headers
  }))
}

describe("an answer of the service", () => {
  it.each(Shape.literals.filter((shape) => shape !== "FINANCE_SALE"))(
    "to a start of %s has the shape that the document gives it",
    async (shape) => {
      const answer = await startAny(shape)
      expect(answer.status).toBe(202)
      isPromised("startJourney", answer)
      expect(strictly(JourneyAnswer, answer)).toMatchObject({ data: { id: answer.data.id } })
    }
  )

  it("to a start with a photo is one that the document names", async () => {
    isPromised("startJourney", await startAny("FINANCE_SALE"))
  })

  it("to a repeated start carries the header of a replay", async () => {
    const body = startBody("CASH_SALE")
    await start(service, company.testKey, body, "document-replayed")
    const replayed = await start(service, company.testKey, body, "document-replayed")
    expect(replayed.status).toBe(200)
    isPromised("startJourney", replayed)
    strictly(JourneyAnswer, replayed)
  })

  it("to each operation on a journey has the journey's shape", async () => {
    const { data } = await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
    const path = `/api/v1/journeys/${data.id}`
    const answers = {
      getJourney: await ask(service, company.testKey, path),
      sendFinanceDecision: await ask(service, company.testKey, `${path}/finance-decision`, {
        body: { decision: "APPROVED" }
      }),
      simulateEvent: await ask(service, company.testKey, `${path}/simulate`, { body: { event: "identity.verified" } }),
      cancelJourney: await ask(service, company.testKey, `${path}/cancel`, { body: { reason: "Found another car" } })
    }
    for (const [operationId, answer] of Object.entries(answers)) {
      expect(answer.success, operationId).toBe(true)
      isPromised(operationId, answer)
      strictly(JourneyAnswer, answer)
    }
  })

  it("about what a journey takes, and about a start that is only tried, has its shape", async () => {
    const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
    const told = await ask(service, company.testKey, `/api/v1/journeys/${data.id}/actions`)
    isPromised("getActions", told)
    strictly(CallerActionsAnswer, told)
    const tried = await ask(service, company.testKey, "/api/v1/journeys/validate", { body: startBody("CASH_SALE") })
    isPromised("validateStart", tried)
    strictly(StartPlanAnswer, tried)
  })

  it("to the list of events and to one of them has their shape", async () => {
    await startAny("CASH_SALE")
    const page = await eventually(
      () => ask(service, company.testKey, "/api/v1/events?delivered=false&size=100"),
      ({ data }) => data.content.length > 0
    )
    isPromised("listEvents", page)
    strictly(EventPageAnswer, page)
    const one = await ask(service, company.testKey, `/api/v1/events/${page.data.content[0].event.id}`)
    isPromised("getEvent", one)
    strictly(EventAnswer, one)
    isPromised("getEvent", await ask(service, company.testKey, "/api/v1/events/none"))
    isPromised("listEvents", await ask(service, company.testKey, "/api/v1/events?after=none"))
  })

  it("to the list and to the scenarios has their shape", async () => {
    const page = await ask(service, company.testKey, "/api/v1/journeys")
    isPromised("listJourneys", page)
    expect(page.data.content.length).toBeGreaterThan(0)
    strictly(JourneyPageAnswer, page)
    const scenarios = await ask(service, company.testKey, "/api/v1/sandbox/scenarios")
    isPromised("listScenarios", scenarios)
    strictly(ScenariosAnswer, scenarios)
    const [example] = Object.values(
      responseOf(operationOf("listScenarios"), 200).content["application/json"]?.examples ?? {}
    )
    expect(example?.value).toMatchObject({ data: scenarios.data })
  })
})

const without = (shape: Shape, change: (body: ReturnType<typeof startBody>) => void) => {
  const body = startBody(shape)
  change(body)
  return body
}

describe("a refusal of the service", () => {
  it("of a start is one that the document names", async () => {
    const taken = startBody("CASH_SALE")
    await start(service, company.testKey, taken, "document-taken")
    const refused: ReadonlyArray<[code: string, answer: Promise<Answer>]> = [
      ["IDEMPOTENCY_KEY_REQUIRED", start(service, company.testKey, taken, "short")],
      ["IDEMPOTENCY_KEY_REUSED", start(service, company.testKey, startBody("IDENTITY_DELIVERY"), "document-taken")],
      [
        "VALIDATION_FAILED",
        start(
          service,
          company.testKey,
          without("CASH_SALE", (body) => delete body.customer.email)
        )
      ],
      [
        "SALE_TYPE_REQUIRED",
        start(
          service,
          company.testKey,
          without("CASH_SALE", (body) => delete body.delivery.saleType)
        )
      ],
      ["CUSTOMER_FACE_REQUIRED", start(service, company.testKey, startBody("FINANCE_SALE"))],
      [
        "APPLICATION_INCOMPLETE",
        start(
          service,
          company.testKey,
          without("FINANCE_SUBMIT_VIA_MIRA", (body) => delete body.finance.loanTerm)
        )
      ],
      [
        "CONSENT_REQUIRED",
        start(
          service,
          company.testKey,
          without("FINANCE_SUBMIT_VIA_MIRA", (body) => delete body.finance.consents)
        )
      ],
      ["DEALER_ONLY", start(service, broker.testKey, startBody("CASH_SALE"))],
      ["EKYC_NOT_CONFIGURED", start(service, company.liveKey, startBody("CASH_SALE"))],
      ["INVALID_API_KEY", start(service, "svc_test_wrong", startBody("CASH_SALE"))],
      [
        "UNSUPPORTED_MEDIA_TYPE",
        ask(service, company.testKey, "/api/v1/journeys", { body: "x", headers: { "content-type": "text/plain" } })
      ],
      ["PAYLOAD_TOO_LARGE", start(service, company.testKey, { type: "x".repeat(1024 * 1024) })]
    ]
    for (const [code, answer] of refused) {
      expect((await answer).errors?.[0]?.code).toBe(code)
      isPromised("startJourney", await answer)
    }
  })

  it("of an operation on a journey is one that the document names", async () => {
    const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
    const missing = "/api/v1/journeys/00000000-0000-4000-8000-000000000000"
    const refused: ReadonlyArray<[operation: string, code: string, answer: Answer]> = [
      ["getJourney", "JOURNEY_NOT_FOUND", await ask(service, company.testKey, missing)],
      ["cancelJourney", "JOURNEY_NOT_FOUND", await ask(service, company.testKey, `${missing}/cancel`, { body: {} })],
      [
        "cancelJourney",
        "VALIDATION_FAILED",
        await ask(service, company.testKey, `/api/v1/journeys/${data.id}/cancel`, { body: {} })
      ],
      [
        "sendFinanceDecision",
        "FINANCE_ALREADY_DECIDED",
        await ask(service, company.testKey, `/api/v1/journeys/${data.id}/finance-decision`, {
          body: { decision: "APPROVED" }
        })
      ],
      [
        "simulateEvent",
        "EVENT_NOT_POSSIBLE",
        await ask(service, company.testKey, `/api/v1/journeys/${data.id}/simulate`, {
          body: { event: "finance_enquiry.approved" }
        })
      ],
      [
        "simulateEvent",
        "API_KEY_NOT_PERMITTED",
        await ask(service, company.liveKey, `/api/v1/journeys/${data.id}/simulate`, {
          body: { event: "identity.verified" }
        })
      ],
      [
        "getJourney",
        "METHOD_NOT_ALLOWED",
        await ask(service, company.testKey, `/api/v1/journeys/${data.id}`, { method: "DELETE" })
      ]
    ]
    for (const [operation, code, answer] of refused) {
      expect(answer.errors?.[0]?.code, operation).toBe(code)
      isPromised(operation, answer)
    }
  })

  it("of the settings API is one that the document names", async () => {
    const path = `/companies/${company.id}/api-keys`
    const { data: key } = await askSettings(service, path, { body: { mode: "TEST" } })
    isPromised("revokeApiKey", await askSettings(service, `${path}/${key.id}`, { method: "DELETE" }))
    const refused: ReadonlyArray<[operation: string, code: string, answer: Answer]> = [
      ["rotateApiKey", "CONFLICT", await askSettings(service, `${path}/${key.id}/rotate`, { method: "POST" })],
      ["getCompany", "NOT_FOUND", await askSettings(service, "/companies/00000000-0000-4000-8000-000000000000")],
      ["createCompany", "VALIDATION_FAILED", await askSettings(service, "/companies", { body: {} })],
      ["listCompanies", "INVALID_API_KEY", await ask(service, company.testKey, "/settings/v1/companies")]
    ]
    for (const [operation, code, answer] of refused) {
      expect(answer.errors?.[0]?.code, operation).toBe(code)
      isPromised(operation, answer)
    }
  })
})
