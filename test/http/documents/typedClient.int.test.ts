/** The typed clients that the contracts give, against the running service. */
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contracts } from "../../../src/http/api/contract.ts"
import { ApiKeyRequired, OperatorTokenRequired } from "../../../src/http/server/endpoints/security.ts"
import { makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { CompanyId, JourneyId } from "../../../src/schema/ids.ts"

let service: Service
let company: TestCompany

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

describe("the typed client", () => {
  const outside = Layer.suspend(() =>
    Layer.mergeAll(
      HttpApiMiddleware.layerClient(ApiKeyRequired, ({ next, request }) =>
        next(HttpClientRequest.bearerToken(request, company.testKey))
      ),
      HttpApiMiddleware.layerClient(OperatorTokenRequired, ({ next, request }) =>
        next(HttpClientRequest.bearerToken(request, operatorToken))
      ),
      FetchHttpClient.layer
    )
  )
  const client = Effect.provide(
    Effect.suspend(() => HttpApiClient.make(contracts.integrators, { baseUrl: service.baseUrl })),
    outside
  )
  const settings = Effect.provide(
    Effect.suspend(() => HttpApiClient.make(contracts.settings, { baseUrl: service.baseUrl })),
    outside
  )

  it("starts, reads, lists and cancels a journey", async () => {
    const cancelled = await Effect.runPromise(
      Effect.gen(function* () {
        const api = yield* client
        const started = yield* api.startJourney({
          headers: { "Idempotency-Key": "typed-client-1" },
          payload: startBody("IDENTITY_DELIVERY")
        })
        const params = { journeyId: JourneyId.make(started.data.id) }
        const { data } = yield* api.getJourney({ params })
        expect(data.type).toBe("IDENTITY_DELIVERY")
        const list = yield* api.listJourneys({ query: { size: 1, status: "ACTIVE" } })
        expect(list.data.content.map(({ id }) => id)).toEqual([data.id])
        return yield* api.cancelJourney({ headers: {}, params, payload: { reason: "Found another car" } })
      })
    )
    expect(cancelled.data.status).toBe("CANCELLED")
  })

  it("fails with the envelope of a refusal", async () => {
    const refused = await Effect.runPromise(
      Effect.flatMap(client, (api) =>
        Effect.flip(api.getJourney({ params: { journeyId: JourneyId.make("00000000-0000-4000-8000-000000000000") } }))
      )
    )
    expect(refused).toMatchObject({ success: false, errors: [{ code: "JOURNEY_NOT_FOUND" }] })
  })

  it("reads the settings API as the operator", async () => {
    const found = await Effect.runPromise(
      Effect.flatMap(settings, (api) => api.getCompany({ params: { companyId: CompanyId.make(company.id) } }))
    )
    expect(found.data.id).toBe(company.id)
  })
})
