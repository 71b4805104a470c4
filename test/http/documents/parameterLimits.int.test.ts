/** Holds the limits of parameters that the document names against those that the service keeps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { largestPageSize, lastPage, longestExternalReference } from "../../../src/schema/decoding/parameters.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { operationOf, operations } from "./document.ts"

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

/** Every parameter of every list, at paths that name this company. */
const parameters = operations.flatMap(({ method, operation, path }) =>
  method === "GET"
    ? operation.parameters.filter((one) => one.in === "query").map(({ name }) => [path, name] as const)
    : []
)

describe("a parameter with a control character", () => {
  it.each(parameters)("is refused: %s ?%s", async (path, name) => {
    const token = path.startsWith("/settings") ? operatorToken : company.testKey
    const named = path
      .replace("{companyId}", company.id)
      .replace("{mode}", "test")
      .replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000")
    for (const sent of ["%00", "a%00b", "a%0Ab"]) {
      const { errors, status } = await ask(service, token, `${named}?${name}=${sent}`)
      // What the path names may be missing, and is looked for first.
      expect([400, 404], `${status} ${errors?.[0]?.code}`).toContain(status)
      if (status === 400) expect(errors?.map(({ field }) => field)).toContain(name)
    }
  })
})
