/**
 * The cost of the statements that run all the time depends on what they find, not on the size of the table: with fifty
 * thousand deliveries they use an index and read few pages.
 */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listStatement } from "../../../../src/runtime/stores/webhook/deliveryLogStatements.ts"
import { dueStatement } from "../../../../src/runtime/stores/webhook/deliveryStatements.ts"
import { dueEndpoints } from "../../../../src/runtime/work/DeliveryAlarms.ts"
import { startGround, writeCompany, type Ground } from "../../../support/endpointActors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { freshDatabase } from "../../../support/service.ts"

const endpoints = 100
const deliveriesEach = 500
const atOnce = 100
/** Due of each endpoint; the others are due in a year. */
const dueEach = 200

let ground: Ground
let ids: ReadonlyArray<string>

beforeAll(async () => {
  ground = await startGround(await freshDatabase())
  const made: Array<string> = []
  for (let at = 0; at < endpoints; at++) {
    const companyId = await writeCompany(ground.query)
    made.push(await writeEndpoint(ground.query, { companyId, url: "https://hooks.example.com/" }))
  }
  ids = made
  // A piece of the work a statement, within the time of one.
  for (let from = 1; from <= deliveriesEach; from += atOnce) await write(from)
  await ground.query("analyze deliveries, events, webhook_endpoints")
})
afterAll(() => ground.stop())

const write = (from: number) =>
  ground.query(
    `with e as (
       insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select gen_random_uuid(), n, gen_random_uuid(), w.company_id, false, 'journey.created', '{}', now()
       from webhook_endpoints w, generate_series($1::int, $3::int) n returning id, company_id, sequence
     )
     insert into deliveries (endpoint_id, event_id, status, due_at)
     select w.id, e.id, 'PENDING', now() + case when e.sequence <= $2::int then interval '-1 minute' else interval '1 year' end
     from e join webhook_endpoints w using (company_id)`,
    [from, dueEach, from + atOnce - 1]
  )

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Loops": number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Node>
}
const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plan as it is made once for all parameters, and the pages that a run with these touches. */
const explained = async (statement: string, types: string, values: ReadonlyArray<unknown>) => {
  const name = `explained_${randomUUID().replaceAll("-", "")}`
  const literals = values.map((value) => `'${String(value)}'`).join()
  const [row] = await ground.query<{ readonly plan: ReadonlyArray<{ readonly Plan: Node }> }>(
    `select explain_of($1, $2, $3, $4) as plan`,
    [name, types, statement, literals]
  )
  const plan = row?.plan[0]?.Plan
  if (plan === undefined) throw new Error("no plan")
  const nodes = nodesOf(plan)
  return {
    tables: nodes.filter((node) => node["Relation Name"] !== undefined),
    pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0)
  }
}

beforeAll(() =>
  ground.query(
    `create function explain_of(name text, types text, statement text, literals text) returns json language plpgsql as $$
     declare plan json;
     begin
       execute format('prepare %I (%s) as %s', name, types, statement);
       execute format('explain (analyze, buffers, format json) execute %I (%s)', name, literals) into plan;
       execute format('deallocate %I', name);
       return plan;
     end $$`
  )
)

/** How tables are read; the months of a table are read alike. */
const readsOf = (tables: ReadonlyArray<Node>) => [
  ...new Set(tables.map((node) => `${node["Node Type"]} of ${node["Relation Name"]?.replace(month, "")}`))
]
const month = /_(other|before|\d{4}_\d{2})$/

describe("with fifty thousand deliveries", () => {
  test("the due deliveries of one endpoint are read by index, in order, and cost few pages", async () => {
    const { pages, tables } = await explained(
      dueStatement([])[0],
      "uuid[], timestamptz[], timestamptz[], uuid[], int[]",
      [`{${ids[50]}}`, "{now}", "{-infinity}", "{00000000-0000-0000-0000-000000000000}", "{32}"]
    )
    expect(readsOf(tables)).toEqual(["Index Scan of deliveries", "Index Scan of events"])
    // Of the months of events only the one that has them is read: these ids are of no month.
    const read = tables.filter((node) => node["Actual Loops"] > 0).map((node) => node["Relation Name"])
    expect(read).toEqual(["deliveries", "events_other"])
    expect(pages).toBeLessThan(32 * 6)
  })

  test("the deliveries of one endpoint that stand in one way are listed by index, however many there are", async () => {
    for (const status of ["PENDING", "GIVEN_UP", "PARKED"] as const) {
      const { pages, tables } = await explained(
        listStatement({ status, type: null, journeyId: null }),
        "uuid, uuid, int, text, uuid",
        [ids[50], "ffffffff-ffff-ffff-ffff-ffffffffffff", 21, "", "00000000-0000-0000-0000-000000000000"]
      )
      expect(readsOf(tables).filter((read) => read.startsWith("Seq Scan"))).toEqual([])
      expect(pages).toBeLessThan(21 * 12)
    }
  })

  test("finding the endpoints with something due costs a few pages for each endpoint, however much is due", async () => {
    const { pages, tables } = await explained(dueEndpoints, "timestamptz", ["now"])
    const reads = readsOf(tables)
    expect(reads.filter((read) => read.endsWith("deliveries")).every((read) => read.startsWith("Index"))).toBe(true)
    expect(reads.filter((read) => read.startsWith("Seq Scan"))).toEqual([])
    expect(pages).toBeLessThan(endpoints * 6)
  })
})
