/**
 * The behaviour of a journey's actor. The actor handles one message at a time, always in this order: load the journey if it
 * is not in memory, decide, commit, replace the journey in memory, answer. The row is the truth and its version the only
 * fence, because two actors of one journey can be alive at once.
 *
 * | failure                          | what happens                                                             |
 * |----------------------------------|--------------------------------------------------------------------------|
 * | another actor was faster         | drop the journey in memory, load the row, decide again, once             |
 * | connection lost during a commit  | submit the same commit again: `commitOutcome.ts`                         |
 * | database silent during a commit  | `OutcomeUnknown`; the sender may send the message again                  |
 * | database away                    | `JourneyUnavailable`; the journey in memory is dropped                   |
 * | a defect, an unreadable row      | the message dies, the journey in memory is dropped; other journeys go on |
 */
import { Effect, Equal, Layer, Result } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { knownInTime, unknownIfUnavailable } from "../../kernel/commitOutcome.ts"
import { Ids } from "../../kernel/Ids.ts"
import { OutcomeUnknown, type JourneyUnreadable, type StoreUnavailable } from "../../kernel/StoreError.ts"
import { currentTraceparent } from "../../kernel/Trace.ts"
import { decide } from "../rules/decide.ts"
import { journeyResource } from "../rules/projection.ts"
import type { Ignored, Outcome, Rejected } from "../rules/state/step.ts"
import { plannedMessage } from "../rules/plan.ts"
import { dueMessage } from "../rules/timers.ts"
import { inDecisionSpan, type DecisionFacts } from "./decisionSpan.ts"
import { Alarms, setAlarm } from "./Alarms.ts"
import { commitOf, loadedAfter, type HandledMessage } from "./journeyCommit.ts"
import * as JourneyDoor from "./JourneyDoor.ts"
import { JourneyUnavailable, type Answer, type JourneyRequest } from "./JourneyEntity.ts"
import { JourneyResidents, type JourneyBehaviour } from "./JourneyResidents.ts"
import { makeJourneyMemory, type JourneyMemory } from "./JourneyMemory.ts"
import { JourneyStore, type LoadedJourney } from "./JourneyStore.ts"
import { journeyActorLimits } from "./limits.ts"
import { observeMessages } from "./messageObservation.ts"
import { PendingEffects } from "./PendingEffects.ts"
import { TestClocks, timeOf } from "./TestClocks.ts"
import type { JourneyId } from "../../../schema/ids.ts"

/** What one message came to: the journey after it, or why it changed nothing. */
type Handled = Result.Result<LoadedJourney, Rejected | Ignored>

/** Another message was handled under the message's id. */
type IdReused = Extract<Answer, { readonly _tag: "IdReused" }>

const idReused: IdReused = { _tag: "IdReused" }

type Failure = JourneyUnavailable | OutcomeUnknown | StoreUnavailable | JourneyUnreadable

type Memory = JourneyMemory<StoreUnavailable | JourneyUnreadable>

type Handle = (current: LoadedJourney, message: HandledMessage) => Effect.Effect<Handled | null, Failure>

/** What every journey of this node works with. */
const makeTools = Effect.gen(function* () {
  return {
    store: yield* JourneyStore,
    alarms: yield* Alarms,
    clocks: yield* TestClocks,
    effects: yield* PendingEffects,
    ids: yield* Ids,
    observed: yield* observeMessages
  }
})
type Tools = Effect.Success<typeof makeTools>

const behaviourOf =
  (tools: Tools) =>
  (id: JourneyId): JourneyBehaviour => {
    const { observed, store } = tools
    const memory: Memory = makeJourneyMemory(Effect.suspend(() => store.load(id)))
    const handle = makeHandle(tools, memory)
    const ask = makeAsk(tools, memory, handle)
    const wake = makeWake(tools, memory, (current, due) =>
      observed.due(id, due.message._tag, current.traceparent, handle(current, due))
    )
    return {
      ask: (request) => observed.asked(id, request.message._tag, guarded(memory.confirmed(ask(request)), memory.drop)),
      wake: guarded(memory.confirmed(wake), memory.drop)
    }
  }

const factsOfOutcome = (outcome: Outcome): DecisionFacts =>
  outcome._tag === "Step"
    ? { outcome: "DONE", after: outcome.journey, events: outcome.events }
    : { outcome: outcome._tag === "Ignored" ? "IGNORED" : "REFUSED", after: null, events: [] }

/** Decides and commits one message; null when another actor was faster. */
const makeHandle =
  ({ clocks, ids, observed, store }: Tools, memory: Memory): Handle =>
  (current, handled) =>
    Effect.gen(function* (): Effect.fn.Return<Handled | null, Failure> {
      const now = yield* timeOf(clocks, current.journey)
      const outcome = yield* inDecisionSpan(
        handled.message._tag,
        current.journey,
        () => decide(current.journey, handled.message, now),
        factsOfOutcome
      )
      if (outcome._tag !== "Step") return Result.fail(outcome)
      const traceparent = yield* currentTraceparent
      const commit = commitOf(current, outcome, handled, { now, newId: ids.next, traceparent })
      // A caller that hangs up between the commit and the change of memory would leave a stale actor behind.
      return yield* Effect.uninterruptible(
        Effect.map(knownInTime(store.commit(commit)), (written) => {
          if (written === "Conflict") return null
          const next = loadedAfter(current, commit)
          memory.keep(next)
          observed.committed(current.journey, next.journey)
          return Result.succeed(next)
        })
      )
    })

/**
 * Takes the messages that a test journey has planned, each with a commit of its own, until none is left. The plan is in the
 * row: whoever loads the journey after a crash finishes it.
 */
const makeFinishPlan = ({ ids }: Tools, memory: Memory, handle: Handle) =>
  Effect.fnUntraced(function* (first: LoadedJourney): Effect.fn.Return<LoadedJourney, Failure> {
    let current = first
    for (let handled = 0; handled < journeyActorLimits.messagesPerWake; handled++) {
      const message = plannedMessage(current.journey)
      if (message === null) return current
      const outcome = yield* handle(current, dueRequest(ids.next(), message))
      // Another actor was faster, and may have finished the plan.
      if (outcome === null) {
        yield* memory.drop
        current = (yield* memory.load) ?? (yield* new OutcomeUnknown())
      } else current = Result.isSuccess(outcome) ? outcome.success : yield* refusedWhenDue(message, outcome.failure)
    }
    return yield* new JourneyUnavailable()
  })

/** Handles a message that somebody sent, and answers it. */
const makeAsk = (tools: Tools, memory: Memory, handle: Handle) => {
  const { alarms, clocks } = tools
  const finishPlan = makeFinishPlan(tools, memory, handle)

  /** Decides once more when another actor was faster. */
  const handleAgain = Effect.fnUntraced(function* (
    first: LoadedJourney,
    request: JourneyRequest
  ): Effect.fn.Return<Result.Result<LoadedJourney, Rejected | Ignored | IdReused>, Failure> {
    let current = first
    for (let decisions = 0; decisions < journeyActorLimits.mostDecisions; decisions++) {
      const handled = yield* handle(current, request)
      if (handled !== null) return handled
      yield* memory.drop
      // The other actor may have written this very commit, whose first answer was lost: the journal knows.
      const reloaded = yield* unknownIfUnavailable(memory.load)
      if (reloaded === null) return yield* new OutcomeUnknown()
      const written = reloaded.handled.get(request.messageId)
      if (written !== undefined) {
        return isSameMessage(written, request.message) ? Result.succeed(reloaded) : Result.fail(idReused)
      }
      current = reloaded
    }
    return yield* new JourneyUnavailable()
  })

  return Effect.fnUntraced(function* (request: JourneyRequest): Effect.fn.Return<Answer, Failure> {
    const loaded = yield* memory.load
    if (loaded === null || !isInScope(loaded, request.scope)) return { _tag: "NoJourney" }
    const current = yield* finishPlan(loaded)
    const before = current.handled.get(request.messageId)
    if (before !== undefined) {
      return isSameMessage(before, request.message) ? { ...done(current), isReplay: true } : idReused
    }
    const handled = yield* handleAgain(current, request)
    if (Result.isSuccess(handled)) {
      // The message itself is committed by now, so nobody may claim that nothing was changed.
      const finished = yield* Effect.catchTag(
        unknownIfUnavailable(finishPlan(handled.success)),
        "JourneyUnavailable",
        () => Effect.fail(new OutcomeUnknown())
      )
      yield* setAlarm(alarms, clocks, finished.journey)
      return done(finished)
    }
    const { failure } = handled
    if (failure._tag === "IdReused") return failure
    return failure._tag === "Ignored"
      ? { _tag: "Ignored", reason: failure.reason }
      : { _tag: "Refused", code: failure.code, message: failure.message }
  })
}

/** Handles whatever is due. */
const makeWake = ({ alarms, clocks, effects, ids, store }: Tools, memory: Memory, handleDue: Handle) =>
  Effect.gen(function* (): Effect.fn.Return<void, Failure> {
    for (let handled = 0; handled < journeyActorLimits.messagesPerWake; handled++) {
      const current = yield* memory.load
      if (current === null) return
      const message = dueMessage(current.journey, yield* timeOf(clocks, current.journey))
      // Also when nothing was due: whoever woke the journey may have been early, and will not come back by itself.
      if (message === null) {
        if (handled === 0) yield* store.restoreAlarm(current)
        return yield* setAlarm(alarms, clocks, current.journey)
      }
      const outcome = yield* handleDue(current, dueRequest(ids.next(), message))
      // Another actor was faster: what was due then may not be due any more.
      if (outcome === null) yield* memory.drop
      else if (Result.isSuccess(outcome) && message._tag === "OwedBegun") {
        yield* effects.begin(outcome.success.journey, message.serial, outcome.success.traceparent)
      }
      // Nothing would ever move the journey on, and it would be woken for ever: a defect sets it aside.
      else if (Result.isFailure(outcome)) return yield* refusedWhenDue(message, outcome.failure)
    }
  })

const done = ({ journey }: LoadedJourney) => ({ _tag: "Done", journey: journeyResource(journey) }) as const

const isInScope = ({ journey }: LoadedJourney, scope: JourneyRequest["scope"]): boolean =>
  scope === null || (journey.companyId === scope.companyId && journey.livemode === scope.livemode)

const isSameMessage = (before: unknown, message: JourneyMessage): boolean => Equal.equals(before, message)

/** A message that is due by itself. */
const dueRequest = (messageId: string, message: JourneyMessage): HandledMessage => ({
  messageId,
  sender: senderOf(message),
  message,
  sealedNote: null,
  sealedPhoto: null
})

/** Every other message that is due by itself is the sandbox's: it stands in for whoever would send it. */
const senderOf = ({ _tag }: JourneyMessage): string => {
  switch (_tag) {
    case "HandoverCreated":
    case "OwedBegun":
      return "service"
    case "CustomerWindowPassed":
    case "SafetyCapPassed":
    case "CustomerReminded":
      return "timer"
    default:
      return "sandbox"
  }
}

/** The name of the defect, by which whoever woke the journey tells why it is set aside. */
export const dueMessageRefused = "DueMessageRefused"

const refusedWhenDue = ({ _tag }: JourneyMessage, failure: Rejected | Ignored) =>
  Effect.die(
    Object.assign(new Error(`a due ${_tag} was refused: ${JSON.stringify(failure)}`), { name: dueMessageRefused })
  )

/** After a failure the journey in memory cannot be trusted; the row can. */
const guarded = <A>(handling: Effect.Effect<A, Failure>, drop: Effect.Effect<void>) =>
  handling.pipe(
    Effect.onError(() => drop),
    Effect.catchTags({
      StoreUnavailable: () => Effect.fail(new JourneyUnavailable()),
      JourneyUnreadable: (error) => Effect.die(error)
    })
  )

/** The journeys of this node. A defect answers its caller and leaves the journey's actor alive. */
export const layer = Layer.provideMerge(
  JourneyDoor.layer,
  Layer.effectDiscard(
    Effect.gen(function* () {
      const residents = yield* JourneyResidents
      yield* residents.run(behaviourOf(yield* makeTools))
    })
  )
)
