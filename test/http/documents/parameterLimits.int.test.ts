/** Holds the limits of parameters that the document names against those that the service keeps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { largestPageSize, lastPage, longestExternalReference } from "../../../src/schema/decoding/parameters.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { startService, type Service } from "../../support/service.ts"
import { operationOf } from "./document.ts"

let service: Service
let company: TestCompany

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

const listed = (query: string) => ask(service, company.testKey, `/api/v1/journeys?${query}`)

describe("the limits of the list's parameters", () => {
  it.each([
    ["size", 1, largestPageSize],
    ["page", 0, lastPage]
  ])("%s are those the service keeps", async (name, least, most) => {
    const schema = operationOf("listJourneys").parameters.find((parameter) => parameter.name === name)?.schema
    expect(schema).toMatchObject({ type: "integer", minimum: least, maximum: most })
    expect((await listed(`${name}=${least}`)).status).toBe(200)
    expect((await listed(`${name}=${most}`)).status).toBe(200)
    expect((await listed(`${name}=${least - 1}`)).status).toBe(400)
    expect((await listed(`${name}=${most + 1}`)).status).toBe(400)
  })

  it("externalReference are those the service keeps", async () => {
    expect((await listed(`externalReference=${"x".repeat(longestExternalReference)}`)).status).toBe(200)
    expect((await listed(`externalReference=${"x".repeat(longestExternalReference + 1)}`)).status).toBe(400)
  })

  it("left out are the defaults", async () => {
    const { data } = await listed("")
    for (const name of ["page", "size"]) {
      const schema = operationOf("listJourneys").parameters.find((parameter) => parameter.name === name)?.schema
      expect(data[name]).toBe(schema?.["default"])
    }
  })

  it("of an Idempotency-Key are those the service keeps", async () => {
    const schema = operationOf("startJourney").parameters.find(({ name }) => name === "Idempotency-Key")?.schema
    const pattern = new RegExp(String(schema?.["pattern"]), "u")
    for (const key of ["x".repeat(8), "x".repeat(255), "aZ09._:-"]) {
      expect(pattern.test(key)).toBe(true)
      expect((await start(service, company.testKey, startBody("CASH_SALE"), key)).status).toBe(202)
    }
    for (const key of ["x".repeat(7), "x".repeat(256), "has a space", "has/slash"]) {
      expect(pattern.test(key)).toBe(false)
      expect((await start(service, company.testKey, startBody("CASH_SALE"), key)).status).toBe(400)
    }
  })
})
