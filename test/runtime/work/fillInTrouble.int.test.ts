/** What the log says while older journeys cannot be filled in, and when they can be again. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Vault } from "../../../src/actors/kernel/Vault.ts"
import * as AesVault from "../../../src/runtime/keys/AesVault.ts"
import * as FillIn from "../../../src/runtime/work/FillIn.ts"
import { fillInLimits } from "../../../src/runtime/work/limits.ts"
import { queryDirectly } from "../../support/directly.ts"
import { freshDatabase, startService } from "../../support/service.ts"

const trouble = "Older journeys to fill in cannot be looked at"
const over = "Older journeys to fill in can be looked at again"

it.effect("says once that older journeys cannot be looked at, and once that they can be again", () =>
  Effect.gen(function* () {
    const url = yield* Effect.promise(freshDatabase)
    yield* Effect.promise(async () => (await startService({ DATABASE_URL: url })).stop())
    yield* Effect.promise(() => queryDirectly(url, "alter table journeys rename to journeys_away"))
    const said = { [trouble]: yield* Deferred.make<void>(), [over]: yield* Deferred.make<void>() }
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      const line = String([message].flat()[0])
      lines.push(line)
      if (line === trouble || line === over) Deferred.doneUnsafe(said[line], Effect.void)
    })
    const work = FillIn.layer.pipe(
      Layer.provide([
        PgClient.layer({ url: Redacted.make(url) }),
        Layer.succeed(Vault, AesVault.make(new Uint8Array(32).fill(7))),
        Logger.layer([logger])
      ])
    )
    yield* Effect.gen(function* () {
      yield* Deferred.await(said[trouble])
      yield* Effect.promise(() => queryDirectly(url, "alter table journeys_away rename to journeys"))
      yield* TestClock.adjust(fillInLimits.againAfter)
      yield* Deferred.await(said[over])
      expect(lines).toEqual([trouble, over])
    }).pipe(Effect.provide(work))
  })
)
