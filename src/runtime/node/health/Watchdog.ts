/**
 * Ends a node that owns overdue work and does not move it: its supervisor starts the node again, and meanwhile other nodes
 * take over its journeys. A node is not to blame for a database that is away, for an endpoint that is slow, or for an actor
 * that answers and cannot go on. So the node asks its pool and its actors before it gives up.
 *
 * | nothing of this node's overdue work moved for 30 s, and | what follows                                            |
 * |---------------------------------------------------------|---------------------------------------------------------|
 * | PostgreSQL cannot be asked either                       | counting begins anew when PostgreSQL can be asked       |
 * | the pool does not answer, though PostgreSQL does        | the node gives up                                       |
 * | an actor does not answer                                | the node gives up                                       |
 * | a journey is woken without trouble                      | the node's alarms are dead: the node gives up           |
 * | the actors answer that they cannot go on                | an error line; the node goes on, and asks again later   |
 */
import { Context, Data, Deferred, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import { EndpointEntity } from "../../../actors/webhook/actor/EndpointEntity.ts"
import { healthLimits } from "./limits.ts"
import { OverdueWork, type OverdueLook } from "./OverdueWork.ts"
import type { OverdueRow } from "./overdueWorkStatement.ts"
import { JourneyId } from "../../../schema/ids.ts"

const { answerWithin, mostAsked } = healthLimits
export const stuckAfterMillis = Duration.toMillis(healthLimits.stuckAfter)

/** This node makes no progress. The message is for its log, and for the person who finds the node ended. */
export class NoProgress extends Data.TaggedError("NoProgress")<{ readonly message: string }> {}

export class Watchdog extends Context.Service<
  Watchdog,
  {
    /** Never succeeds. Fails when the node must end. */
    readonly untilStuck: Effect.Effect<never, NoProgress>
    /** Why overdue work of any node does not move; null when it moves, or when its actors say that they cannot go on. */
    readonly blocked: () => string | null
  }
>()("journeys/runtime/Watchdog") {}

export const layer = Layer.effect(
  Watchdog,
  Effect.gen(function* () {
    const overdue = yield* OverdueWork
    const sql = yield* SqlClient.SqlClient
    const mailbox = yield* JourneyMailbox
    const endpoint = yield* EndpointEntity.client
    const stuck = yield* Deferred.make<never, NoProgress>()
    /** What was found out the last time that nothing moved, and until when that holds by the clock of the looks. */
    let judged: { readonly reason: string | null; readonly until: number } | null = null

    const poolAnswers = sql`select 1`.pipe(Effect.timeout(answerWithin), Effect.isSuccess)

    const journeyTrouble = (id: JourneyId) =>
      mailbox.wake(id).pipe(
        Effect.as("journeys are not woken though they can be"),
        Effect.catchTags({
          StoreUnavailable: ({ cause }) =>
            Effect.succeed(cause === "journey" ? null : "journeys' actors take no message"),
          OutcomeUnknown: () => Effect.succeed("journeys' actors do not answer")
        }),
        // A defect is the journey's own: the journey will be set aside.
        Effect.catchCause(() => Effect.succeed(null))
      )

    const endpointTrouble = (id: string) =>
      endpoint(id)
        .Changed()
        .pipe(
          Effect.timeout(answerWithin),
          Effect.as(null),
          Effect.catchCause(() => Effect.succeed("endpoints' actors do not answer"))
        )

    /** Why these rows do not move, as far as a node can be blamed for that. */
    const troubleOf = Effect.fn("Watchdog.troubleOf")(function* (rows: ReadonlyArray<OverdueRow>) {
      if (!(yield* poolAnswers)) return "the pool of connections does not answer, though PostgreSQL does"
      const oldest = rows.toSorted((one, other) => other.age - one.age).slice(0, mostAsked)
      const troubles = yield* Effect.forEach(
        oldest,
        ({ id, kind }) => (kind === "journey" ? journeyTrouble(JourneyId.make(id)) : endpointTrouble(id)),
        { concurrency: "unbounded" }
      )
      // One actor that answers does not clear the others: they may still hang.
      return troubles.find((trouble) => trouble !== null) ?? null
    })

    const judge = Effect.fn("Watchdog.judge")(function* (look: OverdueLook, now: number) {
      const isOwn = look.hereStillFor >= stuckAfterMillis
      const rows = isOwn ? look.here : look.all
      const reason = yield* troubleOf(rows)
      judged = { reason, until: now + stuckAfterMillis }
      const seen = `${counted(rows)} due for up to ${Math.round(oldestAge(rows) / 1000)} s, and nothing of it moved for ${stuckAfterMillis / 1000} s`
      const ids = rows.slice(0, mostAsked).map(({ id, kind }) => `${kind} ${id}`)
      if (isOwn && reason !== null) {
        const message = `No progress: ${seen}; ${reason}. This node ends so that its work is taken over`
        yield* Effect.logFatal(message, { due: ids })
        yield* Deferred.fail(stuck, new NoProgress({ message }))
      } else {
        yield* Effect.logError(`Due work does not move: ${seen}; ${reason ?? "its actors answer and cannot go on"}`, {
          due: ids
        })
      }
    })

    const watch = Effect.suspend(() => {
      const look = overdue.lastLook()
      if (look.at === null || Math.max(look.hereStillFor, look.allStillFor) < stuckAfterMillis) {
        judged = null
        return Effect.void
      }
      return judged !== null && look.at < judged.until ? Effect.void : judge(look, look.at)
    })

    yield* Effect.forkScoped(Effect.repeat(watch, Schedule.spaced(healthLimits.lookEvery)))
    return { untilStuck: Deferred.await(stuck), blocked: () => judged?.reason ?? null }
  })
)

const counted = (rows: ReadonlyArray<OverdueRow>): string => {
  const journeys = rows.filter(({ kind }) => kind === "journey").length
  return `${journeys} journeys and the deliveries of ${rows.length - journeys} endpoints are`
}

export const oldestAge = (rows: ReadonlyArray<OverdueRow>): number => Math.max(0, ...rows.map(({ age }) => age))
