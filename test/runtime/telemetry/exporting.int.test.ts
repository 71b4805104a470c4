/** What leaves over OTLP, and what does not: nothing personal, no secret, no trace that was not asked for. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { ask, makeCompany, start, startBody } from "../../support/companies.ts"
import { writeEndpoint, endpointSecret } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { startOtlpReceiver, type OtlpReceiver } from "../../support/otlpReceiver.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let collector: OtlpReceiver
let receiver: Receiver

beforeEach(async () => {
  collector = await startOtlpReceiver()
  receiver = await startReceiver()
})
afterEach(() => Promise.all([collector.stop(), receiver.stop()]))

const telling = (environment: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    SANDBOX_STEP: "20 millis",
    WEBHOOK_ALLOW_INSECURE: "true",
    ...environment
  })

it("sends no trace at a share of 0, but still sends numbers and log lines", async () => {
  const service = await telling({ OTEL_TRACES_SAMPLER_ARG: "0", LOG_LEVEL: "trace" })
  // The journey does nothing by itself, which would write a readable state again.
  const company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const rows = await service.query<{ readonly traceparent: string | null }>(
    "select traceparent from journeys where id = $1",
    [data.id]
  )
  await service.query("update journeys set state = '{}' where id = $1", [data.id])
  expect((await ask(service, company.testKey, `/api/v1/journeys/${data.id}`)).status).toBe(500)
  await service.stop()
  expect(collector.spans).toEqual([])
  expect(rows).toEqual([{ traceparent: null }])
  expect(collector.metrics).toContain("journeys_http_request_seconds")
  expect(collector.logs.map(({ body }) => body).join("\n")).toContain("A stored journey cannot be read")
})

it("names the units of numbers as OpenTelemetry does, and gives a count none", async () => {
  const service = await telling({ OTEL_TRACES_SAMPLER_ARG: "0" })
  await makeCompany(service)
  await service.stop()
  const units = new Map(
    collector.bodies
      .flatMap((body) => JSON.parse(body).resourceMetrics ?? [])
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }): ReadonlyArray<{ readonly name: string; readonly unit: string }> => metrics)
      .map(({ name, unit }) => [name, unit])
  )
  expect(units.get("journeys_http_request_seconds")).toBe("s")
  expect(units.get("journeys_mails_total")).toBe("{item}")
  // Those of Effect Cluster come with the unit of a pure number.
  expect([...new Set(units.values())].filter((unit) => !["1", "By", "s", "ms", "{item}"].includes(unit))).toEqual([])
})

it("writes the ids of the trace and span into log lines", async () => {
  const service = await telling()
  const company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  await service.query("update journeys set state = '{}' where id = $1", [data.id])
  await ask(service, company.testKey, `/api/v1/journeys/${data.id}`)
  await service.stop()
  const line = collector.logs.find(({ body }) => body.includes("A stored journey cannot be read"))
  const read = collector.spans.find(({ name }) => name === "GET /api/v1/journeys/{journeyId}")
  expect(read?.status).toBe(2)
  expect([line?.traceId, line?.spanId]).toEqual([read?.traceId, read?.spanId])
})

it("sends nothing personal and no secret, whatever requests send and whatever fails", async () => {
  const service = await telling({ LOG_LEVEL: "trace" })
  const company = await makeCompany(service, { adminEmail: "canary-admin@example.com", name: "CanaryCars" })
  await writeEndpoint(service.query, { companyId: company.id, url: `${receiver.url}/canary-path?canary=secret` })
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  body.customer.firstName = "CanaryFirst"
  body.customer.lastName = "CanaryLast"
  body.customer.email = "canary.customer@example.com"
  body.customer.mobile = "+44 7700 900077"
  body.finance.addressHistory[0].street = "Canary Street"
  const panel = { name: "P", url: "http://127.0.0.1:9/", secret: "canary-panel-secret-000000000000" }
  await ask(service, operatorToken, `/settings/v1/companies/${company.id}`, {
    method: "PATCH",
    body: { financePanel: panel, identityProvider: { kind: "BUILT_IN" } }
  })
  const { data, status } = await start(service, company.testKey, body, "canary-idempotency-key")
  expect(status).toBe(202)
  const journey = `/api/v1/journeys/${data.id}`
  const headers = { "user-agent": "CanaryAgent/1.0", "x-forwarded-for": "203.0.113.77", cookie: "canary=1" }
  await ask(service, company.testKey, "/api/v1/journeys?externalReference=CanaryReference", { headers })
  await ask(service, "svc_test_canarycanarycanary", `${journey}?canary=1`, { headers })
  await ask(service, company.testKey, `${journey}/cancel`, { body: { reason: "CanaryReason: she has moved" }, headers })
  // A row that cannot be read, and a request that dies of it.
  await service.query("alter table journeys rename column state to canary_state")
  await ask(service, company.testKey, "/api/v1/journeys?externalReference=CanaryReference", { headers })
  await service.query("alter table journeys rename column canary_state to state")
  await receiver.arrived(1)
  await eventually(
    () => service.query("select from deliveries where delivered_at is null"),
    (waiting) => waiting.length === 0
  )
  await service.stop()

  expect(collector.spans.length).toBeGreaterThan(10)
  const sent = collector.bodies.join("\n")
  const canaries = [
    /canary(?!_state)/i,
    /203\.0\.113\.77/,
    /7700 900077/,
    new RegExp(company.testKey),
    new RegExp(operatorToken),
    new RegExp(endpointSecret.slice(6, 30)),
    /AA11 ?AAA/
  ]
  expect(canaries.flatMap((canary) => sent.match(canary) ?? [])).toEqual([])
})
