/**
 * The numbered invariants of the decisions document, those that show without a database: each is a function from a
 * history to what it finds wrong, so one history can be held against all of them or one of them against many.
 * Number 15 (crashes) needs a store. Not a test itself.
 */
import { isDeepStrictEqual } from "node:util"
import { decide } from "../../../src/actors/journey/decide.ts"
import type { Journey } from "../../../src/actors/journey/Journey.ts"
import { nextAction } from "../../../src/actors/journey/nextAction.ts"
import { record } from "../../../src/actors/journey/recordedEvent.ts"
import { happyStep } from "../../../src/actors/journey/sandboxScript.ts"
import type { Step } from "../../../src/actors/journey/step.ts"
import type { JourneyMessage } from "../../../src/schema/messages.ts"
import { countingIds, newMails, ordinaryMessages, possible, second } from "./startedJourneys.ts"
import { comparable, play, type Entry, type History } from "./sequences.ts"

/** What is wrong, in words; nothing when the invariant holds. */
export type Invariant = (history: History) => ReadonlyArray<string>

const endingEvents: ReadonlyArray<string> = ["journey.completed", "journey.cancelled", "journey.expired"]

const logOf = ({ events }: Pick<History, "events">): ReadonlyArray<string> => events.map(({ type }) => type)

const wrongIf = (isWrong: boolean, what: string): ReadonlyArray<string> => (isWrong ? [what] : [])

/** The states a history went through, the start's included, with the time of the last letter. */
export const statesOf = (history: History): ReadonlyArray<{ readonly journey: Journey; readonly now: number }> => [
  { journey: history.started.journey, now: history.sequence.startedAt },
  ...history.entries.flatMap(({ after, letter, outcome }) =>
    outcome._tag === "Step" ? [{ journey: after, now: letter.at }] : []
  )
]

const startsAndEndsOnce: Invariant = (history) => {
  const log = logOf(history)
  const endings = log.filter((type) => endingEvents.includes(type))
  return [
    ...wrongIf(log[0] !== "journey.created" || log.lastIndexOf("journey.created") !== 0, "created is not first, once"),
    ...wrongIf(endings.length > 1, `ended more than once: ${endings.join()}`),
    ...wrongIf(endings.length === 1 && log.at(-1) !== endings[0], `${log.at(-1)} follows the end`)
  ]
}

const endsWithItsEvent: Invariant = (history) => {
  let log = logOf(history.started)
  const isRight = (journey: Journey) => log.includes(`journey.${journey.status.toLowerCase()}`) === isEnded(journey)
  const isEnded = ({ status }: Journey) => status !== "ACTIVE"
  const wrongs = [...wrongIf(!isRight(history.started.journey), "the start's status and log disagree")]
  for (const { after, events, letter } of history.entries) {
    log = [...log, ...events.map(({ type }) => type)]
    const isOver = log.some((type) => endingEvents.includes(type))
    if (!isRight(after) || isOver !== isEnded(after)) wrongs.push(`${after.status} after ${letter.message._tag}`)
  }
  return wrongs
}

const financeEventsOnFinanceJourneys: Invariant = (history) => {
  const log = logOf(history)
  const { shape } = history.sequence.facts
  const isFinance = shape === "FINANCE_ALREADY_SUBMITTED" || shape === "FINANCE_SUBMIT_VIA_MIRA"
  const failed = log.indexOf("finance_enquiry.submission_failed")
  // The visible sign of the panel's acceptance is that the customer was asked.
  const accepted = log.findIndex((type) => type === "identity.requested" || type === "identity.unavailable")
  return [
    ...wrongIf(!isFinance && log.some((type) => type.startsWith("finance_enquiry.")), "finance events without finance"),
    ...wrongIf(failed >= 0 && shape !== "FINANCE_SUBMIT_VIA_MIRA", "submission failed without a submission"),
    ...wrongIf(failed >= 0 && accepted >= 0, "submission failed after the panel accepted")
  ]
}

const handoverAfterItsGates: Invariant = (history) => {
  const log = logOf(history)
  const { shape } = history.sequence.facts
  const firstOfDelivery = log.find((type) => type.startsWith("delivery."))
  const before = log.slice(0, Math.max(0, log.indexOf("delivery.created")))
  const isCreated = firstOfDelivery !== undefined
  const needsFinance = shape === "FINANCE_ALREADY_SUBMITTED" || shape === "FINANCE_SUBMIT_VIA_MIRA"
  const needsIdentity = needsFinance || shape === "IDENTITY_DELIVERY"
  return [
    ...wrongIf(isCreated && firstOfDelivery !== "delivery.created", `${firstOfDelivery} before delivery.created`),
    ...wrongIf(log.filter((type) => type === "delivery.created").length > 1, "two handovers"),
    ...wrongIf(isCreated && needsFinance && !before.includes("finance_enquiry.approved"), "handover without approval"),
    ...wrongIf(isCreated && needsIdentity && !before.includes("identity.verified"), "handover without identity"),
    ...statesOf(history).flatMap(({ journey }) =>
      wrongIf(
        needsIdentity &&
          journey.handover !== null &&
          (journey.identity?.status !== "VERIFIED" || (needsFinance && journey.finance?.status !== "APPROVED")),
        "a handover exists and a gate is closed"
      )
    )
  ]
}

const waitsForSomething: Invariant = (history) =>
  statesOf(history).flatMap(({ journey }) =>
    wrongIf(
      (nextAction(journey) === null) !== (journey.status !== "ACTIVE" || journey.handover?.status === "VIDEO_UPLOADED"),
      `nextAction ${nextAction(journey)} at ${journey.status} ${journey.handover?.status}`
    )
  )

const changesTell: Invariant = (history) =>
  history.entries.flatMap(({ after, before, events, letter, outcome }) =>
    outcome._tag === "Step"
      ? wrongIf(events.length === 0, `${letter.message._tag} is a step without an event`)
      : wrongIf(events.length > 0 || !isDeepStrictEqual(before, after), `${letter.message._tag} changed something unseen`)
  )

/** A message under a new id may mean the same thing again: another attempt, another referral, the script's next step. */
const mayComeAgain = (message: JourneyMessage): boolean => {
  switch (message._tag) {
    case "IdentityFailed":
    case "ReplaceFace":
    case "Simulate":
    case "SandboxTick":
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

const handlesAnIdOnce: Invariant = (history) => {
  const once = play({
    ...history.sequence,
    letters: history.entries.filter(({ outcome }) => outcome._tag !== "Repeated").map(({ letter }) => letter)
  })
  return [
    ...wrongIf(!isDeepStrictEqual(once.journey, history.journey), "repeated letters changed the journey"),
    ...wrongIf(!isDeepStrictEqual(once.events, history.events), "repeated letters changed the log"),
    ...steps(history).flatMap(({ after, letter }) =>
      wrongIf(
        !mayComeAgain(letter.message) && decide(after, letter.message, letter.at)._tag === "Step",
        `${letter.message._tag} is a step twice`
      )
    )
  ]
}

const steps = ({ entries }: History): ReadonlyArray<Entry> => entries.filter(({ outcome }) => outcome._tag === "Step")

const foldsToWhatIsStored: Invariant = (history) => {
  const journal = play({ ...history.sequence, letters: steps(history).map(({ letter }) => letter) })
  const { events, journey } = history
  return [
    ...wrongIf(!isDeepStrictEqual(journal.journey, journey), "the journal folds to another journey"),
    ...wrongIf(!isDeepStrictEqual(comparable(journal.events), comparable(events)), "the journal folds to another log"),
    ...wrongIf(
      events.some(({ sequence }, index) => sequence !== index + 1),
      `gaps: ${events.map(({ sequence }) => sequence).join()}`
    ),
    ...wrongIf(
      events.some(({ createdAt }, index) => createdAt <= (events[index - 1]?.createdAt ?? 0)),
      `times do not rise: ${events.map(({ createdAt }) => createdAt).join()}`
    ),
    ...wrongIf(journey.eventCount !== events.length, "the count of events is wrong"),
    ...wrongIf(journey.lastEventAt !== events.at(-1)?.createdAt, "the time of the last event is wrong")
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

const canBeCancelledOrCompleted: Invariant = (history) =>
  statesOf(history).flatMap(({ journey, now }) => {
    if (journey.status !== "ACTIVE") return []
    const cancelled = decide(journey, { _tag: "Cancel" }, now)
    return [
      ...wrongIf(cancelled._tag !== "Step" || cancelled.journey.status !== "CANCELLED", "Cancel does not work"),
      ...wrongIf(happySteps(journey, now) === null, "the script does not reach COMPLETED within 7 steps")
    ]
  })

/** Ordinary messages that together tell exactly these events and make exactly this journey, or null. */
export const ordinaryEquivalent = (from: Journey, to: Step, now: number): ReadonlyArray<JourneyMessage> | null => {
  const search = (at: Journey, left: Step["events"]): ReadonlyArray<JourneyMessage> | null => {
    if (left.length === 0) return isDeepStrictEqual(at, to.journey) ? [] : null
    for (const message of ordinaryMessages) {
      const outcome = decide(at, message, now)
      if (outcome._tag !== "Step" || !isDeepStrictEqual(outcome.events, left.slice(0, outcome.events.length))) continue
      const rest = search(outcome.journey, left.slice(outcome.events.length))
      if (rest !== null) return [message, ...rest]
    }
    return null
  }
  return search(from, to.events)
}

const simulatesOrdinaryLives: Invariant = (history) =>
  history.entries.flatMap(({ before, letter: { at, message }, outcome }) =>
    message._tag === "Simulate" && outcome._tag === "Step"
      ? [
          ...wrongIf(!outcome.events.some(({ type }) => type === message.event), `${message.event} was not told`),
          ...wrongIf(ordinaryEquivalent(before, outcome, at) === null, `${message.event} equals no ordinary messages`)
        ]
      : []
  )

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

const gatesOpenInEitherOrder: Invariant = (history) =>
  statesOf(history).flatMap(({ journey, now }) => {
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
    return [
      ...wrongIf(!isDeepStrictEqual(atOnce?.[0], atOnce?.[1]), "the order of the gates shows"),
      ...wrongIf(
        apart === undefined || !isDeepStrictEqual(timeless(apart[0]), timeless(apart[1])),
        "the order of the gates shows when time passes between them"
      ),
      ...wrongIf(atOnce?.[0].handover === null, "the gates are open and no handover came")
    ]
  })

/** The mails of an event: each event brings those of its step, and no mail comes without one. */
const mailsOf = (type: string, journey: Journey): number => {
  switch (type) {
    case "identity.requested":
    case "identity.unavailable":
    case "identity.failed":
    case "identity.under_review":
    case "delivery.awaiting_video":
    case "delivery.under_review":
    case "delivery.completed":
    case "finance_enquiry.approved":
    case "finance_enquiry.referred":
    case "finance_enquiry.declined":
    case "finance_enquiry.submission_failed":
      return 1
    case "delivery.created":
      return journey.handoverType === "HOME_DELIVERY" && journey.shape !== "CASH_SALE" ? 1 : 0
    case "identity.verified":
      return journey.handoverType === "HOME_DELIVERY" && journey.shape === "CASH_SALE" ? 1 : 0
    default:
      return 0
  }
}

/** The step a link mail is for, as the journey must stand when the mail is owed. */
const isAtStepOf = (mail: string, { handover, identity }: Journey): boolean => {
  switch (mail) {
    case "VERIFY_IDENTITY":
      return identity?.status === "REQUESTED"
    case "VERIFY_IDENTITY again":
      return identity?.status === "FAILED"
    case "CONFIRM_ADDRESS":
      return handover?.status === "AWAITING_LOCATION"
    case "RECORD_VIDEO":
    case "RECORD_VIDEO again":
      return handover?.status === "AWAITING_VIDEO"
    default:
      return true
  }
}

const mailsOncePerStep: Invariant = (history) => {
  const { events, journey } = history.started
  const first = { before: null, after: journey, events, message: null }
  const told = steps(history).map((entry) => ({ ...entry, message: entry.letter.message }))
  const serials = history.journey.owed.map(({ serial }) => serial)
  return [
    ...wrongIf(
      serials.some((serial, index) => serial <= (serials[index - 1] ?? 0)),
      `serials of debts do not rise: ${serials.join()}`
    ),
    ...[first, ...told].flatMap(({ after: now, before, events: together, message }) => {
      const mails = newMails(before, now)
      const welcome = before === null && history.sequence.facts.isNewCustomer ? 1 : 0
      const expected = together.reduce((sum, { type }) => sum + mailsOf(type, now), welcome)
      // A simulation passes through several steps in one decision; its mails are those of every step.
      const isOneStep = message?._tag !== "Simulate"
      return [
        ...wrongIf(mails.length !== expected, `${mails.join()} owed at ${together.map(({ type }) => type).join()}`),
        ...wrongIf(isOneStep && new Set(mails).size !== mails.length, `a mail twice: ${mails.join()}`),
        ...wrongIf(isOneStep && mails.some((mail) => !isAtStepOf(mail, now)), `a link for another step: ${mails.join()}`)
      ]
    })
  ]
}

const tellsNothingPersonal: Invariant = (history) => {
  const { companyId, financeDetails, inventoryVehicleId } = history.sequence.facts
  const unspoken = [
    companyId,
    inventoryVehicleId,
    financeDetails?.panelName,
    financeDetails?.panelReference,
    financeDetails?.lender
  ].filter((text) => typeof text === "string")
  return history.events.flatMap(({ body }) =>
    unspoken.filter((text) => body.includes(text)).map((text) => `${text} occurs in ${body}`)
  )
}

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

const endsOnceWhoeverIsFirst: Invariant = (history) =>
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
          return wrongIf(endings !== 1, `${endings} endings by ${order.map(({ _tag }) => _tag).join()}`)
        })
  )

/** The invariants by the numbers of the decisions document, with what they say. */
export const invariants: ReadonlyArray<{ readonly number: number; readonly says: string; readonly holds: Invariant }> = [
  { number: 1, says: "the log begins with journey.created and ends with at most one ending", holds: startsAndEndsOnce },
  { number: 2, says: "a journey is finished if and only if its ending was told", holds: endsWithItsEvent },
  { number: 3, says: "finance events belong to finance journeys", holds: financeEventsOnFinanceJourneys },
  { number: 4, says: "a handover is created first, and only behind open gates", holds: handoverAfterItsGates },
  { number: 5, says: "an active journey waits for something, or checks a video", holds: waitsForSomething },
  { number: 6, says: "what changes anything tells it, what is ignored changes nothing", holds: changesTell },
  { number: 7, says: "a message handled twice is handled once", holds: handlesAnIdOnce },
  { number: 8, says: "the journal folds to the stored journey, numbered and timed without fault", holds: foldsToWhatIsStored },
  { number: 9, says: "an active journey can be cancelled, and completed in 7 steps", holds: canBeCancelledOrCompleted },
  { number: 10, says: "a simulation tells its event and equals ordinary messages", holds: simulatesOrdinaryLives },
  { number: 11, says: "the two gates open in either order", holds: gatesOpenInEitherOrder },
  { number: 12, says: "a step brings its mail once, and links lead to the step the journey is at", holds: mailsOncePerStep },
  { number: 13, says: "no event tells what only a read may show", holds: tellsNothingPersonal },
  { number: 14, says: "whoever ends a journey first ends it once", holds: endsOnceWhoeverIsFirst }
]

/** Everything that is wrong with a history, each with the number of its invariant. */
export const checkInvariants = (history: History): ReadonlyArray<string> =>
  invariants.flatMap(({ holds, number }) => holds(history).map((what) => `invariant ${number}: ${what}`))
