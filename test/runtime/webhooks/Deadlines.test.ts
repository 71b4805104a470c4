/** When an exchange is over time, and whose fault that is. The test holds the clock. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { Deadlines } from "../../../src/runtime/webhooks/Deadlines.ts"

const within = 10_000

let now = 0
/** Turns the clock with a look every quarter of a second, as when nothing is in the way. */
const pass = (millis: number) => {
  for (const end = now + millis; now < end;) {
    now += 250
    vi.advanceTimersByTime(250)
  }
}
/** Turns the clock while nobody can look. */
const stall = (millis: number) => (now += millis)

beforeEach(() => {
  now = 1000
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  vi.spyOn(performance, "now").mockImplementation(() => now)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const watched = (deadlines: Deadlines<{ startedAt: number; runOver: (isOwnFault: boolean) => void }>) => {
  const ends: Array<{ readonly at: number; readonly isOwnFault: boolean }> = []
  const timed = { startedAt: now, runOver: (isOwnFault: boolean) => void ends.push({ at: now, isOwnFault }) }
  deadlines.watch(timed)
  return { timed, ends }
}

it("ends what runs over time, once and in time, and then stops looking", () => {
  const deadlines = new Deadlines(within)
  const first = watched(deadlines)
  pass(500)
  const second = watched(deadlines)
  pass(within)
  expect(first.ends).toEqual([{ at: 1000 + within + 250, isOwnFault: false }])
  expect(second.ends).toEqual([])
  expect(vi.getTimerCount()).toBe(1)
  pass(within)
  expect([first.ends.length, second.ends]).toEqual([1, [{ at: 1500 + within + 250, isOwnFault: false }]])
  expect(vi.getTimerCount()).toBe(0)
})

it("does nothing to an exchange that ended in time", () => {
  const deadlines = new Deadlines(within)
  const { ends, timed } = watched(deadlines)
  pass(5000)
  expect(deadlines.overrun(timed)).toBe("NO")
  deadlines.forget(timed)
  pass(within)
  expect([ends, vi.getTimerCount()]).toEqual([[], 0])
})

it("blames the service for what ran over time while the process slept", () => {
  const deadlines = new Deadlines(within)
  const { ends, timed } = watched(deadlines)
  stall(within + 5000)
  expect(deadlines.overrun(timed)).toBe("OURS")
  pass(250)
  expect(ends).toEqual([{ at: 1000 + within + 5250, isOwnFault: true }])
})

it("blames the service also for what began before the sleep and ends late, but not for what began after it", () => {
  const deadlines = new Deadlines(within)
  const before = watched(deadlines)
  stall(5000)
  pass(250)
  const after = watched(deadlines)
  pass(within + 500)
  expect([before.ends[0]?.isOwnFault, after.ends[0]?.isOwnFault]).toEqual([true, false])
})

it("does not mistake a long pause between exchanges for a sleep", () => {
  const deadlines = new Deadlines(within)
  const first = watched(deadlines)
  pass(250)
  deadlines.forget(first.timed)
  pass(250)
  stall(60_000)
  const { ends } = watched(deadlines)
  pass(within + 500)
  expect(ends.map(({ isOwnFault }) => isOwnFault)).toEqual([false])
})
