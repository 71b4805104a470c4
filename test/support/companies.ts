/** Companies and keys as tests need them, made through the settings API as an operator would. */
import { startExamples } from "../../src/schema/start/examples.ts"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { operatorToken, type Service } from "../kit/runningService.ts"

/** An answer of the service, read to its end. `data` is for the test to inspect. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly success: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer's data
  readonly data: any
  readonly message: string
  readonly errors: ReadonlyArray<{ readonly field: string; readonly code: string; readonly message: string }> | null
}

interface Ask {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One request with a bearer token. A body is sent as JSON unless `headers` say otherwise. */
export const ask = async (
  service: { readonly baseUrl: string },
  token: string,
  path: string,
  { body, headers = {}, method = body === undefined ? "GET" : "POST" }: Ask = {}
): Promise<Answer> => {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  const envelope = (await response.json()) as Omit<Answer, "status" | "headers">
  return { ...envelope, status: response.status, headers: response.headers }
}

/** One request to the settings API as the operator; `path` begins after `/settings/v1`. */
export const askSettings = (service: { readonly baseUrl: string }, path: string, given: Ask = {}): Promise<Answer> =>
  ask(service, operatorToken, `/settings/v1${path}`, given)

export interface TestCompany {
  readonly id: string
  readonly testKey: string
  readonly testKeyId: string
  readonly liveKey: string
  readonly liveKeyId: string
}

/** What a company has beside the defaults. `settings` is a PATCH body, and `credits` go into both wallets. */
export interface CompanyWishes {
  readonly kind?: "DEALER" | "BROKER"
  readonly name?: string
  readonly adminEmail?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly credits?: number
  /** Whether the administrator is mailed an invitation. */
  readonly invite?: boolean
}

/** A company with a test and a live key, through the settings API. */
export const makeCompany = async (
  service: { readonly baseUrl: string },
  {
    adminEmail = "owner@example.com",
    credits = 0,
    invite = false,
    kind = "DEALER",
    name = "Harbour Cars",
    settings
  }: CompanyWishes = {}
): Promise<TestCompany> => {
  const made = async (path: string, given: Ask) => {
    const answer = await askSettings(service, path, given)
    if (!answer.success) throw new Error(`${path}: ${answer.status} ${answer.message}`)
    return answer.data
  }
  const { id } = await made("/companies", { body: { name, kind, adminEmail, invite } })
  if (settings !== undefined) await made(`/companies/${id}`, { method: "PATCH", body: settings })
  for (const wallet of credits === 0 ? [] : ["APPLICATION", "IDENTITY"]) {
    await made(`/companies/${id}/wallets/${wallet}/credits`, { body: { amount: credits, note: "Test credits" } })
  }
  const testKey = await made(`/companies/${id}/api-keys`, { body: { mode: "TEST" } })
  const liveKey = await made(`/companies/${id}/api-keys`, { body: { mode: "LIVE" } })
  return { id, testKey: testKey.key, testKeyId: testKey.id, liveKey: liveKey.key, liveKeyId: liveKey.id }
}

/** A complete start body of a shape. Tests change it as they like. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests make wrong bodies of it too
export const startBody = (shape: Shape): any => structuredClone(startExamples[shape])

let starts = 0

/** POST /api/v1/journeys as JSON, with an Idempotency-Key of its own unless one is given. */
export const start = (
  service: Pick<Service, "baseUrl">,
  key: string,
  body: unknown,
  idempotencyKey = `start-${(starts += 1).toString().padStart(8, "0")}`
): Promise<Answer> => ask(service, key, "/api/v1/journeys", { body, headers: { "idempotency-key": idempotencyKey } })
