/**
 * Every operation that names a thing by its id, asked with an id of another company and with one of the other mode. The operations
 * and what they are sent come from the OpenAPI documents, so that a new operation is asked from its first day. The answer is the one
 * for an id that nobody has, and nothing of the owner changes. Who may ask at all is `everyRoute.int.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, startBody } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { jsonPart, multipartBytes, photoPart } from "../../support/multipart.ts"
import { call, type Reply } from "../../support/requests.ts"
import { operatorToken } from "../../support/service.ts"
import { askAs, filled, namesIn, sayingOf, startRouteGround, type RouteGround } from "../console/everyRouteGround.ts"
import { documents, operationsIn, type OpenApiDocument, type Placed } from "../documents/document.ts"

interface Asked {
  readonly name: string
  readonly method: string
  readonly path: string
  /** The first example of its body. */
  readonly body: unknown
  readonly isForm: boolean
}

const askedIn = (document: OpenApiDocument): ReadonlyArray<Asked> => {
  const exampleOf = ({ operation }: Placed): unknown => {
    const [media] = Object.values(operation.requestBody?.content ?? {})
    const [example] = Object.values(media?.examples ?? {})
    const name = example?.$ref?.replace("#/components/examples/", "")
    return (name === undefined ? example : document.components.examples[name])?.value
  }
  return operationsIn(document).map((placed) => ({
    name: placed.operation.operationId,
    method: placed.method,
    path: placed.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    body: exampleOf(placed),
    isForm: "multipart/form-data" in (placed.operation.requestBody?.content ?? {})
  }))
}

let ground: RouteGround
/** What the broker has in each mode, by the name that paths give it. Clocks are of the test mode. */
let idsOf: Readonly<Record<"live" | "test", Readonly<Record<string, string>>>>

/** On a clock that nobody advances the test journey stands still. */
const startTestThings = async (clockId: string): Promise<Readonly<Record<string, string>>> => {
  const { broker, other, service } = ground
  const url = "https://hooks.example.com/canary-test"
  await writeEndpoint(service.query, { companyId: broker.id, livemode: false, url })
  // Without endpoints of its own the other company would be asked for them before anything is looked up.
  for (const livemode of [true, false]) {
    await writeEndpoint(service.query, { companyId: other.id, livemode, url: "https://hooks.example.com/other" })
  }
  const { data } = await ask(service, broker.testKey, "/api/v1/journeys", {
    body: startBody("IDENTITY_DELIVERY"),
    headers: { "idempotency-key": "canary-test-journey", "sandbox-clock": clockId }
  })
  const [event] = await service.query<{ readonly id: string }>(
    "select id from events where journey_id = $1 order by sequence limit 1",
    [data.id]
  )
  const { data: deliveries } = await askOperator(`/companies/${broker.id}/webhook-endpoints/test/deliveries`)
  const ofMode = { journeyId: data.id, eventId: event?.id ?? "", deliveryId: deliveries.content[0].id, clockId }
  return { ...ofMode, taskId: await startResend("test") }
}

const askOperator = (path: string, given: { readonly method?: string; readonly body?: unknown } = {}) =>
  ask(ground.service, operatorToken, `/settings/v1${path}`, given)

const startResend = async (mode: "live" | "test"): Promise<string> => {
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const path = `/companies/${ground.broker.id}/webhook-endpoints/${mode}/resend`
  return (await askOperator(path, { method: "POST", body: { since } })).data.id
}

beforeAll(async () => {
  ground = await startRouteGround()
  const { clockId, ...of } = ground.ids
  idsOf = {
    test: { ...of, ...(await startTestThings(clockId ?? "")) },
    live: { ...of, taskId: await startResend("live") }
  }
})
afterAll(() => ground.service.stop())

const rowsOf = (table: string) =>
  `(select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) from ${table} t where company_id = $1) as ${table}`
const countOf = (table: string) =>
  `(select count(*)::int from ${table} t join journeys j on j.id = t.journey_id where j.company_id = $1) as ${table}`

/** Everything of the broker that a person or a caller may change. What the service changes by itself meanwhile is not here. */
const keptOfBroker = async (): Promise<unknown> => {
  return ground.service.query(
    `select ${["api_keys", "vehicles", "sandbox_clocks", "audit", "customers"].map(rowsOf).join(", ")}, ${["journal", "events", "customer_sessions", "identity_attempts"].map(countOf).join(", ")},
      (select count(*)::int from passkeys p join members m on m.id = p.member_id where m.company_id = $1) as passkeys,
      (select count(*)::int from console_sessions s where s.member_id = $2) as console_sessions,
      (select md5(string_agg(m::text, ' ')) from members m where m.id = $2) as member,
      (select count(*)::int from resend_tasks r join webhook_endpoints w on w.id = r.endpoint_id where w.company_id = $1)
        as resend_tasks`,
    [ground.broker.id, ground.ids["memberId"]]
  )
}

/** A vehicle's id is the company's own word: whoever says a new one has a new vehicle. */
const namesAnew: ReadonlySet<string> = new Set(["saveVehicle"])

const ofSettings = askedIn(documents.settings).filter(({ path }) => path.includes(":companyId"))
const naming = ofSettings.filter(({ path }) => namesIn(path).length > 1)

describe.each(naming)("$name ($method $path)", ({ body, method, name, path }) => {
  it("finds and changes nothing of another company by an id of it", async () => {
    for (const mode of ["live", "test"] as const) {
      const companyId = ground.other.id
      const to = filled(path, { ...idsOf[mode], companyId, mode })
      const unknown = filled(path, { companyId, mode })
      const before = await keptOfBroker()
      const answered = await askAs(ground, "other", { method, path: to, body })
      expect([mode, answered.status, answered.text]).toEqual([mode, namesAnew.has(name) ? 200 : 404, answered.text])
      expect(await keptOfBroker()).toEqual(before)
      if (namesAnew.has(name)) continue
      const ofUnknown = await askAs(ground, "other", { method, path: unknown, body })
      expect(sayingOf(answered, to)).toBe(sayingOf(ofUnknown, unknown))
    }
  })

  it.runIf(path.includes(":mode"))("finds and changes nothing of the other mode by an id of it", async () => {
    for (const [mode, other] of [
      ["live", "test"],
      ["test", "live"]
    ] as const) {
      const companyId = ground.broker.id
      const to = filled(path, { ...idsOf[other], companyId, mode })
      const before = await keptOfBroker()
      const answered = await askAs(ground, "owner", { method, path: to, body })
      expect([mode, answered.status, answered.text]).toEqual([mode, 404, answered.text])
      expect(await keptOfBroker()).toEqual(before)
    }
  })
})

const ofCallers = askedIn(documents.integrators).filter(({ path }) => namesIn(path).length > 0)

const callAs = (key: string, { body, isForm, method }: Asked, path: string): Promise<Reply> => {
  if (!isForm) return call(ground.service, { key, method, path, ...(body === undefined ? {} : { body }) })
  const { details } = body as { readonly details: unknown }
  return call(ground.service, {
    key,
    method,
    path,
    headers: { "content-type": "multipart/form-data; boundary=a-boundary" },
    body: multipartBytes([jsonPart(details, "details"), photoPart()])
  })
}

describe.each(ofCallers)("$name ($method $path)", (operation) => {
  const { method, path } = operation

  it.each(["live", "test"] as const)("finds nothing of mode %s by a key of another company or mode", async (mode) => {
    const { broker, other } = ground
    const to = filled(path, idsOf[mode])
    const own = mode === "live" ? broker.liveKey : broker.testKey
    for (const key of [other.testKey, other.liveKey, broker.testKey, broker.liveKey]) {
      if (key === own) continue
      const before = await keptOfBroker()
      const unknown = await callAs(key, operation, filled(path))
      const answered = await callAs(key, operation, to)
      // What only test keys may do is refused to a live key before anything is looked up.
      expect([404, key.startsWith("svc_live_") ? 403 : 404]).toContain(answered.status)
      expect([answered.status, answered.text]).toEqual([unknown.status, unknown.text])
      expect(await keptOfBroker()).toEqual(before)
    }
  })

  it.runIf(method === "GET")("finds what it names by a key of the company and the mode", async () => {
    const found = await callAs(ground.broker.testKey, operation, filled(path, idsOf.test))
    expect(found.status).toBe(200)
  })
})
