/**
 * The work of an endpoint's actor: every message goes to the pure decision of `rules/decideEndpoint.ts`, and what the decision says
 * is done here. A turn notes all news that have arrived, and then goes on until no question is left. Exchanges and records
 * run beside the turns and come back as news.
 */
import { Cause, Clock, Effect, Queue, type Scope } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { currentMeter } from "../../kernel/Meter.ts"
import type { Vault } from "../../kernel/Vault.ts"
import type { SignedRequest, WebhookAttemptOutcome } from "../rules/attemptOutcome.ts"
import { decideEndpoint } from "../rules/decideEndpoint.ts"
import type {
  EndpointAction,
  EndpointAnswer,
  EndpointMessage,
  EndpointNews,
  EndpointQuestion,
  Ticket
} from "../rules/EndpointMessage.ts"
import { hasStopped, newEndpointState, type EndpointDecision } from "../rules/EndpointState.ts"
import { keysAt } from "../rules/signature.ts"
import { attemptSignature, webhookHeaders } from "../rules/webhookHeaders.ts"
import { answeringFor } from "./answerQuestion.ts"
import { observeAttempts } from "./attemptObservation.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import * as EndpointChannel from "./EndpointChannel.ts"
import { recordUntilDone } from "./recordUntilDone.ts"
import type { Sender } from "./Sender.ts"
import type { EndpointId } from "../../../schema/ids.ts"

/** Works off `inbox` until the actor has stopped. Records and connections live in `beside`. */
export const endpointTurns = Effect.fnUntraced(function* (
  endpointId: EndpointId,
  inbox: Queue.Queue<EndpointNews>,
  beside: Scope.Scope,
  answer: (ticket: Ticket, isDone: boolean) => void
): Effect.fn.Return<Effect.Effect<void>, never, WebhookDeliveryStore | Sender | Vault> {
  const clock = yield* Clock.Clock
  const channel = yield* EndpointChannel.make(beside)
  const answerQuestion = yield* answeringFor(endpointId, channel)
  const observe = yield* observeAttempts
  const record = recordUntilDone(yield* WebhookDeliveryStore, endpointId)
  const report = yield* reporting(endpointId)
  const now = () => clock.currentTimeMillisUnsafe()
  const send = sending(inbox, channel, now)

  let state = newEndpointState(endpointId)
  /** Attempts that ended in this turn. */
  let outcomes: Array<WebhookAttemptOutcome> = []

  const perform = (action: EndpointAction): void => {
    if (action._tag === "Send") send(action)
    else if (action._tag === "Record") {
      outcomes.push(action.outcome)
      observe(action.attempt, action.outcome)
    } else if (action._tag === "Answer") answer(action.ticket, action.isDone)
  }

  const decideOn = (message: EndpointMessage): EndpointDecision => {
    const decision = decideEndpoint(state, message, now())
    state = decision.state
    decision.actions.forEach(perform)
    return decision
  }

  const recordBeside = Effect.fnUntraced(function* (ended: ReadonlyArray<WebhookAttemptOutcome>) {
    const { attemptsPerRecord } = webhookLimits
    for (let from = 0; from < ended.length; from += attemptsPerRecord) {
      const some = ended.slice(from, from + attemptsPerRecord)
      const eventIds = some.map(({ delivery }) => delivery.eventId)
      const recorded = Queue.offer(inbox, { _tag: "AttemptsRecorded", eventIds })
      yield* Effect.forkIn(Effect.andThen(record(some), recorded), beside)
    }
  })

  const turn = Effect.fnUntraced(function* (news: ReadonlyArray<EndpointNews>) {
    outcomes = []
    news.forEach(decideOn)
    yield* recordBeside(outcomes)
    for (let message: EndpointMessage | null = { _tag: "Proceed" }; message !== null;) {
      const { actions, question }: EndpointDecision = decideOn(message)
      for (const action of actions) {
        if (action._tag === "ReportTurnedOff" || action._tag === "ReportBlocked") yield* report(action)
      }
      message = question === null ? null : yield* orFailed(question, answerQuestion(question))
    }
  })

  // A fault of the program ends its turn and no more: an actor that is gone would be missed by nobody.
  const survivingTurn = (news: ReadonlyArray<EndpointNews>) =>
    Effect.catchDefect(turn(news), (defect) => Effect.logError("An endpoint's turn has failed", { endpointId }, defect))

  return Effect.gen(function* () {
    while (!hasStopped(state)) yield* survivingTurn(yield* Queue.takeAll(inbox))
  })
})

/** Sends a delivery. It is signed when its request can leave, and its end comes as news. */
const sending =
  (inbox: Queue.Queue<EndpointNews>, channel: EndpointChannel.EndpointChannel, now: () => number) =>
  ({ at: beganAt, delivery, settings }: Extract<EndpointAction, { readonly _tag: "Send" }>): void => {
    let signed: SignedRequest | null = null
    const sign = () => {
      const at = now()
      const signature = attemptSignature(delivery.body, keysAt(settings.keys, at), at)
      signed = { at, signature }
      return webhookHeaders(delivery, at, signature)
    }
    channel.current()?.post(sign, delivery.body, (exchange) => {
      Queue.offerUnsafe(inbox, { _tag: "AttemptEnded", delivery, exchange, beganAt, endedAt: now(), signed })
    })
  }

/** An answer, or the news that there is none. An actor that is interrupted gets neither. */
const orFailed = <E>(question: EndpointQuestion, answer: Effect.Effect<EndpointAnswer, E>) =>
  Effect.catchCause(answer, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.succeed<EndpointAnswer>({ _tag: "QuestionFailed", question, cause })
  )

const reporting = Effect.fnUntraced(function* (endpointId: EndpointId) {
  const meter = yield* currentMeter
  return (action: Extract<EndpointAction, { readonly _tag: "ReportTurnedOff" | "ReportBlocked" }>) => {
    if (action._tag === "ReportBlocked") {
      const message = "An endpoint's deliveries cannot go on; they are looked at again"
      return Effect.logWarning(message, { endpointId }, action.cause)
    }
    meter.count("journeys_endpoints_turned_off_total", {})
    return Effect.logWarning("An endpoint is turned off: nothing has reached it for three days", { endpointId })
  }
})
