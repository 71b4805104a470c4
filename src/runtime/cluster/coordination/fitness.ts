/**
 * Whether this runner can work: PostgreSQL answers it in time, and takes writes. A runner that is cut off, or whose database is seconds
 * away or a standby, would hold its journeys and refuse every message to them, while others could run them. `RedisRunnerStorage.ts` hands them over, if
 * there is somebody who can work. The look has a connection of its own: a pool that is full is no reason to go.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { duringStart } from "../../postgres/duringStart.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { abandonable } from "../../postgres/timeouts.ts"
import { fitnessLimits } from "./limits.ts"

/** Without a look, every runner counts as fit. */
export const Fitness = Context.Reference<{ readonly isFit: () => boolean }>("journeys/runtime/Fitness", {
  defaultValue: () => ({ isFit: () => true })
})

/** Changes its mind only when the answers have been of the other kind for a while. */
export const makeJudge = () => {
  const changesAfterMillis = Duration.toMillis(fitnessLimits.changesAfter)
  let isFit = true
  let otherSince: number | null = null
  return {
    isFit: () => isFit,
    /** True when this answer has changed it. */
    look: (answered: boolean, now: number): boolean => {
      if (answered === isFit) {
        otherSince = null
        return false
      }
      otherSince ??= now
      if (now - otherSince < changesAfterMillis) return false
      isFit = answered
      otherSince = null
      return true
    }
  }
}

const AnswerRow = rowModel({ takesWrites: column.bool })
const answerStatement = "select current_setting('transaction_read_only') = 'off' as takes_writes"

export const layer = Layer.effect(
  Fitness,
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const sql = yield* PgClient.make({
      ...config,
      maxConnections: fitnessLimits.connections,
      applicationName: "journeys fitness"
    }).pipe(Effect.catchTag("SqlError", duringStart))
    const judge = makeJudge()
    const answers = abandonable(AnswerRow.first(sql.unsafe(answerStatement))).pipe(
      Effect.timeout(fitnessLimits.answerWithin),
      Effect.match({ onFailure: () => false, onSuccess: (row) => row?.takesWrites === true })
    )
    const look = Effect.gen(function* () {
      const answered = yield* answers
      if (!judge.look(answered, yield* Clock.currentTimeMillis)) return
      yield* answered
        ? Effect.logInfo(
            "This runner reaches a database that takes writes again: it takes its share of the journeys back"
          )
        : Effect.logWarning(
            "This runner reaches no database in time that takes writes: others take its journeys over, if they can"
          )
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(fitnessLimits.lookEvery)))
    return { isFit: judge.isFit }
  })
).pipe(Layer.provide(Reactivity.layer))
