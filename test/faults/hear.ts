/** Sends requests to a service in trouble, and fails if an answer is late, whatever the answer is. */
import { startBody } from "../support/companies.ts"
import type { Service } from "../support/service.ts"

/** The promise: every answer comes within this time. */
const answerMillis = 5000

export const unlimited = { RATE_LIMIT_PER_MINUTE: "1000000" }

export interface Heard {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer's data
  readonly data: any
}

export const unavailable = { status: 503, code: "TEMPORARILY_UNAVAILABLE", retryAfter: "1" }

interface Asking {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Gives the answer, or says that the connection was dropped. Anything slower fails the test. */
export const hear = async (
  service: Service,
  key: string,
  path: string,
  { headers, ...init }: Asking = {}
): Promise<Heard | "dropped"> => {
  try {
    const response = await fetch(`${service.baseUrl}/api/v1/journeys${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(answerMillis)
    })
    const { data, errors } = (await response.json()) as {
      data: Heard["data"]
      errors: ReadonlyArray<{ code: string }> | null
    }
    return { status: response.status, code: errors?.[0]?.code, retryAfter: response.headers.get("retry-after"), data }
  } catch (error) {
    if (error instanceof TypeError) return "dropped"
    throw error
  }
}

export const post = (body: unknown, idempotencyKey: string): Asking => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "idempotency-key": idempotencyKey }
})

export const statusOf = (heard: Heard | "dropped") => (heard === "dropped" ? heard : heard.status)

export const startOf = (
  service: Service,
  key: string,
  idempotencyKey: string,
  email = `${idempotencyKey}@example.com`
) => {
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  return hear(service, key, "", post({ ...body, customer: { ...body.customer, email } }, idempotencyKey))
}

export const startedId = async (
  service: Service,
  key: string,
  idempotencyKey: string,
  email?: string
): Promise<string> => {
  const heard = await startOf(service, key, idempotencyKey, email)
  if (heard === "dropped" || heard.status !== 202) throw new Error(`not started: ${JSON.stringify(heard)}`)
  return heard.data.id
}
