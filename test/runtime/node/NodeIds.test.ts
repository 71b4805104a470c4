import { afterEach, expect, it, vi } from "vitest"
import { nextId } from "../../../src/runtime/node/NodeIds.ts"

afterEach(() => vi.useRealTimers())

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 13).replace("-", ""), 16)
const many = (count: number): ReadonlyArray<string> => Array.from({ length: count }, nextId)

const expectRising = (ids: ReadonlyArray<string>): void => {
  expect(ids.filter((id) => !version7.test(id))).toEqual([])
  expect(ids.filter((id, at) => at > 0 && id <= (ids[at - 1] ?? ""))).toEqual([])
}

it("makes ids of version 7 that rise strictly, no two alike even in their random bits", () => {
  const ids = many(100_000)
  expectRising(ids)
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length)
})

it("puts the time into an id, and begins its counter low again in a new millisecond", () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 })
  const ids = Array.from({ length: 300 }, () => {
    vi.setSystemTime(Date.now() + 1)
    return [nextId(), Date.now()] as const
  })
  for (const [id, now] of ids) expect(timeOf(id)).toBe(now)
  const counts = ids.map(([id]) => Number.parseInt(id.slice(15, 18), 16))
  expect(Math.max(...counts)).toBeLessThan(256)
  expect(new Set(counts).size).toBeGreaterThan(50)
})

it("goes on rising while the clock stands still, borrowing from the next millisecond", () => {
  vi.useFakeTimers({ now: Date.now() + 7_200_000 })
  const ids = many(10_000)
  expectRising(ids)
  expect(timeOf(ids.at(-1) ?? "") - Date.now()).toBe(2)
})

it("goes on rising after the clock stepped back", () => {
  vi.useFakeTimers({ now: Date.now() + 10_800_000 })
  const before = many(10)
  vi.setSystemTime(Date.now() - 3_600_000)
  const after = many(10)
  expectRising([...before, ...after])
  vi.setSystemTime(Date.now() + 7_200_000)
  expect(timeOf(nextId())).toBe(Date.now())
})
