/**
 * Wakes journeys whose alarm is due. The truth is the column `wake_at`, looked at every half second; a journey that
 * owes something right now is woken without waiting for that. Alarms that passed while nothing ran fire once.
 *
 * A journey whose wake-ups keep failing is set aside with an error in the log: it keeps serving reads and callers, and
 * its next committed message takes it back.
 */
import { Effect, Layer, Queue, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Alarms } from "../../actors/journey/Alarms.ts"
import { JourneyMailbox } from "../../actors/journey/JourneyMailbox.ts"
import { failedWakesBeforeAside } from "../../actors/journey/supervision.ts"
import { endingInTime } from "./patience.ts"
import { sightingOf } from "../../actors/sighting.ts"

const lookEvery = "500 millis"
/** Alarms taken up in one look; what is left comes with the next. */
const alarmsPerLook = 500
/** Wake-ups under way at once: enough to fill the group commit, few enough to leave callers their turn. */
const wakesAtOnce = 64

/** The queue of the prompt wake-ups; apart from the poller because the actors need it before the poller can run. */
export const makeQueue = Queue.sliding<string>(10_000)

export const alarmsOf = (prompt: Queue.Queue<string>): Layer.Layer<Alarms> =>
  Layer.succeed(Alarms, { wakeNow: (journeyId) => Effect.asVoid(Queue.offer(prompt, journeyId)) })

export const poller = (prompt: Queue.Queue<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* JourneyMailbox
      const awake = new Set<string>()
      const failures = new Map<string, number>()

      const setAside = Effect.fn("Alarms.setAside")(function* (journeyId: string) {
        yield* sql`update journeys set set_aside_at = now() where id = ${journeyId}`
        yield* Effect.logError("A journey cannot be woken and is set aside", { journeyId })
        failures.delete(journeyId)
      })

      /** A defect is the journey's own and counts; a database that is away is nobody's fault. */
      const wake = (journeyId: string) =>
        Effect.suspend(() => {
          if (awake.has(journeyId)) return Effect.void
          awake.add(journeyId)
          return mailbox.wake(journeyId).pipe(
            Effect.tap(() => Effect.sync(() => failures.delete(journeyId))),
            Effect.catchTag(["StoreUnavailable", "OutcomeUnknown"], () => Effect.void),
            Effect.catchCause((cause) => {
              const count = (failures.get(journeyId) ?? 0) + 1
              failures.set(journeyId, count)
              const told = Effect.logWarning("A journey could not be woken", { journeyId, count }, cause)
              return count < failedWakesBeforeAside ? told : Effect.andThen(told, setAside(journeyId))
            }),
            Effect.ensuring(Effect.sync(() => awake.delete(journeyId))),
            Effect.ignore
          )
        })

      const sighting = sightingOf("Alarms")

      const look = sql<{ readonly id: string }>`
        select id from journeys where wake_at <= now() and set_aside_at is null order by wake_at limit ${alarmsPerLook}`

      const work = Effect.flatMap(endingInTime(look), (rows) =>
        Effect.forEach(rows, (row) => wake(row.id), { concurrency: wakesAtOnce, discard: true })
      ).pipe(
        Effect.tap(() => sighting.clear),
        // Whatever it was, the next look must come: without one nothing moves by itself any more.
        Effect.catchCause(sighting.blind)
      )

      yield* Effect.forkScoped(Effect.repeat(work, Schedule.spaced(lookEvery)))
      yield* Queue.take(prompt).pipe(
        Effect.flatMap((journeyId) => Effect.forkScoped(wake(journeyId))),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
