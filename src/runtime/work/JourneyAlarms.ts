/**
 * Wakes journeys whose alarm is due. The truth is the column `wake_at`, looked at every half second; a journey that
 * owes something right now is woken without waiting for that. Alarms that passed while nothing ran fire once.
 *
 * | nodes                          | who wakes what                                                                  |
 * |--------------------------------|---------------------------------------------------------------------------------|
 * | one, or several without Redis  | each looks and wakes all that is due                                            |
 * | several                        | each wakes what it claims of `WakeUps.ts`; one looks for what was forgotten there |
 *
 * A journey whose wake-ups keep failing is set aside with an error in the log: it keeps serving reads and callers, and
 * its next committed message takes it back.
 */
import { Effect, Layer, Queue, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { Alarms } from "../../actors/journey/actor/Alarms.ts"
import { JourneyMailbox } from "../../actors/journey/actor/JourneyMailbox.ts"
import { failedWakesBeforeAside } from "../../actors/journey/actor/supervision.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { isLeader, Leadership } from "../../actors/kernel/Leadership.ts"
import { WakeUps } from "../cluster/WakeUps.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"

const lookEvery = "500 millis"
/** Alarms taken up in one look; what is left comes with the next. */
const alarmsPerLook = 500
/**
 * An alarm that is overdue by more than this, in milliseconds, was forgotten where the nodes tell each other, or is being
 * seen to. Less would find many of the latter, and wake some a second time.
 */
const forgottenAfter = 500
/** Wake-ups under way at once: enough to fill the group commit, few enough to leave callers their turn. */
const wakesAtOnce = 64

/** The queue of the prompt wake-ups; apart from the poller because the actors need it before the poller can run. */
export const makeQueue = Queue.sliding<string>(10_000)

export const alarmsOf = (prompt: Queue.Queue<string>): Layer.Layer<Alarms, never, WakeUps> =>
  Layer.effect(
    Alarms,
    Effect.map(WakeUps, ({ tell }) => ({
      wakeNow: (journeyId) => Effect.asVoid(Queue.offer(prompt, journeyId)),
      wakeAt: tell
    }))
  )

/** `isRunner`: this node looks for what is due. One that is only a client of the others wakes what it has started. */
export const poller = (prompt: Queue.Queue<string>, { isRunner }: { readonly isRunner: boolean }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* JourneyMailbox
      const wakeUps = yield* WakeUps
      const leadership = (yield* Leadership).of("journeys")
      const awake = new Set<string>()
      const failures = new Map<string, number>()

      const setAside = Effect.fn("Alarms.setAside")(function* (journeyId: string) {
        yield* sql`update journeys set set_aside_at = now() where id = ${journeyId}`
        yield* Effect.logError("A journey cannot be woken and is set aside", { journeyId })
        failures.delete(journeyId)
      })

      /** A defect is the journey's own and counts; a database that is away is nobody's fault. */
      const wake = (journeyId: string) =>
        mailbox.wake(journeyId).pipe(
          Effect.tap(() => Effect.sync(() => failures.delete(journeyId))),
          Effect.catchTag(["StoreUnavailable", "OutcomeUnknown"], () => Effect.void),
          Effect.catchCause((cause) => {
            const count = (failures.get(journeyId) ?? 0) + 1
            failures.set(journeyId, count)
            const told = Effect.logWarning("A journey could not be woken", { journeyId, count }, cause)
            return count < failedWakesBeforeAside ? told : Effect.andThen(told, setAside(journeyId))
          }),
          Effect.ignore
        )

      /** What is found due again while it is being woken has been taken care of. */
      const wakeOnce = (journeyId: string) =>
        Effect.suspend(() => {
          if (awake.has(journeyId)) return Effect.void
          awake.add(journeyId)
          return Effect.ensuring(
            wake(journeyId),
            Effect.sync(() => awake.delete(journeyId))
          )
        })

      const places = yield* Semaphore.make(wakesAtOnce)
      /** Waits for a place, not for the wake-up: a journey that hangs must not keep all others waiting for the next look. */
      const begin = (journeyId: string) =>
        awake.has(journeyId)
          ? Effect.void
          : Effect.uninterruptibleMask((restore) =>
              Effect.andThen(
                restore(places.take(1)),
                Effect.forkScoped(Effect.ensuring(restore(wakeOnce(journeyId)), places.release(1)))
              )
            )

      const pollStatus = pollStatusOf("Alarms")

      const overdueBy = (millis: number) =>
        Effect.map(
          withStatementTimeout(sql<{ readonly id: string }>`
            select id from journeys where wake_at <= now() - ${millis} * interval '1 millisecond' and set_aside_at is null
            order by wake_at limit ${alarmsPerLook}`),
          (rows) => rows.map(({ id }) => id)
        )

      const look = Effect.gen(function* () {
        const role = yield* leadership.role
        if (!isLeader(role)) return
        const journeyIds = yield* overdueBy(role === "LEADER" ? forgottenAfter : 0)
        yield* pollStatus.ok
        if (role === "LEADER" && (journeyIds.length === 0 || (yield* wakeUps.remind(journeyIds)))) return
        yield* Effect.forEach(journeyIds, begin, { discard: true })
      }).pipe(
        // Whatever it was, the next look must come: without one nothing moves by itself any more.
        Effect.catchCause((cause) => Effect.andThen(pollStatus.failed(cause), leadership.stepDown))
      )

      if (isRunner) {
        yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
        yield* Effect.forkScoped(wakeUps.work(wakeOnce))
      }
      // What has become due by a commit may be news to the wake-up under way.
      yield* Queue.take(prompt).pipe(
        Effect.flatMap((journeyId) => Effect.forkScoped(wake(journeyId))),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
