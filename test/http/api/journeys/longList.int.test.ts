/** A list with more journeys than anybody counts (decision R7): what its pages say, and that none of them costs more. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import { call, start } from "../../../support/requests.ts"
import { journeys, prepareGround, type Ground } from "./oracle.ts"

const counted = 10_000
/** What an installation may have of one company, shown with a few more than are counted. */
const many = counted + 25

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
  const { data } = await start(ground.service, ground.dealer.testKey, startBody("IDENTITY_DELIVERY"))
  await ground.service.query(
    `insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key, fingerprint, state, created_at, type)
     select gen_random_uuid(), company_id, livemode, status, version, 'many', customer_id, gen_random_uuid()::text, fingerprint, state, now(), type
     from journeys cross join generate_series(1, $2::int) where id = $1::uuid`,
    [data.id, many]
  )
})
afterAll(() => ground.service.stop())

const page = async (query: string) =>
  (await call(ground.service, { path: `${journeys}?${query}`, key: ground.dealer.testKey })).data

describe("a list of more than 10,000 journeys", () => {
  it("says 10,000 and that there are more", async () => {
    const bound = { totalElements: counted, totalIsLowerBound: true, totalPages: 500 }
    for (const query of ["", "status=ACTIVE", "externalReference=many"]) {
      const found = await page(query)
      expect(found).toMatchObject(bound)
      expect(found.content).toHaveLength(20)
    }
  })

  it("is read up to the bound, and empty behind it, without being gone through", async () => {
    expect((await page("page=99&size=100")).content).toHaveLength(100)
    for (const query of ["page=100&size=100", "page=20000000"]) {
      expect(await page(query)).toMatchObject({ content: [], totalElements: counted, totalIsLowerBound: true })
    }
  })

  it("says the exact number of what a filter leaves of it, and nothing of a bound", async () => {
    const none = await page("status=EXPIRED")
    expect([none.totalElements, none.totalPages, none.content, "totalIsLowerBound" in none]).toEqual([0, 0, [], false])
  })
})
