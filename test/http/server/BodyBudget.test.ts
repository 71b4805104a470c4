import { describe, expect, it } from "vitest"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { bodyBudgetOf, usualBodyBudget } from "../../../src/http/server/admission/BodyBudget.ts"

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30
const photo = 5 * mebibyte

const live = (companyId: string, who = "key") => ({ companyId, livemode: true, who })
const test = (companyId: string, who = "key") => ({ companyId, livemode: false, who })
const stranger = { companyId: null, livemode: true, who: "203.0.113.7" }

/** Opens as many photos as there is room for. */
const fill = (budget: ReturnType<typeof bodyBudgetOf>, owner: Parameters<typeof budget.open>[0]): number => {
  for (let count = 0; ; count += 1) if (!budget.open(owner).holds(photo)) return count
}

describe("the budget of bodies", () => {
  it("lets a key have few large bodies at once, and its company more", () => {
    const budget = bodyBudgetOf(128 * mebibyte)
    const ofKey = fill(budget, live("one", "a"))
    expect(ofKey).toBeGreaterThan(1)
    expect(ofKey * photo).toBeLessThan(40 * mebibyte)
    expect(fill(budget, live("one", "b"))).toBeGreaterThan(0)
  })

  it("has room for another company, however many keys a company fills", () => {
    const budget = bodyBudgetOf(128 * mebibyte)
    for (let key = 0; key < 100; key += 1) fill(budget, live("greedy", `key ${key}`))
    expect(budget.open(live("other")).holds(photo)).toBe(true)
  })

  it("never refuses a live key for the sake of test keys or of strangers", () => {
    const budget = bodyBudgetOf(128 * mebibyte)
    const alone = fill(bodyBudgetOf(128 * mebibyte), live("one"))
    for (let company = 0; company < 100; company += 1) fill(budget, test(`company ${company}`))
    for (let from = 0; from < 100; from += 1) fill(budget, { ...stranger, who: `203.0.113.${from}` })
    expect(fill(budget, live("one"))).toBe(alone)
  })

  it("has room for several strangers: what one address has on its way is not the others'", () => {
    const budget = bodyBudgetOf(128 * mebibyte)
    const from = (who: string) => fill(budget, { ...stranger, who })
    expect(["203.0.113.1", "203.0.113.2", "203.0.113.3"].map(from)).toEqual([1, 1, 1])
    expect(budget.held()).toBe(3 * photo)
  })

  it("lets whoever has something small on its way send a whole form, also where little is left", () => {
    const budget = bodyBudgetOf(usualBodyBudget(0))
    budget.open({ ...stranger, who: "203.0.113.1" }).holds(photo)
    const form = httpLimits.largestMultipartBytes
    expect([mebibyte, form - mebibyte].map((bytes) => budget.open(stranger).holds(bytes))).toEqual([true, true])
  })

  it("never holds more than it has, and has all of it again after the bodies are gone", () => {
    const budget = bodyBudgetOf(128 * mebibyte)
    const rooms = Array.from({ length: 100 }, (_, company) => budget.open(live(`company ${company}`)))
    for (const room of rooms) room.holds(photo)
    expect(budget.held()).toBeLessThanOrEqual(128 * mebibyte)
    for (const room of rooms) room.release()
    for (const room of rooms) room.release()
    expect(budget.held()).toBe(0)
  })

  it("counts a body that grows by what it has grown, and gives a body that is over nothing more", () => {
    const budget = bodyBudgetOf(128 * mebibyte)
    const room = budget.open(test("one"))
    for (const bytes of [mebibyte, 2 * mebibyte, 2 * mebibyte, mebibyte]) expect(room.holds(bytes)).toBe(true)
    expect(budget.held()).toBe(2 * mebibyte)
    room.release()
    expect([room.holds(3 * mebibyte), budget.held()]).toEqual([false, 0])
  })

  it("has room for the largest form of a customer on the smallest node, in either mode", () => {
    const budget = bodyBudgetOf(usualBodyBudget(0))
    expect([live("one"), test("one")].map((owner) => budget.open(owner).holds(26 * mebibyte))).toEqual([true, true])
  })

  it("follows the memory between its bounds", () => {
    expect(
      [gibibyte / 2, gibibyte, 2 * gibibyte, 64 * gibibyte].map((memory) => usualBodyBudget(memory) / mebibyte)
    ).toEqual([128, 128, 256, 512])
  })
})
