/** Whom the watchdog blames, on a test clock: what it sees and what it is answered are given. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { ShardId, Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { JourneyMailbox } from "../../../../src/actors/journey/actor/JourneyMailbox.ts"
import { StoreUnavailable, OutcomeUnknown } from "../../../../src/actors/kernel/StoreError.ts"
import { OverdueWork, type OverdueLook } from "../../../../src/runtime/node/health/OverdueWork.ts"
import type { OverdueRow } from "../../../../src/runtime/node/health/overdueWorkStatement.ts"
import * as Watchdog from "../../../../src/runtime/node/health/Watchdog.ts"

const journey: OverdueRow = { kind: "journey", id: "j1", mark: "m", age: 35_000 }
const endpoint: OverdueRow = { kind: "endpoint", id: "e1", mark: "m", age: 35_000 }

const nothingSeen: OverdueLook = { at: null, all: [], here: [], allStillFor: 0, hereStillFor: 0 }
const standing = (row: OverdueRow, own: boolean, millis: number = Watchdog.stuckAfterMillis): OverdueLook => ({
  at: 0,
  all: [row],
  here: own ? [row] : [],
  allStillFor: millis,
  hereStillFor: own ? millis : 0
})

interface Answers {
  readonly wake?: Effect.Effect<void, StoreUnavailable | OutcomeUnknown>
  readonly changed?: Effect.Effect<void>
  readonly select?: Effect.Effect<unknown>
}

/** What it says after a minute: whether it gave up and why, and what it holds against whoever is not this node. */
const judged = (sight: OverdueLook, { changed = Effect.void, select = Effect.void, wake = Effect.void }: Answers) =>
  Effect.gen(function* () {
    const watchdog = yield* Watchdog.Watchdog
    const ending = yield* Effect.forkChild(Effect.flip(watchdog.untilStuck))
    yield* TestClock.adjust("1 minute")
    const end = ending.pollUnsafe()
    return {
      gaveUp: end === undefined ? null : (yield* Fiber.join(ending)).message,
      blocked: watchdog.blocked()
    }
  }).pipe(
    Effect.provide(
      Watchdog.layer.pipe(
        Layer.provide([
          Layer.succeed(OverdueWork, { lastLook: () => sight }),
          Layer.mock(JourneyMailbox, { wake: () => wake }),
          Layer.mock(Sharding.Sharding, {
            getShardId: () => ShardId.make("default", 1),
            hasShardId: () => true,
            makeClient: (() => Effect.succeed(() => ({ Changed: () => changed }))) as never
          }),
          Layer.succeed(SqlClient.SqlClient, (() => select) as never)
        ])
      )
    )
  )

const cannot = Effect.fail(new StoreUnavailable({ cause: "journey" }))
const notTaken = Effect.fail(new StoreUnavailable({ cause: "mailbox" }))
const silent = Effect.fail(new OutcomeUnknown())

describe("a node gives up when what it owns does not move and", () => {
  const cases: ReadonlyArray<readonly [string, OverdueRow, Answers, RegExp]> = [
    ["its journeys' actors do not answer", journey, { wake: silent }, /journeys' actors do not answer/],
    ["its journeys' actors take no message", journey, { wake: notTaken }, /take no message/],
    ["nobody wakes what can be woken", journey, {}, /not woken though they can be/],
    ["its endpoints' actors do not answer", endpoint, { changed: Effect.never }, /endpoints' actors do not answer/],
    ["its pool is stuck", journey, { select: Effect.never, wake: cannot }, /pool of connections/]
  ]
  for (const [what, row, answers, reason] of cases) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const { gaveUp } = yield* judged(standing(row, true), answers)
        expect(gaveUp).toMatch(reason)
        expect(gaveUp).toMatch(/^No progress: .* nothing of it moved for 30 s/)
      })
    )
  }
})

describe("a node goes on when", () => {
  const cases: ReadonlyArray<readonly [string, OverdueLook, Answers]> = [
    ["PostgreSQL cannot be looked at", nothingSeen, { wake: silent, select: Effect.never }],
    ["something moved lately", standing(journey, true, 29_000), { wake: silent }],
    ["a journey's actor says that it cannot", standing(journey, true), { wake: cannot }],
    ["a journey fails by itself", standing(journey, true), { wake: Effect.die("unreadable") }],
    ["an endpoint's actor answers: it is slow, or its secret does not open", standing(endpoint, true), {}],
    ["it is another node's work", standing(journey, false), { wake: silent }]
  ]
  for (const [what, sight, answers] of cases) {
    it.effect(what, () => Effect.map(judged(sight, answers), ({ gaveUp }) => expect(gaveUp).toBeNull()))
  }

  it.effect("but it knows why another node's work does not move", () =>
    Effect.map(judged(standing(journey, false), { wake: silent }), ({ blocked }) =>
      expect(blocked).toBe("journeys' actors do not answer")
    )
  )
})
