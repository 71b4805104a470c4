/** Lists of two companies, while the database answers none of them: who comes first when it does. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { ask, makeCompany, type TestCompany } from "../../support/companies.ts"
import { directly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

const { listsAtOnce, mostListsWaitingOfOne } = httpLimits

let service: Service
let busy: TestCompany
let other: TestCompany

beforeAll(async () => {
  service = await startService({})
  busy = await makeCompany(service)
  other = await makeCompany(service)
})
afterAll(() => service.stop())

const numberOf = async (metric: string): Promise<number> => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const text = await (await fetch(`${service.baseUrl}/metrics`, { headers })).text()
  return Number(new RegExp(`^${metric} (\\d+)$`, "m").exec(text)?.[1] ?? 0)
}

/** Holds the journeys' table, so that no list of them ends before `work` has. */
const whileListsHang = (work: () => Promise<unknown>) =>
  directly(service.databaseUrl, async (query) => {
    await query("begin")
    await query("lock table journeys in access exclusive mode")
    try {
      await work()
    } finally {
      await query("commit")
    }
  })

describe("lists of one company", () => {
  it("leave their turn to another company's list, and live lists go before test lists", async () => {
    const order: Array<string> = []
    const list = async (name: string, key: string) => {
      const { status } = await ask(service, key, "/api/v1/journeys")
      order.push(`${name} ${status}`)
    }
    const asked: Array<Promise<void>> = []
    const many = listsAtOnce + 12
    await whileListsHang(async () => {
      for (let at = 0; at < many; at++) asked.push(list("busy test", busy.testKey))
      await eventually(
        () => numberOf("journeys_lists_waiting"),
        (waiting) => waiting === many - listsAtOnce
      )
      asked.push(list("other live", other.liveKey))
      asked.push(list("other test", other.testKey))
      await eventually(
        () => numberOf("journeys_lists_waiting"),
        (waiting) => waiting === many - listsAtOnce + 2
      )
    })
    await Promise.all(asked)
    // Those in places come first, and one of each company's takes its turn beside them. Answers overtake each other by a few.
    expect(order.indexOf("other live 200")).toBeLessThan(many / 2)
    expect(order.indexOf("other test 200")).toBeLessThan(many / 2)
    expect(order.filter((one) => one.endsWith(" 200"))).toHaveLength(many + 2)
  })

  it("are refused beyond what one company may have waiting, and another company's are not", async () => {
    const asked: Array<ReturnType<typeof ask>> = []
    const many = listsAtOnce + mostListsWaitingOfOne
    await whileListsHang(async () => {
      for (let at = 0; at < many; at++) asked.push(ask(service, busy.testKey, "/api/v1/journeys"))
      await eventually(
        () => numberOf("journeys_lists_waiting"),
        (waiting) => waiting === mostListsWaitingOfOne
      )
      const refused = await ask(service, busy.testKey, "/api/v1/journeys")
      expect([refused.status, refused.errors?.[0]?.code]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
      asked.push(ask(service, other.testKey, "/api/v1/journeys"))
    })
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  })
})
