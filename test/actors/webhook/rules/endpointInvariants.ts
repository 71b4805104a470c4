/**
 * The numbered invariants of an endpoint's decision: each is a function from a life to what it finds wrong in it. They look
 * at messages and decisions only, and never at how the state is built, except where the state is what they are about.
 */
import { isDeepStrictEqual } from "node:util"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { Duration } from "effect"
import { isEvidence, isOwnFailure, type EndedAttempt } from "../../../../src/actors/webhook/rules/attemptOutcome.ts"
import { isDelivered } from "../../../../src/actors/webhook/rules/classification.ts"
import { isFirstAttempt, type DueWebhookDelivery } from "../../../../src/actors/webhook/rules/DueWebhookDelivery.ts"
import type { EndpointAction, EndpointSettings } from "../../../../src/actors/webhook/rules/EndpointMessage.ts"
import type { Life } from "./endpointScript.ts"
import type { Entry } from "./endpointWorld.ts"

/** What is wrong, in words; nothing when the invariant holds. */
export type EndpointInvariant = (life: Life) => ReadonlyArray<string>
type Action<Tag extends EndpointAction["_tag"]> = Extract<EndpointAction, { readonly _tag: Tag }>

const actionsOf = <Tag extends EndpointAction["_tag"]>({ decision }: Entry, tag: Tag): ReadonlyArray<Action<Tag>> =>
  decision.actions.filter((action): action is Action<Tag> => action._tag === tag)

const isTestSend = ({ before, decision }: Entry, { eventId }: DueWebhookDelivery): boolean =>
  decision.state.startedTests.some((test) => test.eventId === eventId) &&
  !before.startedTests.some((test) => test.eventId === eventId)

/** 1 */
const neverTooManyInFlight: EndpointInvariant = ({ entries }) =>
  entries.flatMap((entry) => {
    const { inFlight, startedTests, window } = entry.decision.state
    const sent = actionsOf(entry, "Send").filter(({ delivery }) => !isTestSend(entry, delivery)).length
    return [
      ...(sent > 0 && inFlight > window ? [`${inFlight} in flight after a send, ${window} earned`] : []),
      ...(window < 1 || window > webhookLimits.mostInFlight ? [`${window} earned`] : []),
      ...(startedTests.length > webhookLimits.mostTestsInFlight ? [`${startedTests.length} tests`] : []),
      ...(inFlight < entry.world.inFlight.length
        ? [`${inFlight} counted, ${entry.world.inFlight.length} in flight`]
        : []),
      ...(inFlight > webhookLimits.mostInFlight + webhookLimits.mostTestsInFlight ? [`${inFlight} in flight`] : [])
    ]
  })

/** 2 */
const firstAttemptsInOrder: EndpointInvariant = ({ entries }) => {
  const inFlight = new Map<string, DueWebhookDelivery>()
  const sentOnce = new Set<string>()
  const wrong: Array<string> = []
  for (const entry of entries) {
    const { message } = entry
    if (message._tag === "AttemptEnded") inFlight.delete(message.delivery.eventId)
    for (const { delivery } of actionsOf(entry, "Send").filter((send) => isFirstAttempt(send.delivery))) {
      const { dueAt, eventId, journeyId } = delivery
      const beside = [...inFlight.values()].find((other) => other.journeyId === journeyId)
      if (beside !== undefined) wrong.push(`${eventId} starts beside ${beside.eventId}`)
      const earlier = [...entry.world.rows.values()].find(
        ({ delivery: other, status }) =>
          status === "PENDING" &&
          isFirstAttempt(other) &&
          other.journeyId === journeyId &&
          !sentOnce.has(other.eventId) &&
          (other.dueAt ?? Number.NaN) < (dueAt ?? 0)
      )
      if (earlier !== undefined) wrong.push(`${eventId} starts before ${earlier.delivery.eventId}`)
      inFlight.set(eventId, delivery)
      sentOnce.add(eventId)
    }
  }
  return wrong
}

/** 3 */
const neverInFlightTwice: EndpointInvariant = ({ entries }) => {
  const taken = new Set<string>()
  return entries.flatMap((entry) => {
    if (entry.message._tag === "AttemptsRecorded") entry.message.eventIds.forEach((eventId) => taken.delete(eventId))
    return actionsOf(entry, "Send").flatMap(({ delivery: { eventId } }) => {
      const isTwice = taken.has(eventId)
      taken.add(eventId)
      return isTwice ? [`${eventId} is sent while its attempt is not recorded`] : []
    })
  })
}

/** 4 */
const nothingToAnEndpointThatIsOff: EndpointInvariant = ({ end, entries, isStopped }) => {
  let known: EndpointSettings | null = null
  let isTurnedOff = false
  const wrong: Array<string> = []
  for (const entry of entries) {
    const { decision, message } = entry
    if (message._tag === "SettingsChanged") known = null
    if ("settings" in message && message.settings !== "Unread") {
      known = message.settings
      isTurnedOff = false
    }
    isTurnedOff ||= decision.state.health.unwritten.some(({ turnedOffAt }) => turnedOffAt !== null)
    for (const { delivery, settings } of actionsOf(entry, "Send")) {
      if (settings.endpoint.revision !== known?.endpoint.revision) wrong.push(`${delivery.eventId} by old settings`)
      if (isTestSend(entry, delivery)) continue
      if (isTurnedOff || known?.endpoint.enabled !== true) wrong.push(`${delivery.eventId} to an endpoint that is off`)
    }
  }
  const isOff = !end.endpoint.enabled || end.endpoint.removedAt !== null
  const pending = [...end.rows.values()].filter(({ status }) => status === "PENDING")
  if (isOff && !isStopped && pending.length > 0) wrong.push(`${pending.length} deliveries are not parked`)
  return wrong
}

const evidenceOf = ({ before, decision, message }: Entry): EndedAttempt | undefined =>
  message._tag === "AttemptEnded" && decision.state.inFlight < before.inFlight && isEvidence(message)
    ? message
    : undefined

/** 5 */
const successEndsFailing: EndpointInvariant = ({ end, entries, isStopped }) => {
  const evidence = entries.flatMap((entry) => evidenceOf(entry) ?? [])
  const last = evidence.at(-1)
  const isReached = last !== undefined && isDelivered(last.exchange) && end.endpoint.enabled && !isStopped
  const turnedOff = entries.flatMap(({ before, decision }) =>
    decision.state.health.unwritten.filter(
      (change) => change.turnedOffAt !== null && !before.health.unwritten.includes(change)
    )
  )
  const wrong = turnedOff.map(({ health: { failingSince }, turnedOffAt }) => {
    const since = failingSince ?? Number.NaN
    const until = turnedOffAt ?? Number.NaN
    const isEarly = !(until - since >= Duration.toMillis(webhookLimits.turnedOffAfter))
    const isAnswered = evidence.some(
      ({ endedAt, exchange }) => isDelivered(exchange) && endedAt > since && endedAt < until
    )
    return isEarly ? "turned off early" : isAnswered ? "turned off although something had reached the endpoint" : ""
  })
  const isStillFailing = isReached && end.endpoint.health.failingSince !== null
  return [...(isStillFailing ? ["failing after a success"] : []), ...wrong.filter((what) => what !== "")]
}

/** 6 */
const oneRecordForEachAttempt: EndpointInvariant = ({ entries }) => {
  const count = (tag: "Send" | "Record") =>
    entries
      .flatMap((entry) =>
        tag === "Send"
          ? actionsOf(entry, "Send").map(({ at, delivery }) => `${delivery.eventId} ${delivery.attempts} ${at}`)
          : actionsOf(entry, "Record").map(
              ({ outcome: { at, delivery } }) => `${delivery.eventId} ${delivery.attempts} ${at}`
            )
      )
      .toSorted()
  return isDeepStrictEqual(count("Send"), count("Record")) ? [] : ["attempts and records differ"]
}

/** 7 */
const nothingIsLost: EndpointInvariant = ({ end, entries, isStopped, tickets }) => {
  const isOn = end.endpoint.enabled && end.endpoint.removedAt === null
  const left = [...end.rows.values()].filter(
    ({ delivery: { dueAt }, status }) => status === "PENDING" && dueAt !== null && dueAt <= end.now - 1000
  )
  let isChanged = false
  const isForgotten = entries.some(({ before, decision, message }) => {
    if (message._tag === "SettingsChanged") isChanged = true
    if (message._tag !== "Proceed") return false
    const mustRead = isChanged && before.inFlight < before.window && !before.isStopping
    isChanged = false
    return mustRead && decision.question === null
  })
  const answers = entries.flatMap((entry) => actionsOf(entry, "Answer").map(({ ticket }) => ticket))
  return [
    ...(isOn && !isStopped && left.length > 0 ? [`${left.length} due deliveries are not sent`] : []),
    ...(isDeepStrictEqual(
      answers.toSorted((a, b) => a - b),
      tickets
    )
      ? []
      : [`answered ${answers.join()}`]),
    ...(isForgotten ? ["what was forgotten is not read again"] : []),
    ...(end.inFlight.length + end.unrecorded.length > 0 ? ["attempts are left"] : [])
  ]
}

/** 8 */
const testsAreAnsweredWhenRecorded: EndpointInvariant = ({ entries }) => {
  const wanted = new Map<number, string>()
  const recorded = new Set<string>()
  return entries.flatMap((entry) => {
    const { message } = entry
    if (message._tag === "TestWanted") wanted.set(message.ticket, message.eventId)
    if (message._tag === "AttemptsRecorded") message.eventIds.forEach((eventId) => recorded.add(eventId))
    return actionsOf(entry, "Answer").flatMap(({ isDone, ticket }) => {
      const eventId = wanted.get(ticket)
      return isDone && eventId !== undefined && !recorded.has(eventId) ? [`${eventId} is not in the log`] : []
    })
  })
}

/** 9 */
const opensChannelsWhenIdle: EndpointInvariant = ({ entries }) => {
  let openUrl: string | null = null
  return entries.flatMap((entry) => {
    const { message } = entry
    if (message._tag === "ChannelOpened") openUrl = message.url
    const { question, state } = entry.decision
    return [
      ...(question?._tag === "OpenChannel" && state.inFlight > 0
        ? ["a channel is opened beside attempts to another"]
        : []),
      ...actionsOf(entry, "Send").flatMap(({ settings: { endpoint } }) =>
        endpoint.url === openUrl ? [] : [`sent to ${String(openUrl)} instead of ${endpoint.url}`]
      )
    ]
  })
}

/** 10 */
const comesToRest: EndpointInvariant = ({ isEndless }) => (isEndless ? ["a turn asks without end"] : [])

/** 11 */
const decidesTheSameAgain: EndpointInvariant = ({ by, entries }) =>
  entries.flatMap(({ before, decision, message, now }) =>
    isDeepStrictEqual(by(before, message, now), decision) ? [] : [`another decision about ${message._tag}`]
  )

/** 13 */
const beginsNothingWhileStopping: EndpointInvariant = ({ entries }) =>
  entries.flatMap((entry) =>
    entry.before.isStopping ? actionsOf(entry, "Send").map(({ delivery }) => `${delivery.eventId} is sent`) : []
  )

/** 14 */
const ownFailuresCostNothing: EndpointInvariant = ({ entries }) =>
  entries.flatMap(({ before, decision, message }) =>
    message._tag === "AttemptEnded" && isOwnFailure(message.exchange) && decision.state.window !== before.window
      ? [`${before.window} earned, and ${decision.state.window} after a failure of the service itself`]
      : []
  )

export const endpointInvariants: ReadonlyArray<{
  readonly number: number
  readonly says: string
  readonly holds: EndpointInvariant
}> = [
  {
    number: 1,
    says: "no more attempts are in flight than the endpoint has earned, and the owner's tests",
    holds: neverTooManyInFlight
  },
  { number: 2, says: "the first attempts of one journey start in order, one at a time", holds: firstAttemptsInOrder },
  { number: 3, says: "a delivery is not sent again before its attempt is recorded", holds: neverInFlightTwice },
  {
    number: 4,
    says: "nothing is sent by old settings or to an endpoint that is off, and what was pending there is parked",
    holds: nothingToAnEndpointThatIsOff
  },
  {
    number: 5,
    says: "a 2xx ends the failing, and only 72 hours of failing turn an endpoint off",
    holds: successEndsFailing
  },
  { number: 6, says: "every attempt leads to exactly one record", holds: oneRecordForEachAttempt },
  {
    number: 7,
    says: "no delivery, attempt or waiting caller is lost, whatever is read again",
    holds: nothingIsLost
  },
  { number: 8, says: "a test is answered as done only when it is recorded", holds: testsAreAnsweredWhenRecorded },
  {
    number: 9,
    says: "a channel to another URL is opened only when nothing is in flight, and every send goes to the open channel",
    holds: opensChannelsWhenIdle
  },
  { number: 10, says: "every turn comes to rest", holds: comesToRest },
  { number: 11, says: "the same state and message lead to the same decision", holds: decidesTheSameAgain },
  { number: 13, says: "an actor that stops begins no attempt", holds: beginsNothingWhileStopping },
  {
    number: 14,
    says: "a failure of the service itself takes nothing from what the endpoint has earned",
    holds: ownFailuresCostNothing
  }
]
