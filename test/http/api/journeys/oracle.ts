/**
 * What holds of every refused request, whatever was wrong with it: the envelope, the code and its status, no inner
 * workings in the text, nothing created, and the next request is served.
 */
import { expect } from "vitest"
import { makeCompany, type CompanyWishes, type TestCompany } from "../../../support/companies.ts"
import { call, type Reply } from "../../../support/requests.ts"
import { startService, type Service } from "../../../support/service.ts"

export const journeys = "/api/v1/journeys"

/** Journeys stand still, so that what tables hold changes by requests alone. */
export const still = { RATE_LIMIT_PER_MINUTE: "1000000", SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" }

export const stillService = (environment: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService({ ...still, ...environment })

export interface Ground {
  readonly service: Service
  readonly dealer: TestCompany
  readonly broker: TestCompany
}

/** A still service with a dealer and a broker; both may also start live journeys, unless `wishes` say otherwise. */
export const prepareGround = async (wishes: CompanyWishes = {}): Promise<Ground> => {
  const service = await stillService()
  const usual = { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 1000, ...wishes }
  const dealer = await makeCompany(service, usual)
  const broker = await makeCompany(service, { ...usual, kind: "BROKER", name: "Harbour Brokers" })
  return { service, dealer, broker }
}

/** How many rows each table that a start writes has, without what live journeys do by themselves meanwhile. */
export const rowCounts = async (service: Service): Promise<Readonly<Record<string, number>>> => {
  const [row] = await service.query<Record<string, number>>(`select
    (select count(*)::int from journeys) as journeys, (select count(*)::int from events) as events,
    (select count(*)::int from customers) as customers, (select count(*)::int from personal_records) as personal_records,
    (select count(*)::int from journal where sender <> 'service') as journal,
    (select count(*)::int from wallet_holds) as holds`)
  return row ?? {}
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const innerWorkings =
  /\.[jt]s:\d+|node_modules|\bat [\w.<>]+ \(|\b(select|insert|update|delete)\b .*\b(from|into|set)\b|sqlerror|pg_|constraint|syntax error|unexpected token|undefined|\[object|\/work\//i

/** Control characters and overrides of direction: whoever reads an answer in a terminal must see what it says. */
const unreadable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** The failure envelope with `expected` such as "400 VALIDATION_FAILED" first, and nothing that should stay inside. */
export const expectRefusal = (reply: Reply, expected: string, field?: string): void => {
  expect(`${reply.status} ${reply.code}`, reply.text.slice(0, 500)).toBe(expected)
  expect(Object.keys(reply.json as object)).toEqual(["success", "data", "message", "errors"])
  expect(reply.json).toMatchObject({ success: false, data: null, message: expect.stringMatching(/\S/) })
  expect(reply.errors.length).toBeGreaterThan(0)
  for (const error of reply.errors) {
    expect(Object.keys(error)).toEqual(["field", "code", "message"])
    for (const member of Object.values(error)) {
      expect(member).toMatch(/\S/)
      expect(member).not.toMatch(unreadable)
    }
    expect(error.field.length).toBeLessThan(300)
    expect(error.message.length).toBeLessThan(500)
  }
  if (field !== undefined) expect(reply.errors[0]?.field).toBe(field)
  expect(reply.text).not.toMatch(innerWorkings)
  expect(reply.header("request-id")).toMatch(uuid)
  expect(reply.header("content-type")).toBe("application/json")
  expect(reply.header("cache-control")).toBe("no-store")
  expect(reply.header("x-content-type-options")).toBe("nosniff")
}

/** Sends a request that must be refused and holds it against the whole list above. */
export const refuses = async (
  { dealer, service }: Ground,
  send: () => Promise<Reply>,
  expected: string,
  field?: string
): Promise<Reply> => {
  const before = await rowCounts(service)
  const reply = await send()
  expectRefusal(reply, expected, field)
  expect(await rowCounts(service)).toEqual(before)
  const next = await call(service, { key: dealer.testKey, path: `${journeys}?size=1` })
  expect(next.status).toBe(200)
  return reply
}
