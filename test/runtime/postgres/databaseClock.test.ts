/** How far the database's clock is ahead, whatever time a look takes. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { withClockAhead } from "../../../src/runtime/postgres/databaseClock.ts"

it.effect.each([
  [1_000, 0],
  [6_000, 0],
  [11_000, 0],
  [12_500, 1_500],
  [-500, -1_500]
] as const)(
  "a database's clock at %i ms is %i ms ahead for a look from 1,000 to 11,000 ms: only what is surely apart counts",
  ([millis, ahead]) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      const look = Effect.as(TestClock.adjust("10 seconds"), { millis })
      assert.deepStrictEqual(yield* withClockAhead(look), { millis, ahead })
    })
)
