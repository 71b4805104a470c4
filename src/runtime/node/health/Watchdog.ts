/**
 * Ends a node that owns due work and does not move it: its supervisor starts it again, and meanwhile its journeys are
 * others'. A node is not to blame for a database that is away, nor for an endpoint that is slow, nor for a journey or
 * an endpoint whose actor answers and cannot go on; so before it gives up it asks.
 *
 * | nothing of this node's due work moved for 30 s, and | so                                                     |
 * |-----------------------------------------------------|---------------------------------------------------------|
 * | PostgreSQL cannot be asked either                   | counting begins anew when it can                        |
 * | the pool does not answer, though PostgreSQL does    | the node gives up                                       |
 * | an actor does not answer                            | the node gives up                                       |
 * | a journey is woken without trouble                  | nobody else does, its alarms are dead: the node gives up |
 * | the actors answer that they cannot                  | an error line; the node goes on, and asks again          |
 */
import { Context, Data, Deferred, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import { EndpointEntity } from "../../../actors/webhook/actor/EndpointEntity.ts"
import { OverdueWork, lookEvery, type OverdueLook } from "./OverdueWork.ts"
import type { OverdueRow } from "./overdueWorkStatement.ts"

/** Milliseconds without progress after which a node is suspected (INV-17). */
export const patience = 30_000

/** How many of the things that stand are asked, the oldest first. */
const asked = 3

/** Longer than any statement may take, with a look at the tables. */
const answersWithin = "8 seconds"

/** This node makes no progress. The message is for its log and for whoever finds it ended. */
export class NoProgress extends Data.TaggedError("NoProgress")<{ readonly message: string }> {}

export class Watchdog extends Context.Service<
  Watchdog,
  {
    /** Never succeeds; fails when the node must end. */
    readonly untilStuck: Effect.Effect<never, NoProgress>
    /** Why what is due does not move, wherever it belongs; null: it is not stuck, or its actors say that they cannot. */
    readonly blocked: () => string | null
  }
>()("journeys/runtime/Watchdog") {}

export const layer = Layer.effect(
  Watchdog,
  Effect.gen(function* () {
    const dueWork = yield* OverdueWork
    const sql = yield* SqlClient.SqlClient
    const mailbox = yield* JourneyMailbox
    const endpoint = yield* EndpointEntity.client
    const stuck = yield* Deferred.make<never, NoProgress>()
    /** The judgement of the last time nothing moved, and until when it holds by the clock of the looks. */
    let judged: { readonly reason: string | null; readonly until: number } | null = null

    const poolAnswers = sql`select 1`.pipe(Effect.timeout(answersWithin), Effect.isSuccess)

    const journeyTrouble = (id: string) =>
      mailbox.wake(id).pipe(
        Effect.as("journeys are not woken though they can be"),
        Effect.catchTags({
          StoreUnavailable: ({ cause }) =>
            Effect.succeed(cause === "journey" ? null : "journeys' actors take no message"),
          OutcomeUnknown: () => Effect.succeed("journeys' actors do not answer")
        }),
        // A defect is the journey's own: it will be set aside.
        Effect.catchCause(() => Effect.succeed(null))
      )

    const endpointTrouble = (id: string) =>
      endpoint(id)
        .Changed()
        .pipe(
          Effect.timeout(answersWithin),
          Effect.as(null),
          Effect.catchCause(() => Effect.succeed("endpoints' actors do not answer"))
        )

    /** Why these do not move, as far as a node can be blamed for it. */
    const troubleOf = Effect.fn("Watchdog.troubleOf")(function* (rows: ReadonlyArray<OverdueRow>) {
      if (!(yield* poolAnswers)) return "the pool of connections does not answer, though PostgreSQL does"
      const oldest = rows.toSorted((one, other) => other.age - one.age).slice(0, asked)
      const troubles = yield* Effect.forEach(
        oldest,
        ({ id, kind }) => (kind === "journey" ? journeyTrouble(id) : endpointTrouble(id)),
        { concurrency: "unbounded" }
      )
      // One that says why it cannot go on says too that actors answer; the others may still hang.
      return troubles.find((trouble) => trouble !== null) ?? null
    })

    const judge = Effect.fn("Watchdog.judge")(function* (sight: OverdueLook, now: number) {
      const isOwn = sight.hereStillFor >= patience
      const rows = isOwn ? sight.here : sight.all
      const reason = yield* troubleOf(rows)
      judged = { reason, until: now + patience }
      const seen = `${counted(rows)} due for up to ${Math.round(oldestAge(rows) / 1000)} s, and nothing of it moved for ${patience / 1000} s`
      const ids = rows.slice(0, asked).map(({ id, kind }) => `${kind} ${id}`)
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
      const sight = dueWork.lastLook()
      if (sight.at === null || Math.max(sight.hereStillFor, sight.allStillFor) < patience) {
        judged = null
        return Effect.void
      }
      return judged !== null && sight.at < judged.until ? Effect.void : judge(sight, sight.at)
    })

    yield* Effect.forkScoped(Effect.repeat(watch, Schedule.spaced(lookEvery)))
    return { untilStuck: Deferred.await(stuck), blocked: () => judged?.reason ?? null }
  })
)

const counted = (rows: ReadonlyArray<OverdueRow>): string => {
  const journeys = rows.filter(({ kind }) => kind === "journey").length
  return `${journeys} journeys and the deliveries of ${rows.length - journeys} endpoints are`
}

export const oldestAge = (rows: ReadonlyArray<OverdueRow>): number => Math.max(0, ...rows.map(({ age }) => age))
