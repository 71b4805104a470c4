/**
 * Wakes journeys whose alarm is due. The truth is the column `wake_at`, which is looked at every half second; a journey
 * that owes something right now is woken without waiting for a look. Alarms that passed while no node ran ring once.
 *
 * | nodes                          | who wakes what                                                                      |
 * |--------------------------------|-------------------------------------------------------------------------------------|
 * | one, or several without Redis  | each node looks and wakes all that is due                                           |
 * | several                        | each node wakes what it claims of `WakeUps.ts`; the leader looks for forgotten ones |
 *
 * A journey whose wake-ups keep failing is set aside with an error in the log. It still serves reads and callers. Its next
 * committed message takes it back, and so does the operator, who is shown why it was set aside.
 */
import { Cause, Duration, Effect, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { Alarms } from "../../actors/journey/actor/Alarms.ts"
import { JourneyMailbox } from "../../actors/journey/actor/JourneyMailbox.ts"
import { dueMessageRefused } from "../../actors/journey/actor/JourneyActor.ts"
import { journeyActorLimits } from "../../actors/journey/actor/limits.ts"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { Leadership } from "../../actors/kernel/Leadership.ts"
import { WakeUps } from "../cluster/coordination/WakeUps.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { journeyAlarmLimits } from "./limits.ts"
import { JourneyId } from "../../schema/ids.ts"
import type { SetAsideReason } from "../../schema/installation/SetAsideJourney.ts"

/** The queue of prompt wake-ups. The actors need the queue before there is anybody to work on it. */
export const makePrompts = Queue.sliding<JourneyId>(journeyAlarmLimits.mostPrompts)

export const alarmsOf = (prompts: Queue.Queue<JourneyId>): Layer.Layer<Alarms, never, WakeUps> =>
  Layer.effect(
    Alarms,
    Effect.map(WakeUps, ({ announce }) => ({
      wakeNow: (journeyId) => Effect.asVoid(Queue.offer(prompts, journeyId)),
      wakeAt: announce
    }))
  )

/** Wakes one journey, and sets a journey aside that cannot be woken again and again. */
const makeWake = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const mailbox = yield* JourneyMailbox
  const failures = new Map<string, number>()

  /** A journey that another node has moved on meanwhile is not due any more, and stays where it is. */
  const setAside = Effect.fn("Alarms.setAside")(function* (journeyId: JourneyId, reason: SetAsideReason) {
    const rows = yield* sql`
      update journeys set set_aside_at = now(), set_aside_reason = ${reason}
      where id = ${journeyId} and wake_at <= now() returning id`
    failures.delete(journeyId)
    if (rows.length > 0) yield* Effect.logError("A journey cannot be woken and is set aside", { journeyId, reason })
  })

  /** A defect is the journey's own and counts; a database that is away is nobody's fault. */
  return (journeyId: JourneyId) =>
    mailbox.wake(journeyId).pipe(
      Effect.tap(() => Effect.sync(() => failures.delete(journeyId))),
      Effect.catchTag(["StoreUnavailable", "OutcomeUnknown"], () => Effect.void),
      Effect.catchCause((cause) => {
        const count = (failures.get(journeyId) ?? 0) + 1
        failures.set(journeyId, count)
        const logged = Effect.logWarning("A journey could not be woken", { journeyId, count }, cause)
        return count < journeyActorLimits.failedWakesBeforeAside
          ? logged
          : Effect.andThen(logged, setAside(journeyId, reasonOf(cause)))
      }),
      Effect.ignore
    )
})

/** By the name of the defect, which is all that is left of its type when another node runs the actor. */
const reasonOf = (cause: Cause.Cause<unknown>): SetAsideReason => {
  const defect = Cause.squash(cause)
  if (!(defect instanceof Error)) return "FAILED"
  if (defect.name === "JourneyUnreadable") return "UNREADABLE"
  return defect.name === dueMessageRefused ? "REFUSED" : "FAILED"
}

const IdRow = rowModel({ id: column.id(JourneyId) })

/** `isRunner`: this node looks for what is due. A node that is only a client of the others wakes what it has started. */
export const journeyAlarms = (prompts: Queue.Queue<JourneyId>, { isRunner }: { readonly isRunner: boolean }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wakeUps = yield* WakeUps
      const wake = yield* makeWake

      const overdue = (by: Duration.Duration, most: number) =>
        Effect.map(
          withStatementTimeout(
            IdRow.all(sql`
            select id from journeys
            where wake_at <= now() - ${Duration.toMillis(by)} * interval '1 millisecond' and set_aside_at is null
            order by wake_at limit ${most}`)
          ),
          (rows) => rows.map(({ id }) => id)
        )

      /** Some node wakes what the leader reminds of. */
      const reminded = (journeyIds: ReadonlyArray<JourneyId>) =>
        journeyIds.length === 0
          ? Effect.succeed(journeyIds)
          : Effect.map(wakeUps.remind(journeyIds), (isHeard) => (isHeard ? [] : journeyIds))

      yield* startDueWork<JourneyId>({
        name: "Alarms",
        ...journeyAlarmLimits,
        leadership: (yield* Leadership).of("journeys"),
        look: isRunner
          ? ({ most, role }) =>
              role === "LEADER"
                ? Effect.flatMap(overdue(journeyAlarmLimits.forgottenAfter, most), reminded)
                : overdue(Duration.zero, most)
          : null,
        keyOf: (journeyId) => journeyId,
        run: wake,
        wakeUps: ({ runOnce, startNow }) =>
          Effect.all(
            [
              Effect.forever(Effect.flatMap(Queue.take(prompts), startNow)),
              isRunner ? wakeUps.work(runOnce) : Effect.never
            ],
            { concurrency: "unbounded" }
          )
      })
    })
  )
