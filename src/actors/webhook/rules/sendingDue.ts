/**
 * How an endpoint's actor sends what is due: as many attempts at once as the endpoint has earned, in the order of the
 * buffer, and reading on before the buffer is empty. Nothing is sent to an endpoint that is off.
 */
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { take, unrecordedIn } from "./DeliveryBuffer.ts"
import type { EndpointAction, EndpointQuestion, EndpointSettings } from "./EndpointMessage.ts"
import {
  forgetWaiting,
  isBufferOld,
  needsSettings,
  type EndpointDecision,
  type EndpointState
} from "./EndpointState.ts"

const { largestRead, mostInFlight, mostUnrecorded, readAheadFrom, readForEachInFlight } = webhookLimits

/** Sends what may be sent, and says what to ask for next. */
export const sendDue = (before: EndpointState, now: number): EndpointDecision => {
  if (before.isStopping) return { state: before, actions: [], question: null }
  const state = isBufferOld(before, now) ? forgetWaiting(before) : before
  const settings = settingsToSendBy(state)
  const isOpen = state.openUrl === settings?.endpoint.url
  // Attempts to the URL before this one end first.
  if (settings !== null && !isOpen && state.inFlight === 0) {
    return { state, actions: [], question: { _tag: "OpenChannel", url: settings.endpoint.url } }
  }
  const sent = settings !== null && isOpen ? sendFromBuffer(state, settings, now) : { state, actions: [] }
  return { ...sent, question: nextRead(sent.state, now) }
}

/** Null: no delivery waits, or none may be sent. */
const settingsToSendBy = ({ buffer, settings }: EndpointState): EndpointSettings | null =>
  settings?.endpoint.enabled === true && buffer.waiting > 0 ? settings : null

const sendFromBuffer = (
  before: EndpointState,
  settings: EndpointSettings,
  now: number
): Omit<EndpointDecision, "question"> => {
  const room = roomIn(before)
  const actions: Array<EndpointAction> = []
  let { buffer } = before
  while (actions.length < room) {
    const taken = take(buffer)
    buffer = taken.buffer
    if (taken.delivery === null) break
    actions.push({ _tag: "Send", delivery: taken.delivery, settings, at: now })
  }
  return { state: { ...before, buffer, inFlight: before.inFlight + actions.length }, actions }
}

/** How many more attempts may be in flight. */
const roomIn = ({ buffer, inFlight, window }: EndpointState): number =>
  Math.max(0, Math.min(window - inFlight, mostUnrecorded - unrecordedIn(buffer)))

/** At an endpoint that answers fast the actor reads on beside the exchanges, before the buffer is empty. */
const nextRead = (state: EndpointState, now: number): EndpointQuestion | null => {
  const { buffer, reading, window } = state
  const mayRead = roomIn(state) > 0 || (window >= readAheadFrom && unrecordedIn(buffer) < mostUnrecorded)
  if (!reading.isMoreDue || !mayRead || buffer.waiting >= window) return null
  return {
    _tag: "ReadDue",
    after: reading.place,
    limit: Math.min(largestRead, window * readForEachInFlight),
    withResend: reading.mayResend,
    withSettings: needsSettings(state, now)
  }
}

/** How many attempts may be in flight after an exchange. */
export const windowAfter = (window: number, result: "Delivered" | "Failed" | "OwnFailure"): number => {
  if (result === "OwnFailure") return window
  return result === "Delivered" ? Math.min(mostInFlight, window + 1) : Math.max(1, window >> 1)
}
