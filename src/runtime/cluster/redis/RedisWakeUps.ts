/**
 * The wake-ups of all nodes, kept in Redis. Nodes announce when journeys are due, and each runner claims journeys that have
 * become due and wakes them. Each journey is woken by one runner; if that runner dies on the way, its claim ends and another
 * runner claims the journey. The scripts are in `wakeUpScripts.ts`.
 */
import { Clock, Duration, Effect, Latch, Layer } from "effect"
import { pollStatusOf } from "../../../actors/kernel/PollStatus.ts"
import { WakeUps } from "../coordination/WakeUps.ts"
import { wakeUpLimits } from "./limits.ts"
import { keyOf, Redis } from "./Redis.ts"
import { scriptOn } from "./script.ts"
import { claimScript, remindScript, announceScript } from "./wakeUpScripts.ts"
import type { JourneyId } from "../../../schema/ids.ts"

const { announcedAtOnce, mostWaiting, wakesAtOnce } = wakeUpLimits
const announcedAheadMillis = Duration.toMillis(wakeUpLimits.announcedAhead)
const claimEveryMillis = Duration.toMillis(wakeUpLimits.claimEvery)
const claimMillis = Duration.toMillis(wakeUpLimits.claimLasts)

const due = keyOf("wake-ups", "due")
const claimed = keyOf("wake-ups", "claimed")

/**
 * Announces apart from commits, which do not wait for Redis. What comes in meanwhile goes with the next command. `announced` hears when
 * the earliest of a command is due, in epoch milliseconds.
 */
const makeAnnouncing = Effect.fnUntraced(function* (announced: (at: number) => void) {
  const { prompt } = yield* Redis
  const run = scriptOn(prompt, announceScript, [due])
  const waiting = new Map<string, number>()
  const isAny = yield* Latch.make(false)

  const announceMore = Effect.gen(function* () {
    yield* isAny.await
    const batch = [...waiting].slice(0, announcedAtOnce)
    for (const [journeyId] of batch) waiting.delete(journeyId)
    if (waiting.size === 0) isAny.closeUnsafe()
    const now = yield* Clock.currentTimeMillis
    // An announcement that does not arrive is found in the rows.
    yield* Effect.ignore(
      Effect.tryPromise(() => run(batch.flatMap(([journeyId, at]) => [journeyId, Math.max(0, at - now)])))
    )
    announced(Math.min(...batch.map(([, at]) => at)))
  })
  yield* Effect.forkScoped(Effect.forever(announceMore))

  return (journeyId: JourneyId, at: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      waiting.delete(journeyId)
      if (at - now > announcedAheadMillis) return
      const [oldest] = waiting.keys()
      if (waiting.size >= mostWaiting && oldest !== undefined) waiting.delete(oldest)
      waiting.set(journeyId, at)
      isAny.openUnsafe()
    })
})

const make = Effect.gen(function* () {
  const { prompt } = yield* Redis
  const runAnnounce = scriptOn(prompt, announceScript, [due])
  const runRemind = scriptOn(prompt, remindScript, [due, claimed])
  const runClaim = scriptOn(prompt, claimScript, [due, claimed])
  const pollStatus = pollStatusOf("Wake-ups in Redis")

  /** When the next claim comes by itself, in epoch milliseconds. An announcement of this node that is due before that begins it now. */
  let claimsAt = Number.POSITIVE_INFINITY
  const isSooner = yield* Latch.make(false)
  const announced = (at: number) => {
    if (at < claimsAt) isSooner.openUnsafe()
  }
  const pause = Effect.fnUntraced(function* (millis: number) {
    claimsAt = (yield* Clock.currentTimeMillis) + millis
    yield* Effect.timeoutOption(isSooner.await, millis)
    claimsAt = Number.POSITIVE_INFINITY
  })

  const work = Effect.fnUntraced(function* (wake: (journeyId: JourneyId) => Effect.Effect<void>) {
    const isRoom = yield* Latch.make(true)
    const underway = new Set<string>()
    let ended: ReadonlyArray<string> = []

    const wakeOne = (journeyId: JourneyId) =>
      Effect.andThen(
        wake(journeyId),
        Effect.sync(() => {
          underway.delete(journeyId)
          ended = [...ended, journeyId]
          // Claims when half of the places are free: a claim for each free place would make as many commands as wake-ups.
          if (underway.size <= wakesAtOnce / 2) isRoom.openUnsafe()
        })
      )

    const claim = Effect.gen(function* () {
      yield* isRoom.await
      const most = wakesAtOnce - underway.size
      const reported = ended
      isSooner.closeUnsafe()
      const answer = yield* Effect.tryPromise(() => runClaim([most, claimMillis, ...reported]))
      ended = ended.slice(reported.length)
      yield* pollStatus.ok
      // The shape of the answer stands in `wakeUpScripts.ts`.
      const [nextIn, ...mine] = answer as readonly [number, ...ReadonlyArray<JourneyId>]
      for (const journeyId of mine) {
        underway.add(journeyId)
        yield* Effect.forkChild(wakeOne(journeyId))
      }
      if (underway.size > wakesAtOnce / 2) isRoom.closeUnsafe()
      if (mine.length < most)
        yield* pause(nextIn < 0 ? claimEveryMillis : Math.min(claimEveryMillis, Math.max(1, nextIn)))
    }).pipe(
      Effect.catchCause((cause) => Effect.andThen(pollStatus.failed(cause), Effect.sleep(wakeUpLimits.claimAgainAfter)))
    )

    /** A node that stops gives back what it has not finished: otherwise the others wait until its claims end. */
    const giveBack = Effect.tryPromise(async () => {
      await runAnnounce([...underway].flatMap((journeyId) => [journeyId, 0]))
      await runClaim([0, claimMillis, ...underway, ...ended])
    })

    return yield* Effect.ensuring(Effect.forever(claim), Effect.ignore(giveBack))
  })

  return WakeUps.of({
    announce: yield* makeAnnouncing(announced),
    remind: (journeyIds) =>
      Effect.tryPromise(() => runRemind(journeyIds)).pipe(
        Effect.as(true),
        Effect.orElseSucceed(() => false)
      ),
    work
  })
})

export const layer: Layer.Layer<WakeUps, never, Redis> = Layer.effect(WakeUps, make)
