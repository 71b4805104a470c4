/** The invariants that ask of every state of a history what would follow from it. Not a test itself. */
import { isDeepStrictEqual } from "node:util"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { nextAction } from "../../../../src/actors/journey/rules/state/waiting.ts"
import { record } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import { happyStep } from "../../../../src/actors/journey/rules/script.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { endingEvents, sent, statesOf, steps, wrongs, type Invariant } from "./history.ts"
import { play, type Entry, type History } from "./histories.ts"
import { countingIds, isSandboxOwn, possible, second } from "./startedJourneys.ts"

/** Nobody else can do anything now: the service checks a video, or has a check started (D2). */
const isServiceAtWork = ({ finance, handover, identity }: Journey): boolean =>
  handover?.status === "VIDEO_UPLOADED" ||
  (identity?.status === "BEING_STARTED" && finance?.status !== "SUBMITTED" && finance?.status !== "REFERRED")

export const waitsForSomething: Invariant = (history) =>
  statesOf(history).flatMap(({ journey }) =>
    wrongs([
      (nextAction(journey) === null) !== (journey.status !== "ACTIVE" || isServiceAtWork(journey)),
      `nextAction ${nextAction(journey)} at ${journey.status} ${journey.handover?.status}`
    ])
  )

/** A message under a new id may mean the same thing again: another attempt, another referral, the script's next step. */
const mayComeAgain = (message: JourneyMessage): boolean => {
  switch (message._tag) {
    case "IdentityFailed":
    case "ReplaceFace":
    case "Simulate":
    case "SandboxTick":
    // The delay before the next attempt begins anew.
    case "OwedFailed":
      return true
    case "FinanceDecision":
    case "PanelDecision":
      return message.decision === "REFERRED"
    case "TeamResendsCheck":
      return !message.check.possible
    default:
      return false
  }
}

export const handlesAnIdOnce: Invariant = (history) => {
  const once = play({
    ...history.sequence,
    letters: sent(history.entries).flatMap(({ letter, outcome }) => (outcome._tag === "Repeated" ? [] : [letter]))
  })
  return [
    ...wrongs(
      [!isDeepStrictEqual(once.journey, history.journey), "repeated letters changed the journey"],
      [!isDeepStrictEqual(once.events, history.events), "repeated letters changed the log"]
    ),
    ...steps(history).flatMap(({ after, letter }) =>
      wrongs([
        !mayComeAgain(letter.message) && decide(after, letter.message, letter.at)._tag === "Step",
        `${letter.message._tag} is a step twice`
      ])
    )
  ]
}

export const mostHappySteps = 7

/** How many steps of the happy script lead to the end, or null when it does not get to COMPLETED. */
export const happySteps = (journey: Journey, now: number): number | null => {
  let at = journey
  for (let taken = 0; taken <= mostHappySteps; taken++) {
    const next = happyStep(at)
    if (next === null) return at.status === "COMPLETED" ? taken : null
    for (const message of next.messages) {
      const outcome = decide(at, message, now)
      if (outcome._tag !== "Step") return null
      at = outcome.journey
    }
  }
  return null
}

export const canBeCancelledOrCompleted: Invariant = (history) =>
  statesOf(history).flatMap(({ journey, now }) => {
    if (journey.status !== "ACTIVE") return []
    const cancelled = decide(journey, { _tag: "Cancel" }, now)
    return wrongs(
      [cancelled._tag !== "Step" || cancelled.journey.status !== "CANCELLED", "Cancel does not work"],
      [happySteps(journey, now) === null, "the script does not reach COMPLETED within 7 steps"]
    )
  })

/** The entries that the entry at this place planned. */
const plannedBy = ({ entries }: Pick<History, "entries">, place: number): ReadonlyArray<Entry> => {
  const later = entries.slice(place + 1)
  const end = later.findIndex(({ isPlanned }) => !isPlanned)
  return end === -1 ? later : later.slice(0, end)
}

export const simulatesOrdinaryLives: Invariant = (history) =>
  history.entries.flatMap(({ after, events, letter: { message }, outcome }, place) => {
    if (message._tag !== "Simulate" || outcome._tag !== "Step") return []
    const planned = plannedBy(history, place)
    const told = planned.flatMap((entry) => entry.events.map(({ type }) => type))
    return wrongs(
      [events.length > 0, "a simulation told something itself"],
      [planned.some((entry) => isSandboxOwn(entry.letter.message)), "a simulation planned another"],
      [!told.some((type) => type === message.event), `${message.event} was not told`],
      [planned.length !== after.sandbox?.planned?.length, "the plan was not taken to its end"],
      [planned.at(-1)?.after.sandbox?.planned !== undefined, "something is still planned"]
    )
  })

/** The journey after messages at given times; what is not a step is left out. */
const after = (journey: Journey, ...letters: ReadonlyArray<readonly [JourneyMessage, number]>): Journey =>
  letters.reduce((at, [message, now]) => {
    const outcome = decide(at, message, now)
    return outcome._tag === "Step" ? record(outcome, now, countingIds()).journey : at
  }, journey)

/** A journey's statuses and debts, without the times at which they came about. */
const timeless = ({ finance, handover, identity, owed, status, window }: Journey) => ({
  status,
  finance: finance?.status,
  identity: [identity?.status, identity !== null && "attempts" in identity && identity.attempts],
  handover: handover && { ...handover, createdAt: 0 },
  owed,
  window: window && { kind: window.kind, isRunning: window.deadline !== null }
})

const withoutPlan = (journey: Journey): Journey => {
  if (journey.sandbox === null) return journey
  const { planned: _, ...sandbox } = journey.sandbox
  return { ...journey, sandbox }
}

export const gatesOpenInEitherOrder: Invariant = (history) =>
  statesOf(history).flatMap(({ journey: stored, now }) => {
    // A message that was not planned drops the plan: which of the two it is shows, and should.
    const journey = withoutPlan(stored)
    const approve: JourneyMessage =
      journey.shape === "FINANCE_SUBMIT_VIA_MIRA"
        ? { _tag: "PanelDecision", decision: "APPROVED", check: possible }
        : { _tag: "FinanceDecision", decision: "APPROVED" }
    const verify: JourneyMessage = { _tag: "IdentityVerified" }
    const create: JourneyMessage = { _tag: "HandoverCreated" }
    // Both gates must be closed and both keys must fit: each message is a step on its own.
    if ([approve, verify].some((message) => decide(journey, message, now)._tag !== "Step")) return []
    const later = now + second
    const orders = [now, later].map(
      (then) =>
        [
          after(journey, [approve, now], [verify, then], [create, later]),
          after(journey, [verify, now], [approve, then], [create, later])
        ] as const
    )
    const [atOnce, apart] = orders
    return wrongs(
      [!isDeepStrictEqual(atOnce?.[0], atOnce?.[1]), "the order of the gates shows"],
      [
        apart === undefined || !isDeepStrictEqual(timeless(apart[0]), timeless(apart[1])),
        "the order of the gates shows when time passes between them"
      ],
      [atOnce?.[0].handover === null, "the gates are open and no handover came"]
    )
  })

const rivals: ReadonlyArray<JourneyMessage> = [
  { _tag: "Cancel" },
  { _tag: "VideoMatched" },
  { _tag: "CustomerWindowPassed" }
]
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0]
].map((order) => order.flatMap((index) => rivals[index] ?? []))

export const endsOnceWhoeverIsFirst: Invariant = (history) =>
  statesOf(history).flatMap(({ journey, now }) =>
    journey.status !== "ACTIVE"
      ? []
      : orders.flatMap((order) => {
          let at = journey
          let endings = 0
          for (const message of order) {
            const outcome = decide(at, message, now)
            if (outcome._tag !== "Step") continue
            at = outcome.journey
            endings += outcome.events.filter(({ type }) => endingEvents.includes(type)).length
          }
          return wrongs([endings !== 1, `${endings} endings by ${order.map(({ _tag }) => _tag).join()}`])
        })
  )
