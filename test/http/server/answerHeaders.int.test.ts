/** The headers by which a browser is told to make nothing else of an answer than what it is, on answers of every kind. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, makeCompany, type TestCompany } from "../../support/companies.ts"
import { startService, type Service } from "../../support/service.ts"
import { tokenIn } from "../app/CustomerBrowser.ts"
import { type ConsoleBrowser, signInMember } from "../console/consoleGround.ts"

let service: Service
let company: TestCompany
let member: ConsoleBrowser
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
  member = await signInMember(service, company.id, "TEAM")
})
afterAll(() => service.stop())

const headersOf = async (path: string, key?: string) =>
  (await fetch(`${service.baseUrl}${path}`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }))
    .headers

/** The first file of this ending that the page loads. */
const fileOf = async (page: string, ending: string): Promise<string> => {
  const text = await (await fetch(`${service.baseUrl}${page}`)).text()
  const [, file] = new RegExp(`(?:href|src)="(/[^"]+\\.${ending})"`).exec(text) ?? []
  if (file === undefined) throw new Error(`${page} loads no ${ending}`)
  return file
}

const said = (headers: Headers) => {
  const policy = (headers.get("content-security-policy") ?? "").split("; ")
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]))
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  expect(["no-referrer", "same-origin"]).toContain(headers.get("referrer-policy"))
  expect(headers.get("access-control-allow-origin")).toBeNull()
  const type = headers.get("content-type") ?? ""
  expect(type).toMatch(/^(?:application\/json|image\/[a-z+]+|text\/[a-z]+;.*charset=utf-8)$/)
}

describe("every answer, page or not", () => {
  it.each([
    "/",
    "/app/journey",
    "/console/sign-in",
    "/docs",
    "/docs/guides/start",
    "/docs/search?q=key",
    "/openapi.json",
    "/health/live",
    "/api/v1/journeys",
    "/settings/v1/companies",
    "/nowhere"
  ])("loads nothing that it does not name, stands in no frame, and is what its type says: %s", async (path) => {
    said(await headersOf(path))
  })

  it("also those of callers with a key, and of files that browsers keep", async () => {
    expect((await ask(service, company.testKey, "/api/v1/journeys")).status).toBe(200)
    said(await headersOf("/api/v1/journeys", company.testKey))
    said(await headersOf("/api/v1/journeys/none", company.testKey))
    said(await headersOf(await fileOf("/", "css")))
    said(await headersOf(await fileOf("/", "svg")))
  })
})

it("signing out clears what our pages have kept in the browser", async () => {
  const page = await member.ask("/console/team")
  const answer = await member.send("/console/sign-out", { token: tokenIn(page) })
  expect([answer.status, answer.headers.get("clear-site-data")]).toEqual([303, '"storage"'])
})
