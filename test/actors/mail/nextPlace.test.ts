import { expect, it } from "vitest"
import { nextPlace } from "../../../src/actors/mail/allowances/nextPlace.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const every = (count: number, apart: number, from = day) => Array.from({ length: count }, (_, at) => from + at * apart)

it("an address with a place has it at once", () => {
  expect(nextPlace([])).toBe(0)
  expect(nextPlace(every(9, minute))).toBe(0)
})

it("an address that has had ten mails gets the next an hour after the first of the ten", () => {
  expect(nextPlace(every(10, minute))).toBe(day + hour)
  expect(nextPlace(every(10, minute).toReversed())).toBe(day + hour)
  expect(nextPlace(every(12, minute))).toBe(day + 2 * minute + hour)
})

it("an address that has had thirty gets the next a day after the first of the thirty", () => {
  expect(nextPlace(every(30, hour))).toBe(2 * day)
})
