/**
 * The probes of a receiver check, and what an answer to each means: pure. A probe is an event with invented ids that no journey
 * told. What a probe proves is only what the receiver's answer shows: whether it handles a repeat once, nobody outside can see.
 */
import { Duration } from "effect"
import { failureClasses } from "../../../schema/failureClass.ts"
import type { ReceiverCheckLine, ReceiverProbe } from "../../../schema/webhook/ReceiverCheck.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { isDelivered } from "./classification.ts"
import type { Exchange } from "./Exchange.ts"
import type { SigningKey } from "./signature.ts"
import { attemptSignature, webhookHeaders } from "./webhookHeaders.ts"
import type { EventId } from "../../../schema/ids.ts"

const staleByMillis = Duration.toMillis(webhookLimits.checkStaleBy)

/** An event to be sent as it is. */
export interface ProbedEvent {
  readonly id: EventId
  readonly type: string
  readonly body: string
}

/** What the probes are made of. `unknown`: an event of a type that does not exist. `other`: a secret that the receiver does not know. */
export interface ProbeParts {
  readonly event: ProbedEvent
  readonly unknown: ProbedEvent
  readonly slow: ProbedEvent
  readonly present: SigningKey
  readonly other: SigningKey
}

interface Probe {
  readonly sent: string
  readonly accepts: boolean
  readonly should: string
  readonly event: (parts: ProbeParts) => ProbedEvent
  /** What is sent in place of the event's bytes, which are what is signed. */
  readonly body?: (body: string) => string
  readonly keys?: (parts: ProbeParts) => ReadonlyArray<SigningKey>
  readonly staleByMillis?: number
  readonly isSlow?: boolean
}

/** The last hexadecimal digit of the body is another one: it is JSON as before. */
const withOtherDigit = (body: string): string =>
  body.replace(/([0-9a-f])(?=[^0-9a-f]*$)/, (digit) => (digit === "0" ? "1" : "0"))

const probes: Readonly<Record<ReceiverProbe, Probe>> = {
  TRUE_EVENT: {
    sent: "an event, rightly signed",
    accepts: true,
    should: `answer 2xx within ${Duration.toSeconds(webhookLimits.exchangeTimeout)} seconds`,
    event: ({ event }) => event
  },
  REPEAT: {
    sent: "the same event once more, signed anew",
    accepts: true,
    should: "answer 2xx, and know by the id that it has handled the event",
    event: ({ event }) => event
  },
  OLD_TIMESTAMP: {
    sent: "the event, rightly signed an hour ago",
    accepts: false,
    should: "refuse with 4xx: somebody may have kept an old request and sends it again",
    event: ({ event }) => event,
    staleByMillis
  },
  CHANGED_BYTE: {
    sent: "the event with one byte changed after it was signed",
    accepts: false,
    should: "refuse with 4xx: the signature is over the exact bytes of the body",
    event: ({ event }) => event,
    body: withOtherDigit
  },
  ROLLED_SECRET: {
    sent: "the event as after a roll of the secret: signed with a new secret and with the one that the receiver knows",
    accepts: true,
    should: "answer 2xx: one v1 that fits is enough, whichever it is",
    event: ({ event }) => event,
    keys: ({ other, present }) => [other, present]
  },
  UNKNOWN_TYPE: {
    sent: "an event of a type that the receiver cannot know",
    accepts: true,
    should: "answer 2xx and leave it: types may be added",
    event: ({ unknown }) => unknown
  },
  SLOW_BODY: {
    sent: "an event whose body arrives slowly, in pieces",
    accepts: true,
    should: "wait for the whole body, check it, and answer 2xx",
    event: ({ slow }) => slow,
    isSlow: true
  }
}

export const probesInOrder = Object.keys(probes) as ReadonlyArray<ReceiverProbe>

/** One request of the check. */
export interface ProbeRequest {
  /** The headers of a request that leaves at `now`, in epoch milliseconds. */
  readonly headersAt: (now: number) => Readonly<Record<string, string>>
  readonly body: string
  readonly isSlow: boolean
}

export const probeRequest = (name: ReceiverProbe, parts: ProbeParts): ProbeRequest => {
  const { body = (text) => text, event, isSlow = false, keys, staleByMillis = 0 } = probes[name]
  const sent = event(parts)
  // It belongs to no journey, as a ping does.
  const about = { eventId: sent.id, type: sent.type, sequence: 0 }
  const headersAt = (now: number) => {
    const at = now - staleByMillis
    return webhookHeaders(about, at, attemptSignature(sent.body, keys?.(parts) ?? [parts.present], at))
  }
  return { headersAt, body: body(sent.body), isSlow }
}

const isRefused = (exchange: Exchange): boolean =>
  exchange._tag === "Answered" && exchange.status >= 400 && exchange.status < 500

const answeredAs = ({ accepts }: Probe, exchange: Exchange): string => {
  if (exchange._tag === "Failed") return failureClasses[exchange.error].meaning
  const { status } = exchange
  if (accepts || isRefused(exchange)) return `answered ${status}`
  if (isDelivered(exchange)) return `answered ${status}: it took what it must not believe`
  return `answered ${status}: that is no refusal, and looks like a receiver that is out of order`
}

/** What the receiver did with a probe. */
export const judged = (name: ReceiverProbe, exchange: Exchange, durationMillis: number): ReceiverCheckLine => {
  const probe = probes[name]
  return {
    probe: name,
    passed: probe.accepts ? isDelivered(exchange) : isRefused(exchange),
    sent: probe.sent,
    should: probe.should,
    did: answeredAs(probe, exchange),
    httpStatus: exchange._tag === "Answered" ? exchange.status : null,
    error: exchange._tag === "Answered" ? null : exchange.error,
    durationMillis
  }
}

/** A probe that was not sent; `why` is for people. */
export const unsent = (name: ReceiverProbe, why: string): ReceiverCheckLine => ({
  probe: name,
  passed: null,
  sent: probes[name].sent,
  should: probes[name].should,
  did: why,
  httpStatus: null,
  error: null,
  durationMillis: null
})
