/**
 * Looks every two seconds at everything that is overdue, over all nodes, and remembers whether it moves. It has its own
 * connection to PostgreSQL, so that a node whose pool is stuck can be told from a database that is away: without the
 * database no node can make progress and no node is to blame. What follows is the business of `Watchdog.ts`.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import { Sharding } from "effect/cluster"
import * as Reactivity from "effect/reactivity/Reactivity"
import { EndpointEntity } from "../../../actors/webhook/actor/EndpointEntity.ts"
import { JourneyEntity } from "../../../actors/journey/actor/JourneyEntity.ts"
import { pollStatusOf } from "../../../actors/kernel/PollStatus.ts"
import { duringStart } from "../../postgres/duringStart.ts"
import { withStatementTimeout } from "../../postgres/timeouts.ts"
import { healthLimits } from "./limits.ts"
import { OverdueRow, overdueOfNodeStatement } from "./overdueWorkStatement.ts"
import { Progress } from "./Progress.ts"

const overdueAfterMillis = Duration.toMillis(healthLimits.overdueAfter)

/** What was seen at the last look. */
export interface OverdueLook {
  /** Epoch milliseconds; null before the first look, and while nothing can be seen. */
  readonly at: number | null
  /** Everything overdue, and the part of it that belongs to this node. */
  readonly all: ReadonlyArray<OverdueRow>
  readonly here: ReadonlyArray<OverdueRow>
  /** Milliseconds in which none of these rows moved. */
  readonly allStillFor: number
  readonly hereStillFor: number
}

const nothing: OverdueLook = { at: null, all: [], here: [], allStillFor: 0, hereStillFor: 0 }

export class OverdueWork extends Context.Service<OverdueWork, { readonly lastLook: () => OverdueLook }>()(
  "journeys/runtime/OverdueWork"
) {}

const nameOf = ({ id, kind, mark }: OverdueRow): string => `${kind} ${id} ${mark}`

export const layer = Layer.effect(
  OverdueWork,
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const sharding = yield* Sharding.Sharding
    const sql = yield* PgClient.make({
      ...config,
      maxConnections: healthLimits.connections,
      applicationName: "journeys watchdog"
    }).pipe(Effect.catchTag("SqlError", duringStart))
    const pollStatus = pollStatusOf("Due work")
    const all = new Progress()
    const here = new Progress()
    let last = nothing

    const isHere = ({ id, kind }: OverdueRow): boolean => {
      const entity = kind === "journey" ? JourneyEntity : EndpointEntity
      // The entity knows which shard group an id belongs to.
      return sharding.hasShardId(sharding.getShardId(id as never, entity.getShardGroup(id as never)))
    }

    const look = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const values = [overdueAfterMillis, new Date(now)]
      const rows = yield* withStatementTimeout(OverdueRow.all(sql.unsafe(overdueOfNodeStatement, values)))
      const own = rows.filter(isHere)
      all.look(rows.map(nameOf), now)
      here.look(own.map(nameOf), now)
      last = { at: now, all: rows, here: own, allStillFor: all.stillFor(now), hereStillFor: here.stillFor(now) }
      yield* pollStatus.ok
    }).pipe(
      Effect.catchCause((cause) => {
        all.forget()
        here.forget()
        last = nothing
        return pollStatus.failed(cause)
      })
    )

    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(healthLimits.lookEvery)))
    return { lastLook: () => last }
  })
).pipe(Layer.provide(Reactivity.layer))
