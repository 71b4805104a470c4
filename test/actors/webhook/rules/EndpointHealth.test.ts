/** The rule by which failing attempts lead to warnings and turn an endpoint off (§6.3.6, decision W5). */
import { describe, expect, test } from "vitest"
import {
  afterAttempt,
  healthy,
  type EndpointHealth,
  type HealthNotice
} from "../../../../src/actors/webhook/rules/EndpointHealth.ts"

const hour = 3_600_000
const began = 1_800_000_000_000

/** Plays attempts, each as hours after the first and whether it reached the endpoint. */
const play = (attempts: ReadonlyArray<readonly [hours: number, reached: boolean]>, from: EndpointHealth = healthy) => {
  let health = from
  const notices: Array<readonly [number, HealthNotice]> = []
  for (const [hours, reached] of attempts) {
    const after = afterAttempt(health, reached, began + hours * hour)
    health = after.health
    if (after.notice !== null) notices.push([hours, after.notice])
  }
  return { health, notices }
}

const failures = (...hours: ReadonlyArray<number>) => hours.map((at) => [at, false] as const)
const warn = (hours: 1 | 24) => ({ _tag: "Warn", hours }) as const
const turnOff = { _tag: "TurnOff" } as const

describe("an endpoint that nothing reaches", () => {
  test("is warned about once after an hour and once after a day, and turned off when an attempt fails after three days", () => {
    const { notices } = play(failures(0, 0.5, 0.99, 1, 2, 20, 24, 30, 48, 71.99, 72))
    expect(notices).toEqual([
      [1, warn(1)],
      [24, warn(24)],
      [72, turnOff]
    ])
  })

  test("stays on however long it has been failing, as long as no further attempt fails", () => {
    expect(play(failures(0, 24, 48, 71)).notices.map(([, notice]) => notice)).toEqual([warn(24)])
  })

  test("gets only the warning of the day, when nothing was tried at the hour", () => {
    expect(play(failures(0, 24.5)).notices).toEqual([[24.5, warn(24)]])
  })
})

describe("failing", () => {
  test("begins again with the first failure after anything has reached the endpoint", () => {
    const { health, notices } = play([...failures(0, 24, 48), [60, true], ...failures(61, 72, 84, 100, 120, 132.99)])
    expect(health.failingSince).toBe(began + 61 * hour)
    expect(notices).toEqual([
      [24, warn(24)],
      [72, warn(1)],
      [100, warn(24)]
    ])
  })

  test("ends with more than 25 hours without an attempt, and with no shorter silence", () => {
    expect(play(failures(0, 25)).health.failingSince).toBe(began)
    expect(play(failures(0, 25.01)).health).toEqual({
      failingSince: began + 25.01 * hour,
      lastFailedAt: began + 25.01 * hour,
      warnings: 0
    })
    expect(play(failures(0, 24, 48, 73.5)).notices.some(([, notice]) => notice?._tag === "TurnOff")).toBe(false)
  })

  test("that begins anew after a silence is warned about anew", () => {
    expect(play(failures(0, 1, 24, 50, 51)).notices).toEqual([
      [1, warn(1)],
      [24, warn(24)],
      [51, warn(1)]
    ])
  })

  test("is told of attempts that end in another order as of those that end in theirs", () => {
    expect(play(failures(0, 2, 1)).health).toMatchObject({ failingSince: began, lastFailedAt: began + 2 * hour })
  })

  test("leaves nothing behind when it ends", () => {
    expect(play([...failures(0, 2, 24), [25, true]]).health).toEqual(healthy)
  })

  test("on one event alone never turns an endpoint off, because its retries end earlier", () => {
    const attempts = [0, 1 / 60, 6 / 60, 36 / 60, 2.6, 8.6, 20.6, 44.6]
    expect(play(failures(...attempts)).notices.map(([, notice]) => notice)).toEqual([warn(1), warn(24)])
  })
})
