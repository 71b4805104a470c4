/** The delays between the tries of a mail. */
import { expect, it } from "vitest"
import { nextTry, mailRetryDelays } from "../../../src/actors/mail/sending/retrySchedule.ts"

const hour = 3_600_000

it("tries a mail again after half a minute, then ever more rarely, never more than six hours apart", () => {
  expect(mailRetryDelays.slice(0, 3)).toEqual([30_000, 60_000, 120_000])
  expect(mailRetryDelays).toEqual(mailRetryDelays.toSorted((a, b) => a - b))
  expect(mailRetryDelays.at(-1)).toBe(6 * hour)
})

it("gives a mail up after three days", () => {
  const all = mailRetryDelays.reduce((sum, delay) => sum + delay, 0)
  expect(all).toBeGreaterThanOrEqual(72 * hour)
  expect(all).toBeLessThan(80 * hour)
})

it("counts the next try from the failure of the last", () => {
  const [first = 0] = mailRetryDelays
  expect(nextTry(1, 1000)).toBe(1000 + first)
  expect(nextTry(mailRetryDelays.length, 1000)).toBe(1000 + 6 * hour)
  expect(nextTry(mailRetryDelays.length + 1, 1000)).toBeNull()
})
