/**
 * `npm run bench:lists`: how long the lists of callers take with 1,000,000 journeys, as many events and as many deliveries that wait,
 * all of one company. They are written by SQL into a database of their own, as copies of journeys that were really started. One
 * request at a time, and the output has p50 and p95 in milliseconds. A row that says "deep" goes on from a place near the end.
 *
 * BENCH_DATABASE_URL as for `npm run bench`. BENCH_JOURNEYS sets how many, BENCH_REQUESTS how often each list is asked.
 */
import { JourneyType } from "../../src/schema/journey/statuses.ts"
import { placeText } from "../../src/schema/decoding/place.ts"
import { queryDirectly } from "../support/directly.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { startEachShape } from "./startEachShape.ts"

const many = Number(process.env["BENCH_JOURNEYS"] ?? 1_000_000)
const requests = Number(process.env["BENCH_REQUESTS"] ?? 100)
const atOnce = 20_000

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Milliseconds between two journeys, and between the ends of two: all are too young for the removal of old test journeys. */
const apart = 2000
const endsApart = 1700

/** A third has ended. A customer has about ten journeys and a reference a hundred. */
const fillJourneys = `
insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key, fingerprint,
  state, created_at, type, waiting_on, waiting_since, ended_at, is_filled)
select m.id, company_id, false, m.status, 2, 'deal-' || n % ($4 / 100), md5('c' || n % ($4 / 10))::uuid, 'bench-' || n, ''::bytea,
  jsonb_set(state::jsonb, '{id}', to_jsonb(m.id))::json, now() - n * interval '${apart} milliseconds', type,
  case when m.status = 'ACTIVE' then waiting_on end, case when m.status = 'ACTIVE' then now() end,
  case when m.status <> 'ACTIVE' then now() - n * interval '${endsApart} milliseconds' end, true
from generate_series($2::int, $3::int) n
cross join lateral (
  select gen_random_uuid() as id, (array['ACTIVE', 'ACTIVE', case when n % 20000 < 3 then 'EXPIRED' else 'COMPLETED' end])[1 + n % 3] as status
) m
join (select j.*, row_number() over () - 1 as at from journeys j where company_id = $1 and idempotency_key like 'template-%') j
  on j.at = n % 4`

const fillEvents = `
with made as (
  insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
  select gen_random_uuid(), 1, gen_random_uuid(), $1, false, (array['journey.created', 'identity.requested', 'identity.verified'])[1 + n % 3],
    '{"id":"' || gen_random_uuid() || '","data":{}}', now()
  from generate_series($2::int, $3::int) n returning id
)
insert into deliveries (endpoint_id, event_id, status, due_at)
select w.id, made.id, 'PENDING', now() + interval '1 year' from made, webhook_endpoints w where w.company_id = $1`

const fill = async (databaseUrl: string, companyId: string): Promise<void> => {
  const query = (text: string, values: ReadonlyArray<unknown>) => queryDirectly(databaseUrl, text, values)
  for (let from = 1; from <= many; from += atOnce) {
    const to = Math.min(many, from + atOnce - 1)
    await query(fillJourneys, [companyId, from, to, many])
    await query(fillEvents, [companyId, from, to])
  }
  for (const table of ["journeys", "events", "deliveries"]) await query(`vacuum analyze ${table}`, [])
}

interface Asked {
  readonly name: string
  readonly path: string
  readonly isOperators?: true
}

/** When the journey of this number was made. */
const madeAt = (number: number): string => new Date(Date.now() - number * apart).toISOString()

const lists = async (databaseUrl: string, { companyId }: Running): Promise<ReadonlyArray<Asked>> => {
  const [customer] = await queryDirectly<{ readonly customer_id: string }>(
    databaseUrl,
    "select customer_id from journeys where idempotency_key = 'bench-7'",
    []
  )
  const filters = [
    "",
    "status=ACTIVE",
    "status=EXPIRED",
    ...JourneyType.literals.map((type) => `type=${type}`),
    "nextAction=SEND_FINANCE_DECISION",
    "externalReference=deal-7",
    `customerReference=${customer?.customer_id ?? ""}`,
    `createdAfter=${madeAt(many / 2)}&createdBefore=${madeAt(many / 4)}`,
    `endedAfter=${madeAt(many)}`,
    `endedAfter=${madeAt(many)}&status=COMPLETED&type=DELIVERY`,
    `nextAction=SEND_FINANCE_DECISION&createdBefore=${madeAt(many / 2)}`
  ]
  const deep = placeText({
    micros: String((Date.now() - many * 0.8 * endsApart) * 1000),
    id: "ffffffff-ffff-4fff-bfff-ffffffffffff"
  })
  const deliveries = `/settings/v1/companies/${companyId}/webhook-endpoints/test/deliveries`
  return [
    ...filters.flatMap((filter) => [
      { name: `journeys ${filter}`, path: `/api/v1/journeys?${filter}` },
      { name: `journeys ${filter}, deep`, path: `/api/v1/journeys?${filter === "" ? "" : `${filter}&`}after=${deep}` }
    ]),
    { name: "journeys, the last page counted", path: "/api/v1/journeys?page=499" },
    { name: "journeys status=ACTIVE, the last page counted", path: "/api/v1/journeys?status=ACTIVE&page=499" },
    { name: "events", path: "/api/v1/events" },
    { name: "events type=identity.*", path: "/api/v1/events?type=identity.*" },
    ...["", "?status=PENDING", "?status=GIVEN_UP", "?status=DELIVERED"].map((status) => ({
      name: `deliveries ${status}`,
      path: `${deliveries}${status}`,
      isOperators: true as const
    }))
  ]
}

const measure = async ({ key, operator, port }: Running, asked: ReadonlyArray<Asked>): Promise<void> => {
  console.log(`${"".padEnd(100)}${"rows".padStart(6)}${"p50 ms".padStart(10)}${"p95 ms".padStart(10)}`)
  for (const { isOperators, name, path } of asked) {
    const times: Array<number> = []
    let rows = 0
    for (let at = 0; at < requests + 10; at++) {
      const began = performance.now()
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${isOperators === true ? operator : key}` }
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
      // The first ten warm up.
      if (at >= 10) times.push(performance.now() - began)
      rows = (JSON.parse(text) as { readonly data: { readonly content: ReadonlyArray<unknown> } }).data.content.length
    }
    console.log(
      name.padEnd(100) +
        String(rows).padStart(6) +
        percentile(times, 0.5).toFixed(1).padStart(10) +
        percentile(times, 0.95).toFixed(1).padStart(10)
    )
  }
}

await withDatabase((databaseUrl) =>
  withService(databaseUrl, { WEBHOOK_ALLOW_INSECURE: "true" }, async (running) => {
    await startEachShape(running, "template")
    await running.settings("PUT", `/companies/${running.companyId}/webhook-endpoints/test`, {
      url: "http://127.0.0.1:9/",
      enabled: false
    })
    const began = performance.now()
    await fill(databaseUrl, running.companyId)
    console.log(
      `${many} journeys, events and deliveries were written in ${((performance.now() - began) / 1000).toFixed(0)} s`
    )
    await measure(running, await lists(databaseUrl, running))
  })
)
