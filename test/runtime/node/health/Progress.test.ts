import { describe, expect, it } from "vitest"
import { Progress } from "../../../../src/runtime/node/health/Progress.ts"

/** Shows it these lists, one a second, and asks how long nothing has moved. */
const stillAfter = (...looks: ReadonlyArray<ReadonlyArray<string>>): number => {
  const progress = new Progress()
  looks.forEach((due, at) => progress.look(due, at * 1000))
  return progress.stillFor((looks.length - 1) * 1000)
}

describe("Progress", () => {
  it("counts while the same thing is due, from when it was first seen", () => {
    expect(stillAfter(["a"], ["a"], ["a"])).toBe(2000)
    expect(stillAfter([], [], ["a"], ["a"])).toBe(1000)
  })

  it("counts on when more becomes due", () => {
    expect(stillAfter(["a"], ["a", "b"], ["a", "b", "c"])).toBe(2000)
  })

  it("begins anew when anything is gone or has another name", () => {
    expect(stillAfter(["a", "b"], ["a", "b"], ["a"], ["a"])).toBe(1000)
    expect(stillAfter(["a 1"], ["a 1"], ["a 2"])).toBe(0)
  })

  it("does not count while nothing is due", () => {
    expect(stillAfter(["a"], [], [])).toBe(0)
  })

  it("forgets what it saw when nobody could move anything", () => {
    const progress = new Progress()
    progress.look(["a"], 0)
    progress.look(["a"], 30_000)
    progress.forget()
    progress.look(["a"], 31_000)
    expect(progress.stillFor(32_000)).toBe(1000)
  })
})
