/** When a runner counts as fit: it changes its mind only when the answers of the database have been of the other kind for a while. */
import { Duration } from "effect"
import { expect, it } from "vitest"
import { makeJudge } from "../../../../src/runtime/cluster/coordination/fitness.ts"
import { fitnessLimits } from "../../../../src/runtime/cluster/coordination/limits.ts"

const changesAfter = Duration.toMillis(fitnessLimits.changesAfter)

it("is fit until the database has not answered for a while, and fit again when it has answered for as long", () => {
  const judge = makeJudge()
  const look = (answered: boolean, at: number) => {
    judge.look(answered, at)
    return judge.isFit()
  }
  expect(look(false, 0)).toBe(true)
  expect(look(false, changesAfter - 1)).toBe(true)
  expect(look(false, changesAfter)).toBe(false)
  expect(look(true, 10_000)).toBe(false)
  expect(look(true, 10_000 + changesAfter)).toBe(true)
})

it("stays fit while some of the answers come", () => {
  const judge = makeJudge()
  for (let at = 0; at < 10 * changesAfter; at += changesAfter / 2) {
    judge.look(at % changesAfter === 0, at)
    expect(judge.isFit()).toBe(true)
  }
})
