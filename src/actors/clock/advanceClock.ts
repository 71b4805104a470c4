/**
 * Advances a test clock: again and again the earliest thing that waits for its time, up to the target. The clock is set to that
 * time, the ordinary actor does the work, and nothing else begins before the work has ended: attempts at webhooks are in the log,
 * and mail has left. Every step is committed by itself, so an advance that was interrupted goes on where it stopped.
 *
 * | failure                          | what happens                                                                      |
 * |----------------------------------|-----------------------------------------------------------------------------------|
 * | the node dies, the caller leaves | the steps so far stand; the same target again does the rest                       |
 * | a commit of unknown outcome      | it is submitted again: each finds its own work done                                |
 * | the database away after the take | `OutcomeUnknown`: nobody may say that nothing has happened                         |
 * | another advance of the clock     | `ClockBusy`; after the death of a node for as long as `heldFor`                    |
 * | a receiver or a long list        | after `within` or `mostSteps` it answers that it is not complete                   |
 * | a journey that cannot be woken   | it is left out for the rest of this advance; the log says why                     |
 */
import { Clock, Data, Duration, Effect } from "effect"
import { timestamp } from "../../schema/moment.ts"
import type { ClockStep } from "../../schema/requests/TestClock.ts"
import { JourneyMailbox } from "../journey/actor/JourneyMailbox.ts"
import type { StoredJourney } from "../journey/actor/JourneyStore.ts"
import { TestClocks, type Advance, type ClockHold, type TestClock } from "../journey/actor/TestClocks.ts"
import { nextAlarm } from "../journey/rules/timers.ts"
import { Ids } from "../kernel/Ids.ts"
import { retryUntilKnown, unknownIfUnavailable } from "../kernel/commitOutcome.ts"
import type { JourneyUnreadable, OutcomeUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import { EndpointMailbox } from "../webhook/actor/EndpointMailbox.ts"
import { ClockWork, type WaitingDelivery } from "./ClockWork.ts"
import { advanceLimits } from "./limits.ts"

/** Somebody else advances the clock, or it has just ended. */
export class ClockBusy extends Data.TaggedError("ClockBusy")<{}> {}

export interface Advanced {
  readonly complete: boolean
  readonly steps: ReadonlyArray<ClockStep>
}

type Failure = ClockBusy | StoreUnavailable | OutcomeUnknown | JourneyUnreadable

type Due =
  | { readonly kind: "JOURNEY"; readonly at: number; readonly stored: StoredJourney }
  | { readonly kind: "DELIVERY"; readonly at: number; readonly delivery: WaitingDelivery }

export const advanceClock = Effect.fnUntraced(function* (
  clock: TestClock,
  advance: Advance
): Effect.fn.Return<Advanced, Failure, TestClocks | ClockWork | JourneyMailbox | EndpointMailbox | Ids> {
  const clocks = yield* TestClocks
  const hold = { clockId: clock.id, token: (yield* Ids).unguessable() }
  const now = yield* retryUntilKnown(clocks.take(hold, advance, yield* Clock.currentTimeMillis))
  if (now === null) return yield* new ClockBusy()
  let reached = false
  return yield* unknownIfUnavailable(run(hold, now, advance.target)).pipe(
    Effect.tap(({ complete }) => Effect.sync(() => void (reached = complete))),
    Effect.ensuring(Effect.suspend(() => Effect.ignore(retryUntilKnown(clocks.letGo(hold, reached)))))
  )
})

const run = Effect.fnUntraced(function* (hold: ClockHold, began: number, target: number) {
  const clocks = yield* TestClocks
  const { clockId } = hold
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(advanceLimits.within)
  const waiting = yield* makeWaiting(hold, until)
  const steps: Array<ClockStep> = []
  /** Journeys that a wake-up did not move on. */
  const stuck = new Set<string>()
  let now = began

  const moveTo = Effect.fnUntraced(function* (at: number) {
    now = Math.max(now, at)
    if (!(yield* retryUntilKnown(clocks.moveTo(hold, now, yield* Clock.currentTimeMillis))))
      return yield* new ClockBusy()
  })

  while (yield* waiting.settled) {
    const due = yield* earliest(clockId, stuck)
    if (due === null || due.at > target) {
      yield* moveTo(target)
      return { complete: true, steps }
    }
    if (steps.length >= advanceLimits.mostSteps) break
    yield* moveTo(due.at)
    const step = yield* takeStep(due, now, waiting)
    if (step === null && due.kind === "JOURNEY") stuck.add(due.stored.journey.id)
    if (step !== null) steps.push(step)
  }
  return { complete: false, steps }
})

/** What comes next on the clock. Of two at one time the journey goes first: it may have more to tell. */
const earliest = Effect.fnUntraced(function* (clockId: ClockHold["clockId"], stuck: ReadonlySet<string>) {
  const work = yield* ClockWork
  let first: Due | null = null
  for (const stored of yield* work.journeys(clockId)) {
    const at = stuck.has(stored.journey.id) ? null : nextAlarm(stored.journey)
    if (at !== null && Number.isFinite(at) && (first === null || at < first.at)) first = { kind: "JOURNEY", at, stored }
  }
  const delivery = yield* work.nextDelivery(clockId)
  if (delivery !== null && (first === null || delivery.at < first.at)) {
    first = { kind: "DELIVERY", at: delivery.at, delivery }
  }
  return first
})

const lookEvery = Effect.sleep(advanceLimits.lookEvery)

/** Looks again and again until `isOver` or the time is. */
const waitUntil = <E, R>(isOver: Effect.Effect<boolean, E, R>, until: number): Effect.Effect<boolean, E, R> =>
  Effect.gen(function* () {
    while (!(yield* isOver)) {
      if ((yield* Clock.currentTimeMillis) >= until) return false
      yield* lookEvery
    }
    return true
  })

/** Waiting for what goes on in real time, until the time of the advance is over. */
const makeWaiting = Effect.fnUntraced(function* ({ clockId }: ClockHold, until: number) {
  const work = yield* ClockWork
  const endpoints = yield* EndpointMailbox
  /** Mails that were waited for long enough. */
  const given = new Set<string>()

  /** Attempts at webhooks have ended, and are in the log. */
  const sent = Effect.gen(function* () {
    const sending = yield* work.sendingTo(clockId)
    if (sending.length === 0) return true
    yield* Effect.forEach(sending, (endpointId) => endpoints.wake(endpointId, false), { discard: true })
    return yield* waitUntil(
      Effect.map(work.sendingTo(clockId), ({ length }) => length === 0),
      until
    )
  })

  const unsent = Effect.map(work.unsentMails(clockId), (mails) => mails.filter((id) => !given.has(id)))
  const mailed = Effect.gen(function* () {
    const most = Math.min(until, (yield* Clock.currentTimeMillis) + Duration.toMillis(advanceLimits.mailWithin))
    const haveLeft = yield* waitUntil(
      Effect.map(unsent, ({ length }) => length === 0),
      most
    )
    if (!haveLeft) for (const id of yield* unsent) given.add(id)
  })

  return {
    sent,
    /** False: the time is over. */
    settled: Effect.gen(function* () {
      if (!(yield* sent)) return false
      yield* mailed
      return (yield* Clock.currentTimeMillis) < until
    })
  }
})

type Waiting = Effect.Success<ReturnType<typeof makeWaiting>>

/** Lets the ordinary actor do what is due, and says what came of it. Null: it moved nothing. */
const takeStep = (due: Due, now: number, { sent }: Waiting) =>
  due.kind === "JOURNEY" ? wakeJourney(due.stored, now) : attemptDelivery(due.delivery, now, sent)

const wakeJourney = Effect.fnUntraced(function* ({ journey, version }: StoredJourney, now: number) {
  const work = yield* ClockWork
  const journeys = yield* JourneyMailbox
  yield* Effect.catchDefect(journeys.wake(journey.id), (defect) =>
    Effect.logWarning("A journey on a test clock could not be woken", { journeyId: journey.id }, defect)
  )
  const handled = yield* work.handledSince(journey.id, version)
  if (handled.messages.length === 0) return null
  if (handled.messages.at(-1) === "OwedBegun") {
    // The work goes on beside the actor, and reports by a message.
    const hasReported = Effect.map(
      work.handledSince(journey.id, handled.version),
      ({ messages }) => messages.length > 0
    )
    yield* waitUntil(hasReported, (yield* Clock.currentTimeMillis) + Duration.toMillis(advanceLimits.effectWithin))
  }
  const { events, messages } = yield* work.handledSince(journey.id, version)
  return { at: timestamp(now), kind: "JOURNEY", journeyId: journey.id, messages, events } satisfies ClockStep
})

const attemptDelivery = Effect.fnUntraced(function* (delivery: WaitingDelivery, now: number, sent: Waiting["sent"]) {
  const work = yield* ClockWork
  yield* retryUntilKnown(work.makeDue(delivery, yield* Clock.currentTimeMillis))
  yield* sent
  const { eventId, journeyId, type } = delivery
  const { attempts, status } = yield* work.attemptsOf(delivery)
  return { at: timestamp(now), kind: "DELIVERY", journeyId, eventId, type, attempts, status } satisfies ClockStep
})
