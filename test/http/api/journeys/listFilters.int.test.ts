/**
 * The filters of the list of journeys, each alone and with others, against the same journeys filtered by hand. Journeys are written
 * past the service, in every state that a filter tells apart.
 */
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NextAction } from "../../../../src/schema/journey/steps.ts"
import { JourneyStatus, JourneyType } from "../../../../src/schema/journey/statuses.ts"
import { startBody } from "../../../support/companies.ts"
import { call, start, type Reply } from "../../../support/requests.ts"
import { journeys, prepareGround, type Ground } from "./oracle.ts"

interface Row {
  readonly id: string
  readonly status: string
  readonly type: string
  readonly waiting_on: string | null
  readonly external_reference: string | null
  readonly customer_id: string
  readonly created: number
  readonly ended: number | null
}

const begun = Date.UTC(2026, 0, 1)
const hour = 3_600_000

let ground: Ground
let rows: ReadonlyArray<Row>
beforeAll(async () => {
  ground = await prepareGround()
  const { data } = await start(ground.service, ground.dealer.testKey, startBody("IDENTITY_DELIVERY"))
  // Several share one moment, so that the id decides; every other has a reference; five customers.
  rows = await ground.service.query<Row>(
    `insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key, fingerprint,
       state, created_at, type, waiting_on, ended_at)
     select made.id, company_id, livemode, s, version, case when n % 2 = 0 then 'ref-' || n % 3 end,
       ('00000000-0000-4000-8000-00000000000' || n % 5)::uuid, gen_random_uuid()::text, fingerprint,
       jsonb_set(state::jsonb, '{id}', to_jsonb(made.id))::json, to_timestamp($2::float8 + n / 3 * 3600), ($3::text[])[1 + n % 3], case when s = 'ACTIVE' then ($4::text[])[1 + n % 9] end,
       case when s <> 'ACTIVE' then to_timestamp($2::float8 + (n * 37 % 100 + 40) * 3600) end
     from journeys cross join generate_series(1, 120) n
       cross join lateral (select gen_random_uuid() as id, ($5::text[])[1 + n * 7 % 4] as s) made
     where journeys.id = $1::uuid
     returning id, status, type, waiting_on, external_reference, customer_id,
       (extract(epoch from created_at) * 1000)::float8 as created, (extract(epoch from ended_at) * 1000)::float8 as ended`,
    [
      data.id,
      begun / 1000,
      `{${JourneyType.literals.join(",")}}`,
      `{${[...NextAction.literals, "SERVICE"].join(",")}}`,
      `{${JourneyStatus.literals.join(",")}}`
    ]
  )
  await ground.service.query("delete from journeys where id = $1", [data.id])
})
afterAll(() => ground.service.stop())

interface Query {
  readonly status?: string
  readonly type?: string
  readonly nextAction?: string
  readonly externalReference?: string
  readonly customerReference?: string
  readonly createdAfter?: string
  readonly createdBefore?: string
  readonly endedAfter?: string
  readonly endedBefore?: string
}

const at = (moment: string | undefined): number | undefined => (moment === undefined ? undefined : Date.parse(moment))

/** The ids that fit, in the order of the list. */
const fitting = (query: Query): ReadonlyArray<string> => {
  const isByEnd = query.endedAfter !== undefined || query.endedBefore !== undefined
  const moment = ({ created, ended }: Row) => (isByEnd ? (ended ?? 0) : created)
  return rows
    .filter(
      (row) =>
        (query.status ?? row.status) === row.status &&
        (query.type ?? row.type) === row.type &&
        (query.nextAction === undefined || query.nextAction === row.waiting_on) &&
        (query.externalReference === undefined || query.externalReference === row.external_reference) &&
        (query.customerReference ?? row.customer_id) === row.customer_id &&
        row.created > (at(query.createdAfter) ?? -Infinity) &&
        row.created < (at(query.createdBefore) ?? Infinity) &&
        (!isByEnd || row.ended !== null) &&
        moment(row) > (at(query.endedAfter) ?? -Infinity) &&
        moment(row) < (at(query.endedBefore) ?? Infinity)
    )
    .toSorted((one, other) => moment(other) - moment(one) || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id)
}

const asked = (query: Readonly<Record<string, string | undefined>>): Promise<Reply> => {
  const given = Object.entries(query).flatMap(([name, value]): ReadonlyArray<[string, string]> =>
    value === undefined ? [] : [[name, value]]
  )
  return call(ground.service, {
    path: `${journeys}?${new URLSearchParams(given).toString()}`,
    key: ground.dealer.testKey
  })
}

const idsOf = ({ data }: Reply): ReadonlyArray<string> => data.content.map(({ id }: { id: string }) => id)

const hours = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((n) => new Date(begun + n * hour).toISOString())
const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined, freq: 1 })

const queries = fc
  .record({
    status: maybe(fc.constantFrom(...JourneyStatus.literals)),
    type: maybe(fc.constantFrom(...JourneyType.literals)),
    nextAction: maybe(fc.constantFrom(...NextAction.literals)),
    externalReference: maybe(fc.constantFrom("ref-0", "ref-1", "none")),
    customerReference: maybe(fc.integer({ min: 0, max: 5 }).map((n) => `00000000-0000-4000-8000-00000000000${n}`)),
    between: fc.oneof(
      fc.record({ createdAfter: maybe(hours(0, 20)), createdBefore: maybe(hours(20, 40)) }),
      fc.record({ endedAfter: hours(40, 140) }),
      fc.record({ endedAfter: maybe(hours(40, 90)), endedBefore: hours(90, 140) })
    )
  })
  .map(({ between, ...rest }): Query => {
    const given = Object.entries({ ...rest, ...between }).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given)
  })

describe("the filters of the list", () => {
  it("find each what they say, counted exactly", async () => {
    const alone: ReadonlyArray<Query> = [
      {},
      { type: "DELIVERY" },
      { nextAction: "SEND_FINANCE_DECISION" },
      { customerReference: "00000000-0000-4000-8000-000000000003" },
      { createdAfter: new Date(begun + 10 * hour).toISOString() },
      { createdBefore: new Date(begun + 10 * hour).toISOString() },
      { endedAfter: new Date(begun + 60 * hour).toISOString() },
      { endedBefore: new Date(begun + 60 * hour).toISOString() }
    ]
    for (const query of alone) {
      const reply = await asked({ ...query, size: "100" })
      expect(fitting(query).length).toBeGreaterThan(0)
      expect([idsOf(reply), reply.data.totalElements]).toEqual([fitting(query).slice(0, 100), fitting(query).length])
    }
  })

  it("find together what each of them leaves, by place and by page", async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.integer({ min: 1, max: 30 }), async (query, number) => {
        const expected = fitting(query)
        const size = String(number)
        const first = await asked({ ...query, size })
        expect([idsOf(first), first.data.totalElements]).toEqual([expected.slice(0, number), expected.length])
        const second = await asked({ ...query, size, page: "1" })
        expect(idsOf(second)).toEqual(expected.slice(number, 2 * number))
        expect(first.data.next === null).toBe(expected.length <= number)
        if (first.data.next === null) return
        const behind = await asked({ ...query, size, after: first.data.next })
        expect(idsOf(behind)).toEqual(idsOf(second))
      }),
      { numRuns: 60 }
    )
  })
})
