import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, makeCompany, type Answer } from "../../../support/companies.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const codesOf = (answer: Answer) => answer.errors?.map(({ code, field }) => [field, code])
const companies = "/settings/v1/companies"
const company = { name: "Harbour Cars", kind: "DEALER", adminEmail: "owner@example.com" }

it("lets nobody in without the operator's token, and says so in the envelope", async () => {
  const { liveKey, testKey } = await makeCompany(service)
  for (const token of [
    testKey,
    liveKey,
    `${operatorToken}x`,
    operatorToken.slice(0, -1),
    operatorToken.toUpperCase(),
    "x"
  ]) {
    for (const [path, given] of [
      [companies, {}],
      [companies, { body: company }],
      [`${companies}/00000000-0000-7000-8000-000000000000`, { method: "PATCH", body: {} }]
    ] as const) {
      const answer = await ask(service, token, path, given)
      expect([answer.status, codesOf(answer), answer.data]).toEqual([401, [["authorization", "INVALID_API_KEY"]], null])
      expect(answer.headers.get("ratelimit-policy")).toMatch(/^"address"/)
      expect(answer.headers.get("request-id")).toBeTruthy()
    }
  }
  for (const authorization of ["", `Basic ${operatorToken}`, operatorToken, `Bearer ${operatorToken} x`]) {
    expect((await ask(service, "", companies, { headers: { authorization } })).status).toBe(401)
  }
})

it("gives the operator's token no journeys", async () => {
  expect(codesOf(await ask(service, operatorToken, "/api/v1/journeys"))).toEqual([["authorization", "INVALID_API_KEY"]])
})

const post = (contentType: string, body: string) =>
  askSettings(service, "/companies", { body, headers: { "content-type": contentType } })

it("takes JSON in UTF-8 and nothing else", async () => {
  for (const type of ["text/plain", "application/json; charset=utf-16", "multipart/form-data"]) {
    const answer = await post(type, JSON.stringify(company))
    expect([answer.status, codesOf(answer)]).toEqual([415, [["body", "UNSUPPORTED_MEDIA_TYPE"]]])
  }
  for (const text of ["", "{", "null", "[]", '"text"', '{"name":"a","name":"b"}']) {
    const answer = await post("application/json", text)
    expect([text, answer.status, codesOf(answer)]).toEqual([text, 400, [["body", "VALIDATION_FAILED"]]])
  }
  const large = await post("application/json", JSON.stringify({ ...company, name: "x".repeat(1024 * 1024) }))
  expect([large.status, codesOf(large)]).toEqual([413, [["body", "PAYLOAD_TOO_LARGE"]]])
})

it("answers unknown paths and methods in the envelope", async () => {
  const { id } = await makeCompany(service)
  const unknown = await askSettings(service, "/nothing")
  expect([unknown.status, codesOf(unknown)]).toEqual([404, [["path", "NOT_FOUND"]]])
  const method = await askSettings(service, `/companies/${id}`, { method: "DELETE" })
  expect([method.status, codesOf(method)]).toEqual([405, [["method", "METHOD_NOT_ALLOWED"]]])
  expect(method.headers.get("allow")).toBe("GET, HEAD, PATCH")
})
