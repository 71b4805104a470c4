/** GET /metrics of a service that has worked a bit, and the files for operators, held to the catalogue in both directions. */
import { shardLimits } from "../../../src/runtime/cluster/coordination/limits.ts"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, makeCompany, start, startBody } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../../support/fakeIdentityProvider.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { catalogue, familiesOf, metricOf, selectorsOf, strangersIn, type Family, type Sample } from "./promql.ts"

let service: Service
let receiver: Receiver
let provider: FakeIdentityProvider
let text: string
let families: ReadonlyArray<Family>

const scrape = (token: string | null = operatorToken): Promise<Response> =>
  fetch(`${service.baseUrl}/metrics`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } })

const valueOf = (series: string, labels: Readonly<Record<string, string>>, among = families): number | undefined =>
  among
    .flatMap(({ samples }) => samples)
    .find((one) => one.series === series && Object.entries(labels).every(([name, value]) => one.labels[name] === value))
    ?.value

const identityCheck = { kind: "START_IDENTITY_CHECK", outcome: "DONE" }

const scraped = async (): Promise<ReadonlyArray<Family>> => familiesOf(await (await scrape()).text())

beforeAll(async () => {
  receiver = await startReceiver()
  provider = await startFakeIdentityProvider()
  service = await startService({
    BASE_URL: "http://127.0.0.1:1",
    SANDBOX_STEP: "20 millis",
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  const company = await makeCompany(service, { settings: { identityProvider: provider.settings }, credits: 1 })
  await writeEndpoint(service.query, { companyId: company.id, url: receiver.url })
  const manual = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  await start(service, company.testKey, startBody("CASH_SALE"))
  await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))
  const { data } = await start(service, manual.testKey, startBody("IDENTITY_DELIVERY"))
  const reason = { reason: "The customer has changed her mind." }
  await ask(service, manual.testKey, `/api/v1/journeys/${data.id}/cancel`, { body: reason })
  await ask(service, manual.testKey, `/api/v1/journeys/${data.id}`)
  await ask(service, "svc_test_wrong", "/api/v1/journeys")
  await ask(service, manual.testKey, "/no/such/route")
  await start(service, manual.testKey, startBody("IDENTITY_DELIVERY"))
  await eventually(
    scraped,
    (now) =>
      valueOf("journeys_ended_total", { type: "DELIVERY", mode: "TEST", status: "COMPLETED" }, now) === 1 &&
      valueOf("journeys_owed_attempt_seconds_count", identityCheck, now) === 1 &&
      valueOf("journeys_due_work_age_seconds", { work: "MAIL" }, now) === 0 &&
      (valueOf("journeys_active", { type: "IDENTITY_DELIVERY", waiting_on: "CUSTOMER_TO_VERIFY_IDENTITY" }, now) ?? 0) >
        0,
    40_000
  )
  text = await (await scrape()).text()
  families = familiesOf(text)
})
afterAll(() => Promise.all([service.stop(), receiver.stop(), provider.stop()]))

describe("GET /metrics", () => {
  it("asks for the operator token", async () => {
    for (const token of [null, "wrong", "svc_test_wrong"]) {
      const refused = await scrape(token)
      expect(refused.status).toBe(401)
      expect(await refused.json()).toMatchObject({ success: false, errors: [{ code: "INVALID_API_KEY" }] })
    }
  })

  it("answers in the text format of Prometheus", async () => {
    const answer = await scrape()
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    expect(families.length).toBeGreaterThan(20)
    for (const { name, samples, type } of families) {
      expect([name, type]).toEqual([name, catalogue[name]?.kind])
      if (type === "counter") expect(name).toMatch(/_total$/)
      if (type === "histogram") checkHistogram(name, samples)
    }
  })

  it("has exactly the metrics of the catalogue, with exactly their labels and values", () => {
    // It takes a photo with a face to be there, or a document, which takes seconds.
    const seldom = new Set(["journeys_photo_seconds", "journeys_document_seconds"])
    const names = new Set(families.map(({ name }) => name))
    expect([...names].filter((name) => !(name in catalogue))).toEqual([])
    expect(Object.keys(catalogue).filter((name) => !names.has(name) && !seldom.has(name))).toEqual([])
    for (const { name, samples } of families) {
      for (const { labels } of samples) {
        const own = Object.keys(labels).filter((label) => label !== "le")
        expect([name, own.toSorted()]).toEqual([name, Object.keys(catalogue[name]?.labels ?? {}).toSorted()])
        for (const label of own) {
          const listed: unknown = catalogue[name]?.labels[label]
          if (Array.isArray(listed)) expect(listed).toContain(labels[label])
        }
      }
    }
  })

  it("counts what has happened", () => {
    expect(valueOf("journeys_started_total", { type: "IDENTITY_DELIVERY", mode: "TEST" })).toBe(2)
    expect(valueOf("journeys_ended_total", { type: "IDENTITY_DELIVERY", status: "CANCELLED", mode: "TEST" })).toBe(1)
    expect(valueOf("journeys_message_seconds_count", { message: "Cancel", outcome: "DONE" })).toBe(1)
    const cancelled = { method: "POST", route: "/api/v1/journeys/{journeyId}/cancel", status: "2xx" }
    expect(valueOf("journeys_http_request_seconds_count", cancelled)).toBe(1)
    expect(valueOf("journeys_http_request_seconds_count", { route: "unmatched", status: "4xx" })).toBe(1)
    expect(valueOf("journeys_http_requests_in_flight", {})).toBe(1)
    expect(valueOf("journeys_rate_limit_decisions_total", { bucket: "ADDRESS", decision: "ADMITTED" })).toBeGreaterThan(
      0
    )
    expect(valueOf("journeys_delivery_attempt_seconds_count", { outcome: "DELIVERED" })).toBe(receiver.received.length)
    expect(valueOf("journeys_delivery_lag_seconds_count", {})).toBe(receiver.received.length)
    expect(valueOf("journeys_owed_attempt_seconds_count", identityCheck)).toBe(1)
    expect(valueOf("journeys_mails_total", { outcome: "SENT" })).toBeGreaterThan(1)
    expect(valueOf("journeys_due_work_age_seconds", { work: "MAIL" })).toBe(0)
    expect(valueOf("process_resident_memory_bytes", {})).toBeGreaterThan(10_000_000)
  })

  it("names nobody: it has no id, no address and no host", () => {
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|https?:|localhost|127\.0\.0\.1|@/)
  })

  it("shows how long the oldest work has been due, and what was set aside", async () => {
    // A secret that does not open: nothing is sent, and what is due stays so.
    await service.query("update webhook_endpoints set sealed_secret = ''")
    await service.query(
      `update deliveries set status = 'PENDING', delivered_at = null, due_at = now() - interval '1 hour'
       where event_id = (select event_id from deliveries limit 1)`
    )
    await service.query("update journeys set set_aside_at = now() where status = 'ACTIVE'")
    expect(valueOf("journeys_due_work_age_seconds", { work: "DELIVERY" })).toBeLessThan(60)
    expect(valueOf("journeys_set_aside", {})).toBe(0)
    const now = await eventually(scraped, (seen) => valueOf("journeys_set_aside", {}, seen) === 2, 40_000)
    expect(valueOf("journeys_due_work_age_seconds", { work: "DELIVERY" }, now)).toBeGreaterThanOrEqual(3600)
  })
})

const checkHistogram = (name: string, samples: ReadonlyArray<Sample>) => {
  const bySeries = Map.groupBy(samples, ({ labels }) =>
    JSON.stringify(Object.entries(labels).filter(([label]) => label !== "le"))
  )
  for (const [, all] of bySeries) {
    const buckets = all.filter(({ series }) => series === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels["le"]?.replace("Inf", "Infinity")))
    expect(bounds).toEqual([...bounds].toSorted((a, b) => a - b))
    expect(bounds.at(-1)).toBe(Infinity)
    const counts = buckets.map(({ value }) => value)
    expect(counts).toEqual([...counts].toSorted((a, b) => a - b))
    expect(all.find(({ series }) => series === `${name}_count`)?.value).toBe(counts.at(-1))
    expect(all.filter(({ series }) => series === `${name}_sum`)).toHaveLength(1)
  }
}

interface Panel {
  readonly title: string
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
}

const read = (path: string): string => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), "utf8")

const dashboard = (): ReadonlyArray<{ readonly expr: string; readonly shown: ReadonlyArray<string> }> => {
  const { panels } = JSON.parse(read("grafana/journeys.json")) as { readonly panels: ReadonlyArray<Panel> }
  return panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr, legendFormat }) => ({
      expr,
      shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label)
    }))
}

/** The rules of the file: what stands between one `- alert:` and the next. */
const alerts = (): ReadonlyArray<{ readonly expr: string; readonly shown: ReadonlyArray<string> }> =>
  read("prometheus/alerts.yaml")
    .split(/^ +- alert: /m)
    .slice(1)
    .map((rule) => ({
      expr: (/^ +expr: (?:>-\n)?([\s\S]*?)\n +(?:for|labels):/m.exec(rule)?.[1] ?? "").replaceAll(/\s+/g, " "),
      shown: [...rule.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label)
    }))

describe("the files for operators", () => {
  it("use only metrics, labels and values of the catalogue", () => {
    expect(dashboard().length).toBeGreaterThan(30)
    expect(alerts().length).toBeGreaterThan(15)
    for (const { expr, shown } of [...dashboard(), ...alerts()])
      expect([expr, strangersIn(expr, shown)]).toEqual([expr, []])
  })

  it("fire at the first event of a series that begins with it, which shows no increase", () => {
    for (const { expr } of alerts())
      for (const [, series = ""] of expr.matchAll(/increase\((\w+_count)\b/g))
        expect(expr).toContain(`unless ${series}`)
  })

  it("know how many shards there are", () => {
    expect(alerts().map(({ expr }) => expr)).toContain(`sum(effect_cluster_shards) < ${shardLimits.shards}`)
    expect(valueOf("effect_cluster_shards", {})).toBe(shardLimits.shards)
  })

  it("show every metric of the catalogue on the dashboard", () => {
    const shown = new Set(dashboard().flatMap(({ expr }) => selectorsOf(expr).map(({ series }) => metricOf(series))))
    expect(Object.keys(catalogue).filter((name) => !shown.has(name))).toEqual([])
  })

  it("use only series that a running service has", () => {
    const there = new Set(families.flatMap(({ samples }) => samples.map(({ series }) => series)))
    const used = [...dashboard(), ...alerts()].flatMap(({ expr }) => selectorsOf(expr).map(({ series }) => series))
    const missing = used.filter((series) => !there.has(series))
    expect(missing.filter((series) => !/^journeys_(photo|document)_seconds/.test(series))).toEqual([])
    const batches = new Set(families.flatMap(({ samples }) => samples.map(({ labels }) => labels["batch"])))
    expect(batches).toContain("JourneyStore.commit")
  })
})
