/**
 * The decision of an endpoint's actor: what it does about a message, as a pure function. A message about what happened only
 * changes the state. `Proceed` and every answer lead to the next sends and to at most one question. Tests that the owner waits
 * for come first, then what the ended attempts say about the endpoint, then what is due.
 *
 *   Proceed ──▶ tests ──▶ judge ──▶ write health ──▶ send ──▶ read on ──▶ (nothing left: wait)
 *      ▲                                                        │
 *      └──────────────────── answer ◀───── question ◀───────────┘
 *
 * `decideEndpoint` never throws: a message that does not fit the state changes nothing. How an answer is found, and how a delivery
 * is sent or recorded, is the actor's business.
 */
import { attemptOutcome, isEvidence, isOwnFailure, type EndedAttempt } from "./attemptOutcome.ts"
import { isDelivered } from "./classification.ts"
import { dropWaiting, endAttempt, isInFlight, put, releaseRecorded } from "./DeliveryBuffer.ts"
import type { EndpointAction, EndpointAnswer, EndpointMessage, ReadSettings } from "./EndpointMessage.ts"
import { forgetRead, forgetWaiting, type EndpointDecision, type EndpointState } from "./EndpointState.ts"
import { judgeAll } from "./healthChanges.ts"
import { sendDue, windowAfter } from "./sendingDue.ts"
import { refuseTest, startTests } from "./testAttempts.ts"
import type { EventId } from "../../../schema/ids.ts"

type Answered<Tag extends EndpointAnswer["_tag"]> = Extract<EndpointAnswer, { readonly _tag: Tag }>

export const decideEndpoint = (state: EndpointState, message: EndpointMessage, now: number): EndpointDecision => {
  switch (message._tag) {
    case "Woken": {
      const mayResend = state.reading.mayResend || message.resend
      return noted({ ...state, reading: { ...state.reading, isMoreDue: true, mayResend } })
    }
    case "SettingsChanged":
      return noted(forgetRead(state), { _tag: "Answer", ticket: message.ticket, isDone: true })
    case "TestWanted": {
      const { eventId, ticket } = message
      return noted({ ...state, wantedTests: [...state.wantedTests, { eventId, ticket, delivery: "Unread" }] })
    }
    case "AttemptEnded":
      return attemptEnded(state, message)
    case "AttemptsRecorded":
      return attemptsRecorded(state, message.eventIds)
    case "Stopping":
      return noted({ ...state, isStopping: true })
    case "Proceed":
      return proceed(state, now)
    case "SettingsRead":
      return settingsRead(state, message, now)
    case "DueRead":
      return dueRead(state, message, now)
    case "TestRead":
      return testRead(state, message, now)
    case "Parked":
      return proceed({ ...state, reading: { ...state.reading, isMoreDue: message.isMore } }, now)
    case "HealthWritten":
      return healthWritten(state, now)
    case "ChannelOpened":
      return proceed({ ...state, openUrl: message.url }, now)
    case "QuestionFailed":
      return questionFailed(state, message, now)
  }
}

const noted = (state: EndpointState, ...actions: ReadonlyArray<EndpointAction>): EndpointDecision => ({
  state,
  actions,
  question: null
})

// ── News ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const attemptEnded = (state: EndpointState, attempt: EndedAttempt): EndpointDecision => {
  const { delivery, exchange } = attempt
  if (!isInFlight(state.buffer, delivery)) return noted(state)
  const result = isDelivered(exchange) ? "Delivered" : isOwnFailure(exchange) ? "OwnFailure" : "Failed"
  const { health } = state
  return noted(
    {
      ...state,
      buffer: endAttempt(state.buffer, delivery),
      inFlight: state.inFlight - 1,
      window: windowAfter(state.window, result),
      health: isEvidence(attempt) ? { ...health, unjudged: [...health.unjudged, attempt] } : health
    },
    { _tag: "Record", outcome: attemptOutcome(state.endpointId, attempt), attempt }
  )
}

const attemptsRecorded = (state: EndpointState, eventIds: ReadonlyArray<EventId>): EndpointDecision => {
  const buffer = releaseRecorded(state.buffer, eventIds)
  const { startedTests } = state
  if (startedTests.length === 0) return noted({ ...state, buffer })
  const done = startedTests.filter(({ eventId }) => eventIds.includes(eventId))
  return noted(
    { ...state, buffer, startedTests: startedTests.filter((test) => !done.includes(test)) },
    ...done.map(({ ticket }): EndpointAction => ({ _tag: "Answer", ticket, isDone: true }))
  )
}

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const settingsRead = (state: EndpointState, { settings }: Answered<"SettingsRead">, now: number): EndpointDecision => {
  const learnt = withSettings(state, settings, now)
  // What an attempt said about an endpoint that is gone interests nobody.
  return proceed(settings === null ? { ...learnt, health: { ...learnt.health, unjudged: [] } } : learnt, now)
}

const dueRead = (before: EndpointState, message: Answered<"DueRead">, now: number): EndpointDecision => {
  const { due, limit, readAt, resend } = message
  if (before.settings === null && message.settings === "Unread") return proceed(before, now)
  const state = withSettings(before, message.settings, now)
  const mayResend = resend === "MoreNow"
  if (state.settings?.endpoint.enabled !== true) {
    // The owner decides what becomes of the deliveries that are pending at an endpoint that is off.
    const buffer = dropWaiting(state.buffer)
    const reading = { place: null, readAt, isMoreDue: true, mayResend }
    return { state: { ...state, buffer, reading }, actions: [], question: { _tag: "Park" } }
  }
  const last = due.length === limit ? due.at(-1) : undefined
  const isMoreDue = due.length === limit || mayResend
  const place = last === undefined || last.dueAt === null ? null : { dueAt: last.dueAt, eventId: last.eventId }
  return proceed({ ...state, buffer: put(state.buffer, due), reading: { place, readAt, isMoreDue, mayResend } }, now)
}

const testRead = (before: EndpointState, message: Answered<"TestRead">, now: number): EndpointDecision => {
  const state = withSettings(before, message.settings, now)
  const [first, ...others] = state.wantedTests
  if (first?.eventId !== message.eventId) return proceed(state, now)
  return proceed({ ...state, wantedTests: [{ ...first, delivery: message.delivery }, ...others] }, now)
}

const healthWritten = (state: EndpointState, now: number): EndpointDecision => {
  const [written, ...unwritten] = state.health.unwritten
  const after = { ...state, health: { ...state.health, unwritten } }
  if (written?.turnedOffAt === undefined || written.turnedOffAt === null) return proceed(after, now)
  return withActions([{ _tag: "ReportTurnedOff" }], proceed(forgetRead(after), now))
}

/** The next message about what happened leads to the same question again. Until then the actor only notes what happens. */
const questionFailed = (
  state: EndpointState,
  { cause, question }: Answered<"QuestionFailed">,
  now: number
): EndpointDecision => {
  const isOfTest = question._tag === "ReadTest" || (question._tag === "OpenChannel" && state.wantedTests.length > 0)
  if (isOfTest) {
    const refused = refuseTest(state)
    return withActions(refused.actions, proceed(refused.state, now))
  }
  return noted({ ...state, isBlocked: true }, ...(state.isBlocked ? [] : [{ _tag: "ReportBlocked" as const, cause }]))
}

const withSettings = (state: EndpointState, settings: ReadSettings, now: number): EndpointState => {
  if (settings === "Unread") return state
  const health = { ...state.health, written: settings?.endpoint.health ?? null }
  const learnt = { ...state, health, settings: settings === null ? null : { ...settings, readAt: now } }
  const isOff = settings?.endpoint.enabled !== true
  return isOff && learnt.buffer.waiting > 0 ? forgetWaiting(learnt) : learnt
}

// ── What comes next ─────────────────────────────────────────────────────────────────────────────────────────────────

const proceed = (state: EndpointState, now: number): EndpointDecision => {
  const tests = startTests(state, now)
  if (tests.question !== null) return tests
  const judged = judge(tests.state)
  if (judged.question !== null) return withActions(tests.actions, judged)
  const sent = sendDue(judged.state, now)
  const isOver = sent.question === null && sent.state.isBlocked
  return withActions(tests.actions, isOver ? { ...sent, state: { ...sent.state, isBlocked: false } } : sent)
}

const judge = (state: EndpointState): EndpointDecision => {
  const { settings } = state
  if (settings === null && state.health.unjudged.length > 0) {
    return { state, actions: [], question: { _tag: "ReadSettings" } }
  }
  const judged = settings === null ? null : judgeAll(state.health, settings.endpoint)
  const health = judged?.changes ?? state.health
  const [change] = health.unwritten
  return {
    state:
      settings === null || judged === null
        ? state
        : { ...state, health, settings: { ...settings, endpoint: judged.endpoint } },
    actions: [],
    question: change === undefined ? null : { _tag: "WriteHealth", change }
  }
}

const withActions = (before: ReadonlyArray<EndpointAction>, decision: EndpointDecision): EndpointDecision =>
  before.length === 0 ? decision : { ...decision, actions: [...before, ...decision.actions] }
