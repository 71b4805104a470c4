/**
 * The behaviour of an endpoint's actor: it sends what is due, as fast as the endpoint takes it and no faster. One fiber
 * owns its state and works off an inbox; exchanges and records run beside it and come back as letters.
 *
 *   deliveries ──due──▶ hand ──send──▶ exchange ──ended──▶ record ──▶ deliveries, attempts, health
 *
 * What is due stands in the database, and the hand is a copy of some of it: whatever is lost here is read and sent
 * again. Nothing is claimed before it is sent, so an actor that does not know of its successor may send an event twice;
 * receivers are told to expect that (§6.3.5), and the log shows both.
 *
 * | failure                        | what happens                                                              |
 * |--------------------------------|---------------------------------------------------------------------------|
 * | the endpoint fails or is slow  | fewer attempts at once there; nobody else notices                         |
 * | the database is away           | what has ended is recorded when it is back; beyond a limit nothing is sent |
 * | a secret does not open         | an error in the log, and nothing is sent; the next look tries again       |
 * | the node stops                 | attempts under way get a moment; what is cut off is sent again            |
 */
import { Cause, Clock, Deferred, Effect, Exit, Fiber, Queue, Scope } from "effect"
import type { CommitUnknown, StoreUnavailable, Unopenable } from "../../kernel/StoreError.ts"
import type { Vault } from "../../kernel/Vault.ts"
import { currentMeter } from "../../kernel/Meter.ts"
import { observeAttempts } from "./attemptObservation.ts"
import { isDelivered } from "../rules/classification.ts"
import { DeliveryStore, type AttemptOutcome, type DueDelivery, type DuePlace } from "./DeliveryStore.ts"
import { EndpointUnavailable } from "./EndpointEntity.ts"
import { Hand } from "./DeliveryBuffer.ts"
import { deliveryHeaders, isOwnFailure, outcomeOf } from "../rules/outcome.ts"
import { recordUntilDone } from "./recordUntilDone.ts"
import type { Channel, Sender } from "./Sender.ts"
import * as SendingSettings from "./SendingSettings.ts"
import { Streak, type Ending } from "../rules/EndpointHealth.ts"
import {
  attemptsPerRecord,
  deliveriesInHand,
  firstInFlight,
  handKeptMillis,
  mostInFlight,
  mostUnrecorded,
  readAheadFrom,
  stopWithin,
  testsAtOnce
} from "./supervision.ts"

type Outcomes = ReadonlyArray<AttemptOutcome>
type Waiter = Deferred.Deferred<void, EndpointUnavailable>

interface Ended extends Ending {
  readonly _tag: "Ended"
  readonly at: number
}

type Letter =
  | { readonly _tag: "Look"; readonly resend: boolean }
  | { readonly _tag: "Changed"; readonly known: Deferred.Deferred<void> }
  | { readonly _tag: "Attempt"; readonly eventId: string; readonly waiter: Waiter }
  | Ended
  | { readonly _tag: "Recorded"; readonly outcomes: Outcomes }
  | { readonly _tag: "Stop" }

type Failure = CommitUnknown | StoreUnavailable | Unopenable

export interface EndpointActor {
  /** Something may be due; `resend`: a resend can go on. */
  readonly look: (resend: boolean) => Effect.Effect<void>
  /** The settings are another: returns when nothing is sent by the old ones any more. */
  readonly changed: Effect.Effect<void>
  /** Makes an attempt now; returns when it is in the log. */
  readonly attempt: (eventId: string) => Effect.Effect<void, EndpointUnavailable>
}

/** An actor of one endpoint, alive as long as the scope. */
export const make = Effect.fnUntraced(function* (
  endpointId: string
): Effect.fn.Return<EndpointActor, never, Scope.Scope | DeliveryStore | Sender | Vault> {
  const store = yield* DeliveryStore
  const clock = yield* Clock.Clock
  // Apart from the actor's own: connections outlive it until attempts under way have ended.
  const beside = yield* Scope.make()
  const settings = yield* SendingSettings.make(endpointId, beside)
  const observed = yield* observeAttempts
  const meter = yield* currentMeter
  const inbox = yield* Queue.unbounded<Letter>()
  const hand = new Hand()
  const streak = new Streak(store)
  const waiters = new Map<string, Waiter>()

  let known: SendingSettings.Known | null = null
  /** Exchanges under way, and how many there may be. */
  let inFlight = 0
  let window = firstInFlight
  /** Where reading goes on; null: with the oldest. */
  let place: DuePlace | null = null
  let takenAt = 0
  let isMoreDue = true
  let mayResend = true
  let isStopping = false
  /** What has ended and says something about the endpoint that was not judged yet. */
  const unjudged: Array<Ended> = []

  const now = () => clock.currentTimeMillisUnsafe()
  const tell = (letter: Letter) => void Queue.offerUnsafe(inbox, letter)

  const forget = () => {
    hand.drop()
    known = null
    place = null
    isMoreDue = true
    mayResend = true
  }

  const freshSettings = Effect.gen(function* () {
    if (known === null || (now() - known.readAt >= handKeptMillis && streak.isWritten)) {
      known = yield* settings.read
      streak.begin(known?.endpoint ?? null)
    }
    return known
  })

  const readMore = Effect.gen(function* () {
    if (mayResend) mayResend = (yield* store.resendMore(endpointId, now())) === "MoreNow"
    const limit = Math.min(deliveriesInHand, window * 16)
    takenAt = now()
    const [current, due] = yield* Effect.all(
      [freshSettings, store.due({ endpointId, now: takenAt, after: place, limit })],
      { concurrency: 2 }
    )
    if (current === null || !current.endpoint.enabled) {
      // Nothing is sent to an endpoint that is off; what is pending there is put aside for its owner.
      hand.drop()
      place = null
      isMoreDue = yield* store.park(endpointId)
      return
    }
    for (const delivery of due) hand.put(delivery)
    const last = due.at(-1)
    // A resend that walks over what it does not want goes on, too.
    isMoreDue = due.length === limit || mayResend
    place =
      due.length === limit && last !== undefined && last.dueAt !== null
        ? { dueAt: last.dueAt, eventId: last.eventId }
        : null
  })

  const send = (delivery: DueDelivery, by: SendingSettings.Known, channel: Channel) => {
    const at = now()
    inFlight += 1
    channel.post(deliveryHeaders(delivery, by.keysAt(at), at), delivery.body, (exchange) =>
      tell({ _tag: "Ended", delivery, exchange, at, endedAt: now() })
    )
  }

  const isSaturated = () => inFlight >= window || hand.underway >= mostUnrecorded

  const sendFromHand = Effect.gen(function* () {
    const by = known
    if (by === null || hand.waiting === 0) return
    // Attempts to the URL before this one end first.
    if (settings.openUrl() !== by.endpoint.url && inFlight > 0) return
    const channel = yield* settings.channelTo(by.endpoint.url)
    while (!isSaturated()) {
      const next = hand.take()
      if (next === null) return
      send(next, by, channel)
    }
  })

  const pump: Effect.Effect<void, Failure> = Effect.gen(function* () {
    for (;;) {
      if (isStopping) return
      if (hand.waiting > 0 && now() - takenAt >= handKeptMillis) {
        hand.drop()
        place = null
        isMoreDue = true
      }
      yield* sendFromHand
      // At an endpoint that is quick to answer reading goes on beside the exchanges, before the hand is empty.
      const mayRead = !isSaturated() || (window >= readAheadFrom && hand.underway < mostUnrecorded)
      if (!isMoreDue || !mayRead || hand.waiting >= window) return
      yield* readMore
    }
  })

  /** True when the attempt is under way; `recorded` then answers those who wait for it. */
  const attemptNow = Effect.fnUntraced(function* (eventId: string, waiter: Waiter) {
    if (waiters.size >= testsAtOnce || hand.has(eventId)) return false
    const by = yield* freshSettings
    const delivery = yield* store.one(endpointId, eventId)
    if (by === null || delivery === null) return false
    if (settings.openUrl() !== by.endpoint.url && inFlight > 0) return false
    const channel = yield* settings.channelTo(by.endpoint.url)
    waiters.set(eventId, waiter)
    hand.takeDirectly(delivery)
    send(delivery, by, channel)
    return true
  })

  const attempted = ({ eventId, waiter }: Extract<Letter, { readonly _tag: "Attempt" }>) =>
    Effect.tap(
      Effect.orElseSucceed(attemptNow(eventId, waiter), () => false),
      (isUnderway) => Effect.sync(() => isUnderway || Deferred.doneUnsafe(waiter, Exit.fail(new EndpointUnavailable())))
    )

  const recording = recordUntilDone(store, endpointId)
  const record = (outcomes: Outcomes) => Effect.map(recording(outcomes), () => tell({ _tag: "Recorded", outcomes }))

  /** What exchanges say about the endpoint, and what follows (§6.3.6). */
  const judgeAll = Effect.gen(function* () {
    for (let next = unjudged[0]; next !== undefined; next = unjudged[0]) {
      const by = known ?? (yield* freshSettings)
      if (by !== null) known = { ...by, endpoint: streak.judge(by.endpoint, next) }
      unjudged.shift()
    }
    if (!(yield* streak.write)) return
    meter.count("journeys_endpoints_turned_off_total", {})
    yield* Effect.logWarning("An endpoint is turned off: nothing has reached it for three days", { endpointId })
    forget()
  })

  const ended = ({ at, delivery, endedAt, exchange }: Ended) => {
    inFlight -= 1
    hand.ended(delivery)
    if (isDelivered(exchange)) window = Math.min(mostInFlight, window + 1)
    else if (!isOwnFailure(exchange)) window = Math.max(1, window >> 1)
    const outcome = outcomeOf(endpointId, delivery, exchange, at, endedAt)
    observed(delivery, outcome, endedAt)
    return outcome
  }

  const recorded = (outcomes: Outcomes) => {
    for (const { delivery } of outcomes) {
      hand.release(delivery.eventId)
      const waiter = waiters.get(delivery.eventId)
      if (waiter === undefined) continue
      waiters.delete(delivery.eventId)
      Deferred.doneUnsafe(waiter, Exit.void)
    }
  }

  const turn = Effect.fnUntraced(function* (letters: ReadonlyArray<Letter>) {
    const outcomes: Array<AttemptOutcome> = []
    for (const letter of letters) {
      if (letter._tag === "Ended") {
        unjudged.push(letter)
        outcomes.push(ended(letter))
      } else if (letter._tag === "Recorded") recorded(letter.outcomes)
      else if (letter._tag === "Changed") {
        forget()
        Deferred.doneUnsafe(letter.known, Exit.void)
      } else if (letter._tag === "Look") {
        isMoreDue = true
        mayResend ||= letter.resend
      } else if (letter._tag === "Stop") isStopping = true
    }
    for (let from = 0; from < outcomes.length; from += attemptsPerRecord) {
      yield* Effect.forkIn(record(outcomes.slice(from, from + attemptsPerRecord)), beside)
    }
    for (const letter of letters) if (letter._tag === "Attempt") yield* attempted(letter)
    yield* judgeAll
    yield* pump
  })

  let isWell = true
  const work = Effect.gen(function* () {
    for (;;) {
      if (isStopping && hand.underway === 0) return
      const exit = yield* Effect.exit(turn(yield* Queue.takeAll(inbox)))
      if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return
      // Said when it changes: the next look tries again, and those come twice a second.
      if (Exit.isFailure(exit) && isWell) {
        yield* Effect.logWarning(
          "An endpoint's deliveries cannot go on; they are looked at again",
          { endpointId },
          exit.cause
        )
      }
      isWell = Exit.isSuccess(exit)
    }
  })

  const working = yield* Effect.forkIn(work, beside)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => tell({ _tag: "Stop" })).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.await(working), stopWithin)),
      Effect.andThen(Scope.close(beside, Exit.void))
    )
  )

  return {
    look: (resend) => Effect.sync(() => tell({ _tag: "Look", resend })),
    changed: Effect.suspend(() => {
      const taken = Deferred.makeUnsafe<void>()
      tell({ _tag: "Changed", known: taken })
      return Deferred.await(taken)
    }),
    attempt: (eventId) =>
      Effect.suspend(() => {
        const waiter: Waiter = Deferred.makeUnsafe()
        tell({ _tag: "Attempt", eventId, waiter })
        return Deferred.await(waiter)
      })
  }
})
