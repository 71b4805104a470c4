/**
 * A world for the decision of an endpoint's actor: the endpoint's rows in the database, a receiver, and an interpreter that
 * works as the actor does. Everything happens in memory. What happens in a life is in `endpointScript.ts`, and what must
 * hold in every life is in `endpointInvariants.ts`. Not a test itself.
 */
import type { EndedAttempt, WebhookAttemptOutcome } from "../../../../src/actors/webhook/rules/attemptOutcome.ts"
import { failed } from "../../../../src/actors/webhook/rules/classification.ts"
import { decideEndpoint } from "../../../../src/actors/webhook/rules/decideEndpoint.ts"
import type { DueWebhookDelivery } from "../../../../src/actors/webhook/rules/DueWebhookDelivery.ts"
import type { Endpoint } from "../../../../src/actors/webhook/rules/Endpoint.ts"
import { healthy } from "../../../../src/actors/webhook/rules/EndpointHealth.ts"
import type {
  EndpointAnswer,
  EndpointMessage,
  EndpointNews,
  EndpointQuestion,
  EndpointSettings,
  ResendProgress
} from "../../../../src/actors/webhook/rules/EndpointMessage.ts"
import {
  newEndpointState,
  type EndpointDecision,
  type EndpointState
} from "../../../../src/actors/webhook/rules/EndpointState.ts"
import { signingKey } from "../../../../src/actors/webhook/rules/signature.ts"
import { CompanyId, EndpointId, EventId, JourneyId } from "../../../../src/schema/ids.ts"

export const began = 1_800_000_000_000

interface Row {
  readonly delivery: DueWebhookDelivery
  readonly status: "PENDING" | "DELIVERED" | "GIVEN_UP" | "PARKED"
}

/** One decision: what was known before, what came, and what followed. */
export interface Entry {
  readonly before: EndpointState
  readonly message: EndpointMessage
  readonly now: number
  readonly decision: EndpointDecision
  /** The world when the decision was made. */
  readonly world: Snapshot
}

/** What the world knows without asking the actor. */
export interface Snapshot {
  readonly inFlight: ReadonlyArray<DueWebhookDelivery>
  readonly unrecorded: ReadonlyArray<WebhookAttemptOutcome>
  readonly rows: ReadonlyMap<string, Row>
  readonly endpoint: Endpoint
}

const keys = { present: signingKey("whsec_test"), previous: [] }
const endpointId = "019bc0a1-7c00-7004-8000-00000000000e"
export const urlOf = (number: number) => `https://${number}.example/hook`

const firstEndpoint: Endpoint = {
  id: EndpointId.make(endpointId),
  companyId: CompanyId.make("019bc0a1-7c00-7004-8000-00000000000c"),
  livemode: false,
  url: urlOf(0),
  events: ["*"],
  enabled: true,
  offReason: null,
  offSince: null,
  sealedSecret: new Uint8Array(),
  previousSecrets: [],
  revision: 1,
  health: healthy,
  createdAt: began,
  removedAt: null
}

/** How an exchange with the receiver ends. */
export type Result = "Delivered" | "Failed" | "OwnFailure"

const exchangeOf = (result: Result) => {
  if (result === "OwnFailure") return failed("SERVICE_FAILURE")
  return { _tag: "Answered", status: result === "Delivered" ? 200 : 500, answer: "" } as const
}

/** Questions of one turn; more would mean that the actor never comes to rest. */
const mostQuestions = 2000
const parkedAtOnce = 5
const resentAtOnce = 3

export class World {
  now = began
  rows = new Map<string, Row>()
  endpoint = firstEndpoint
  inFlight: Array<{ readonly delivery: DueWebhookDelivery; readonly at: number }> = []
  unrecorded: Array<WebhookAttemptOutcome> = []
  inbox: Array<EndpointNews> = []
  lastEnded: EndedAttempt | undefined
  toResend: Array<string> = []
  isAway = false
  isStopped = false
  isEndless = false
  state = newEndpointState(EndpointId.make(endpointId))
  readonly entries: Array<Entry> = []
  readonly tickets: Array<number> = []
  readonly #sequences = new Map<number, number>()
  #events = 0
  readonly #by: typeof decideEndpoint

  /** `by`: the rules, or others that a fault was planted in. */
  constructor(by = decideEndpoint) {
    this.#by = by
  }

  snapshot(): Snapshot {
    return {
      inFlight: this.inFlight.map(({ delivery }) => delivery),
      unrecorded: [...this.unrecorded],
      rows: new Map(this.rows),
      endpoint: this.endpoint
    }
  }

  happen(journey: number, trigger: "SCHEDULE" | "TEST"): string {
    this.#events += 1
    const eventId = `e${String(this.#events).padStart(5, "0")}`
    const isTest = trigger === "TEST"
    const sequence = isTest ? 0 : (this.#sequences.get(journey) ?? 0) + 1
    if (!isTest) this.#sequences.set(journey, sequence)
    const isOff = !this.endpoint.enabled || this.endpoint.removedAt !== null
    const dueAt = isOff ? null : isTest ? this.now + 60_000 : this.now
    const delivery: DueWebhookDelivery = {
      eventId: EventId.make(eventId),
      dueAt,
      type: isTest ? "ping" : "journey.created",
      body: "{}",
      createdAt: this.now,
      traceparent: null,
      journeyId: JourneyId.make(isTest ? eventId : `j${journey}`),
      sequence,
      attempts: 0,
      tries: 0,
      trigger
    }
    this.rows.set(eventId, { delivery, status: isOff ? "PARKED" : "PENDING" })
    return eventId
  }

  ticket(): number {
    this.tickets.push(this.tickets.length + 1)
    return this.tickets.length
  }

  end(index: number, result: Result): void {
    const [sent] = this.inFlight.splice(index, 1)
    if (sent === undefined) return
    const { at, delivery } = sent
    const signed = { at, signature: "" }
    this.lastEnded = { delivery, exchange: exchangeOf(result), beganAt: at, endedAt: this.now, signed }
    this.inbox.push({ _tag: "AttemptEnded", ...this.lastEnded })
  }

  record(count: number): void {
    const outcomes = this.unrecorded.splice(0, count)
    if (outcomes.length === 0) return
    for (const { delivered, delivery, dueAt, tries } of outcomes) {
      const row = this.rows.get(delivery.eventId)
      if (row === undefined || row.delivery.attempts !== delivery.attempts) continue
      const attempts = row.delivery.attempts + 1
      const status = delivered ? "DELIVERED" : dueAt === null ? "GIVEN_UP" : "PENDING"
      this.rows.set(delivery.eventId, { delivery: { ...row.delivery, attempts, tries, dueAt }, status })
    }
    this.inbox.push({ _tag: "AttemptsRecorded", eventIds: outcomes.map(({ delivery }) => delivery.eventId) })
  }

  save(change: Partial<Endpoint>): void {
    this.endpoint = { ...this.endpoint, ...change, revision: this.endpoint.revision + 1 }
  }

  /** The actor works off its inbox, as `endpointTurns.ts` does. */
  turn(): void {
    if (this.isStopped) return
    for (const news of this.inbox.splice(0)) this.decideOn(news)
    let message: EndpointMessage | null = { _tag: "Proceed" }
    for (let asked = 0; message !== null; asked += 1) {
      const { question }: EndpointDecision = this.decideOn(message)
      message = question === null ? null : this.answer(question)
      if (asked < mostQuestions) continue
      this.isEndless = true
      return
    }
    this.isStopped = this.state.isStopping && this.inFlight.length === 0 && this.unrecorded.length === 0
  }

  decideOn(message: EndpointMessage): EndpointDecision {
    const before = frozen(this.state)
    const decision = this.#by(before, message, this.now)
    this.entries.push({ before, message, now: this.now, decision, world: this.snapshot() })
    this.state = decision.state
    for (const action of decision.actions) {
      if (action._tag === "Send") this.inFlight.push({ delivery: action.delivery, at: action.at })
      if (action._tag === "Record") this.unrecorded.push(action.outcome)
    }
    return decision
  }

  answer(question: EndpointQuestion): EndpointAnswer {
    this.now += 1
    if (this.isAway && question._tag !== "OpenChannel") return { _tag: "QuestionFailed", question, cause: "away" }
    switch (question._tag) {
      case "ReadSettings":
        return { _tag: "SettingsRead", settings: this.settings() }
      case "ReadDue": {
        const resend = question.withResend ? this.resendMore() : "None"
        const settings = question.withSettings ? this.settings() : "Unread"
        return { _tag: "DueRead", due: this.due(question), limit: question.limit, readAt: this.now, resend, settings }
      }
      case "ReadTest": {
        const settings = question.withSettings ? this.settings() : "Unread"
        const delivery = this.rows.get(question.eventId)?.delivery ?? null
        return { _tag: "TestRead", eventId: question.eventId, delivery, settings }
      }
      case "Park":
        return { _tag: "Parked", isMore: this.park() }
      case "WriteHealth": {
        const { endpoint, health, turnedOffAt } = question.change
        if (endpoint.revision === this.endpoint.revision && this.endpoint.removedAt === null) {
          const isOff = turnedOffAt !== null && this.endpoint.enabled
          this.endpoint = { ...this.endpoint, health, enabled: this.endpoint.enabled && turnedOffAt === null }
          if (isOff) this.endpoint = { ...this.endpoint, offReason: "UNREACHABLE", offSince: turnedOffAt }
        }
        return { _tag: "HealthWritten" }
      }
      case "OpenChannel":
        return { _tag: "ChannelOpened", url: question.url }
    }
  }

  settings(): EndpointSettings | null {
    return this.endpoint.removedAt === null ? { endpoint: this.endpoint, keys } : null
  }

  due({ after, limit }: Extract<EndpointQuestion, { readonly _tag: "ReadDue" }>): ReadonlyArray<DueWebhookDelivery> {
    const isBehind = (dueAt: number, eventId: string) =>
      after === null || dueAt > after.dueAt || (dueAt === after.dueAt && eventId > after.eventId)
    return [...this.rows.values()]
      .filter(({ status }) => status === "PENDING")
      .map(({ delivery }) => delivery)
      .filter(({ dueAt, eventId }) => dueAt !== null && dueAt <= this.now && isBehind(dueAt, eventId))
      .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.eventId < b.eventId ? -1 : 1))
      .slice(0, limit)
  }

  park(): boolean {
    if (this.endpoint.enabled && this.endpoint.removedAt === null) return false
    const pending = [...this.rows.values()].filter(({ status }) => status === "PENDING").slice(0, parkedAtOnce)
    for (const { delivery } of pending) {
      this.rows.set(delivery.eventId, { delivery: { ...delivery, dueAt: null }, status: "PARKED" })
    }
    return pending.length > 0
  }

  resendMore(): ResendProgress {
    for (const eventId of this.toResend.splice(0, resentAtOnce)) {
      const row = this.rows.get(eventId)
      if (row?.status !== "PARKED" || !this.endpoint.enabled) continue
      this.rows.set(eventId, { delivery: { ...row.delivery, dueAt: this.now, tries: 0 }, status: "PENDING" })
    }
    return this.toResend.length > 0 ? "MoreNow" : "None"
  }
}

/** The parts of a state that are plain values cannot be changed any more. */
const frozen = (state: EndpointState): EndpointState => {
  for (const part of [state, state.health, state.buffer, state.buffer.queue, state.buffer.unblocked, state.reading]) {
    Object.freeze(part)
  }
  Object.freeze(state.wantedTests)
  Object.freeze(state.startedTests)
  return state
}
