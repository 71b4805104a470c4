/**
 * The behaviour of a journey's actor. One message at a time, always in this order: load if not in memory, decide,
 * commit, replace the state in memory, answer. The state in memory is a cache of the row; the version in the row is
 * the only fence, because two actors of one journey can be alive at once.
 *
 * | failure                          | what happens                                                    |
 * |----------------------------------|-----------------------------------------------------------------|
 * | another actor was faster         | drop the state, load, decide again, once                        |
 * | connection lost during a commit  | hand the same commit in again: `commitOutcome.ts`                 |
 * | database silent during a commit  | `OutcomeUnknown`; whoever asked may send the message again      |
 * | database away                    | `JourneyUnavailable`; the state is dropped, the row is the truth |
 * | a defect, an unreadable row      | this message dies, the state is dropped; others go on           |
 */
import { Clock, Effect, Equal, Result } from "effect"
import { Entity } from "effect/cluster"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { Alarms, setAlarm } from "./Alarms.ts"
import { chargesOf, releasesHolds } from "../rules/billing.ts"
import { unknownAfterTimeout, unknownIfUnavailable, retryUntilKnown } from "../../kernel/commitOutcome.ts"
import { decide } from "../rules/decide.ts"
import { vehicleSold } from "../rules/ending.ts"
import { Ids } from "../../kernel/Ids.ts"
import { observeMessages } from "./messageObservation.ts"
import { JourneyEntity, JourneyUnavailable, type Answer, type JourneyRequest } from "./JourneyEntity.ts"
import { JourneyStore, type Commit, type LoadedJourney } from "./JourneyStore.ts"
import { type JourneyUnreadable, type StoreUnavailable, OutcomeUnknown } from "../../kernel/StoreError.ts"
import { journeyResource } from "../rules/projection.ts"
import { OwedWork } from "./PendingEffects.ts"
import { record } from "../rules/recordedEvent.ts"
import type { Ignored, Rejected, Step } from "../rules/step.ts"
import { idleTime, mailboxCapacity, messagesPerWake, mostDecisions } from "./supervision.ts"
import { dueMessage, nextAlarm } from "../rules/timers.ts"
import { currentTraceparent } from "../../kernel/Trace.ts"

/** What one message came to: the journey after it, or why it changed nothing. */
type Attempt = Result.Result<LoadedJourney, Rejected | Ignored>

type Letter = Pick<JourneyRequest, "messageId" | "sender" | "message" | "sealedNote" | "sealedPhoto">

const bytesOf = (base64: string | null): Uint8Array | null => (base64 === null ? null : Buffer.from(base64, "base64"))

const commitOf = (
  resident: LoadedJourney,
  taken: Step,
  letter: Letter,
  now: number,
  newId: () => string,
  traceparent: string | null
): Commit => {
  const { events, journey, mails } = record(taken, now, newId)
  return {
    expectedVersion: resident.version,
    journey,
    wakeAt: nextAlarm(journey),
    messageId: letter.messageId,
    sender: letter.sender,
    message: letter.message,
    sealedNote: bytesOf(letter.sealedNote),
    sealedPhoto: bytesOf(letter.sealedPhoto),
    events,
    mails,
    charges: chargesOf(resident.journey, journey),
    releasesHolds: releasesHolds(resident.journey, journey),
    soldVehicle: vehicleSold(taken),
    at: now,
    traceparent
  }
}

const after = (resident: LoadedJourney, commit: Commit): LoadedJourney => ({
  journey: commit.journey,
  version: resident.version + 1,
  handled: new Map(resident.handled).set(commit.messageId, commit.message),
  traceparent: commit.traceparent
})

const done = (resident: LoadedJourney): Answer => ({ _tag: "Done", journey: journeyResource(resident.journey) })

const isInScope = (resident: LoadedJourney, scope: JourneyRequest["scope"]): boolean =>
  scope === null || (resident.journey.companyId === scope.companyId && resident.journey.livemode === scope.livemode)

const make = Effect.gen(function* () {
  const store = yield* JourneyStore
  const alarms = yield* Alarms
  const ids = yield* Ids
  const work = yield* OwedWork
  const observed = yield* observeMessages
  const address = yield* Entity.CurrentAddress
  let resident: LoadedJourney | null = null
  /** How often the state in memory was seen to be the row: by loading it, or by a commit on top of it. */
  let confirmations = 0

  const keep = (current: LoadedJourney | null) => {
    resident = current
    confirmations += 1
  }

  const drop = Effect.sync(() => {
    resident = null
  })

  const load = Effect.suspend(() =>
    resident === null
      ? Effect.tap(store.load(address.entityId), (loaded) => Effect.sync(() => keep(loaded)))
      : Effect.succeed(resident)
  )

  /** The version fences what is committed; what is answered without a commit must come from the row as it is. */
  const confirmed = <A>(handling: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
    Effect.suspend(() => {
      const before = confirmations
      return Effect.flatMap(handling, (answer) =>
        confirmations > before ? Effect.succeed(answer) : Effect.andThen(drop, handling)
      )
    })

  /** Decides and commits one message; null when another actor was faster. */
  const attempt = (current: LoadedJourney, letter: Letter): Effect.Effect<Attempt | null, Failure> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const outcome = decide(current.journey, letter.message, now)
      if (outcome._tag !== "Step") return Result.fail(outcome)
      const commit = commitOf(current, outcome, letter, now, ids.next, yield* currentTraceparent)
      // A caller that hangs up between the commit and the swap would leave a stale actor behind.
      return yield* Effect.uninterruptible(
        Effect.map(unknownAfterTimeout(retryUntilKnown(store.commit(commit))), (written) => {
          if (written === "Conflict") return null
          const next = after(current, commit)
          keep(next)
          observed.committed(current.journey, next.journey)
          return Result.succeed(next)
        })
      )
    })

  const decideAndCommit = Effect.fnUntraced(function* (
    first: LoadedJourney,
    letter: Letter
  ): Effect.fn.Return<Attempt, Failure> {
    let current = first
    for (let decisions = 0; decisions < mostDecisions; decisions++) {
      const decided = yield* attempt(current, letter)
      if (decided !== null) return decided
      yield* drop
      // The rival may have been this very commit, whose first answer was lost: the journal knows.
      const reloaded = yield* unknownIfUnavailable(load)
      if (reloaded === null) return yield* new OutcomeUnknown()
      if (reloaded.handled.has(letter.messageId)) return Result.succeed(reloaded)
      current = reloaded
    }
    return yield* new JourneyUnavailable()
  })

  const ask = Effect.fnUntraced(function* (request: JourneyRequest): Effect.fn.Return<Answer, Failure> {
    const current = yield* load
    if (current === null || !isInScope(current, request.scope)) return { _tag: "NoJourney" }
    const before = current.handled.get(request.messageId)
    if (before !== undefined) return isSameMessage(before, request.message) ? done(current) : { _tag: "IdReused" }
    const outcome = yield* decideAndCommit(current, request)
    if (Result.isSuccess(outcome)) {
      yield* setAlarm(alarms, outcome.success.journey)
      return done(outcome.success)
    }
    return outcome.failure._tag === "Ignored"
      ? { _tag: "Ignored", reason: outcome.failure.reason }
      : { _tag: "Refused", code: outcome.failure.code, message: outcome.failure.message }
  })

  const wake = Effect.gen(function* () {
    for (let handled = 0; handled < messagesPerWake; handled++) {
      const current = yield* load
      const now = yield* Clock.currentTimeMillis
      const message = current === null ? null : dueMessage(current.journey, now)
      if (current === null) return
      // Also when nothing was due: whoever woke it may have been early, and will not come back by itself.
      if (message === null) return yield* setAlarm(alarms, current.journey)
      const letter = { messageId: ids.next(), sender: senderOf(message), message, sealedNote: null, sealedPhoto: null }
      const handling = attempt(current, letter)
      const outcome = yield* observed.due(address.entityId, message._tag, current.traceparent, handling)
      // Another actor was faster: what was due then may not be due any more.
      if (outcome === null) yield* drop
      else if (Result.isSuccess(outcome) && message._tag === "OwedBegun") {
        yield* work.begin(outcome.success.journey, message.serial)
      }
      // Nothing would ever move it on, and it would be woken for ever: better to fail and be set aside.
      else if (Result.isFailure(outcome) && resident === current) {
        return yield* Effect.die(new Error(`a due ${message._tag} was refused: ${JSON.stringify(outcome.failure)}`))
      }
    }
  })

  return JourneyEntity.of({
    Ask: ({ payload }) =>
      observed.asked(address.entityId, payload.message._tag, guarded(confirmed(ask(payload)), drop)),
    Wake: () => guarded(confirmed(wake), drop)
  })
})

type Failure = JourneyUnavailable | OutcomeUnknown | StoreUnavailable | JourneyUnreadable

const isSameMessage = (before: unknown, message: JourneyMessage): boolean => Equal.equals(before, message)

const senderOf = ({ _tag }: JourneyMessage): string =>
  _tag === "SandboxTick" ? "sandbox" : _tag === "HandoverCreated" || _tag === "OwedBegun" ? "service" : "timer"

/** After anything but an answer the state in memory is not to be trusted; the row is. */
const guarded = <A>(handling: Effect.Effect<A, Failure>, drop: Effect.Effect<void>) =>
  handling.pipe(
    Effect.onError(() => drop),
    Effect.catchTag("StoreUnavailable", () => Effect.fail(new JourneyUnavailable())),
    Effect.catchTag("JourneyUnreadable", (error) => Effect.die(error))
  )

/** The actor, ready to be registered with a cluster. A defect answers its caller and leaves the actor alive. */
export const layer = JourneyEntity.toLayer(make, {
  maxIdleTime: idleTime,
  mailboxCapacity,
  disableFatalDefects: true
})
