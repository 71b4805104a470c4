/** Answers that say what to do next: the page of each code, what a 401 and a 403 ask for, and what was wrong with a query. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../../src/schema/problems.ts"
import { remedies } from "../../../src/schema/remedies.ts"
import { ask, askSettings, makeCompany, startBody, type Answer, type TestCompany } from "../../support/companies.ts"
import { startService, type Service } from "../../support/service.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

const journeys = "/api/v1/journeys"
const pageOf = async (path: string) => {
  const response = await fetch(`${service.baseUrl}${path}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const linkOf = ({ headers }: Pick<Answer, "headers">) => headers.get("link")
const linkTo = (code: ErrorCode) => `</docs/errors/${code}>; rel="help"`

describe("a failure", () => {
  it("of any kind names the page of its first code", async () => {
    const failures = [
      await ask(service, "svc_test_wrong", journeys),
      await ask(service, company.testKey, `${journeys}/none`),
      await ask(service, company.testKey, journeys, { body: startBody("CASH_SALE") }),
      await ask(service, company.testKey, `${journeys}/none`, { method: "DELETE" }),
      await ask(service, company.testKey, "/nowhere"),
      await askSettings(service, "/companies", { body: {} })
    ]
    const codes = failures.map(({ errors }) => errors?.[0]?.code as ErrorCode)
    expect(new Set(codes).size).toBe(codes.length)
    expect(failures.map(linkOf)).toEqual(codes.map(linkTo))
  })

  it("is the only answer that does so", async () => {
    expect(linkOf(await ask(service, company.testKey, journeys))).toBeNull()
  })

  it.each(errorCodes)("%s has a page with its status, an example and what to do", async (code) => {
    const { headers, status, text } = await pageOf(`/docs/errors/${code}`)
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(text).toContain(`Status ${errorCatalogue[code].status}.`)
    expect(text).toContain(`&quot;code&quot;: &quot;${code}&quot;`)
    const [firstWords = ""] = remedies[code].split("`")
    expect(text).toContain(firstWords.replaceAll("'", "&#39;"))
    expect(text).not.toContain("`")
  })

  it("that has another cure for another caller has both on its page", async () => {
    for (const code of ["EKYC_NOT_CONFIGURED", "FINANCE_PANEL_NOT_CONFIGURED", "INSUFFICIENT_CREDITS"]) {
      expect((await pageOf(`/docs/errors/${code}`)).text).toContain("For test keys it is a switch of the sandbox.")
    }
    // The settings API answers it, too.
    expect((await pageOf("/docs/errors/INVALID_API_KEY")).text).toContain("send the operator&#39;s token")
  })

  it("that does not exist has no page", async () => {
    expect((await pageOf("/docs/errors/NO_SUCH_CODE")).status).toBe(404)
    const list = await pageOf("/docs/errors")
    for (const code of errorCodes) expect(list.text).toContain(`href="/docs/errors/${code}"`)
  })
})

const challengeOf = ({ headers, status }: Pick<Answer, "headers" | "status">) => [
  status,
  headers.get("www-authenticate")
]

describe("a 401", () => {
  it("asks for a token, and says that it is invalid only when one was sent", async () => {
    const invalid = [401, 'Bearer realm="journeys", error="invalid_token"']
    for (const path of [journeys, "/settings/v1/companies"]) {
      const without = await fetch(`${service.baseUrl}${path}`)
      expect(challengeOf(without)).toEqual([401, 'Bearer realm="journeys"'])
      expect(challengeOf(await ask(service, "svc_test_wrong", path))).toEqual(invalid)
    }
    expect(challengeOf(await ask(service, "guessed-token-of-the-operator", "/settings/v1/companies"))).toEqual(invalid)
  })

  it("asks a provider for a signature", async () => {
    const callback = await ask(service, "x", "/callbacks/v1/finance/none", { body: { id: "1" } })
    expect(challengeOf(callback)).toEqual([401, 'Service-Signature realm="journeys"'])
  })
})

describe("a 403", () => {
  it("names the scope that a key lacks", async () => {
    const { data: reader } = await askSettings(service, `/companies/${company.id}/api-keys`, {
      body: { mode: "TEST", scopes: ["journeys:read"] }
    })
    const refused = await ask(service, reader.key, journeys, { body: startBody("CASH_SALE") })
    expect(refused.errors?.[0]?.message).toContain("journeys:write")
    expect(refused.headers.get("www-authenticate")).toBe(
      'Bearer realm="journeys", error="insufficient_scope", scope="journeys:write"'
    )
  })

  it("names the live key where a test key is asked for", async () => {
    const { data: live } = await askSettings(service, `/companies/${company.id}/api-keys`, {
      body: { mode: "LIVE", scopes: ["journeys:read", "journeys:simulate"] }
    })
    const refused = await ask(service, live.key, `${journeys}/none/simulate`, { body: { event: "identity.verified" } })
    expect([refused.status, refused.errors?.[0]?.code]).toEqual([403, "API_KEY_NOT_PERMITTED"])
    expect(refused.errors?.[0]?.message).toMatch(/test keys.*live key/)
  })
})

it("a problem of a query names the parameter and its value, shortened", async () => {
  const refused = await ask(service, company.testKey, `${journeys}?size=lots&status=${"x".repeat(500)}`)
  const messages = Object.fromEntries(refused.errors?.map(({ field, message }) => [field, message]) ?? [])
  expect(messages["size"]).toMatch(/^size must .*; it is "lots"$/)
  expect(messages["status"]).toMatch(/^status must .*; it is "x{60}\.\.\."$/)
})
