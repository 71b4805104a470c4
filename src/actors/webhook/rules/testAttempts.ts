/**
 * Test attempts: a ping or a sample that the endpoint's owner waits for. A test goes past the queue, and also to an endpoint
 * that is off (W4). A test that cannot be made at once is refused; its delivery stays due as it was.
 */
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { holds, takeDirectly } from "./DeliveryBuffer.ts"
import type { EndpointAction, EndpointQuestion, Ticket } from "./EndpointMessage.ts"
import { needsSettings, type EndpointDecision, type EndpointState, type WantedTest } from "./EndpointState.ts"

/** Takes up the wanted tests one after the other, until one of them needs an answer first. */
export const startTests = (before: EndpointState, now: number): EndpointDecision => {
  const actions: Array<EndpointAction> = []
  let state = before
  for (let next = state.wantedTests[0]; next !== undefined; next = state.wantedTests[0]) {
    const taken = startTest(state, next, now)
    if ("question" in taken) return { state, actions, question: taken.question }
    state = taken.state
    actions.push(taken.action)
  }
  return { state, actions, question: null }
}

/** The first wanted test is refused. */
export const refuseTest = (state: EndpointState): EndpointDecision => {
  const [refused, ...others] = state.wantedTests
  if (refused === undefined) return { state, actions: [], question: null }
  return { state: { ...state, wantedTests: others }, actions: [refusal(refused.ticket)], question: null }
}

const refusal = (ticket: Ticket): EndpointAction => ({ _tag: "Answer", ticket, isDone: false })

type Started =
  | { readonly question: EndpointQuestion }
  | { readonly state: EndpointState; readonly action: EndpointAction }

const startTest = (state: EndpointState, { delivery, eventId, ticket }: WantedTest, now: number): Started => {
  const { buffer, inFlight, openUrl, settings, startedTests } = state
  const others = { ...state, wantedTests: state.wantedTests.slice(1) }
  const refused = { state: others, action: refusal(ticket) }
  if (state.isStopping || startedTests.length >= webhookLimits.mostTestsInFlight || holds(buffer, eventId)) {
    return refused
  }
  if (delivery === "Unread") {
    return { question: { _tag: "ReadTest", eventId, withSettings: needsSettings(state, now) } }
  }
  if (delivery === null || settings === null) return refused
  const { url } = settings.endpoint
  if (openUrl !== url) {
    // Attempts to the URL before this one end first.
    return inFlight > 0 ? refused : { question: { _tag: "OpenChannel", url } }
  }
  const withTest = takeDirectly(buffer, delivery)
  if (withTest === null) return refused
  return {
    state: {
      ...others,
      buffer: withTest,
      inFlight: inFlight + 1,
      startedTests: [...startedTests, { eventId, ticket }]
    },
    action: { _tag: "Send", delivery, settings, at: now }
  }
}
