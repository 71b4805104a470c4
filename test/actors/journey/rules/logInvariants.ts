/** The invariants that are read off a history as it is: its log, its journal, its mails. Not a test itself. */
import { isDeepStrictEqual } from "node:util"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { endingEvents, logOf, statesOf, steps, wrongs, type Invariant } from "./history.ts"
import { isCustomerStep } from "../../../../src/schema/journey/steps.ts"
import { comparable, folded, type History, type Letter } from "./histories.ts"
import { isAboutConsent, isBookkeeping, isSandboxOwn, mailsAmong } from "./startedJourneys.ts"

export const startsAndEndsOnce: Invariant = (history) => {
  const log = logOf(history)
  const endings = log.filter((type) => endingEvents.includes(type))
  return wrongs(
    [log[0] !== "journey.created" || log.lastIndexOf("journey.created") !== 0, "created is not first, once"],
    [endings.length > 1, `ended more than once: ${endings.join()}`],
    [endings.length === 1 && log.at(-1) !== endings[0], `${log.at(-1)} follows the end`]
  )
}

const isEnded = ({ status }: Journey): boolean => status !== "ACTIVE"

/** Whether a journey's ending, and no other, was told exactly when its status says so. */
const agrees = (journey: Journey, told: ReadonlyArray<string>): boolean =>
  isEnded(journey)
    ? told.includes(`journey.${journey.status.toLowerCase()}`)
    : !told.some((type) => endingEvents.includes(type))

export const endsWithItsEvent: Invariant = (history) => {
  const told = [...logOf(history.started)]
  const findings = [...wrongs([!agrees(history.started.journey, told), "the start's status and log disagree"])]
  for (const entry of history.entries) {
    told.push(...logOf(entry))
    findings.push(...wrongs([!agrees(entry.after, told), `${entry.after.status} after ${entry.letter.message._tag}`]))
  }
  return findings
}

export const financeEventsOnFinanceJourneys: Invariant = (history) => {
  const log = logOf(history)
  const { shape } = history.sequence.facts
  const isFinance = shape === "FINANCE_ALREADY_SUBMITTED" || shape === "FINANCE_SUBMIT_VIA_MIRA"
  const failed = log.indexOf("finance_enquiry.submission_failed")
  // The visible sign of the panel's acceptance is that the customer was asked.
  const accepted = log.findIndex((type) => type === "identity.requested" || type === "identity.unavailable")
  return wrongs(
    [!isFinance && log.some((type) => type.startsWith("finance_enquiry.")), "finance events without finance"],
    [failed >= 0 && shape !== "FINANCE_SUBMIT_VIA_MIRA", "submission failed without a submission"],
    [failed >= 0 && accepted >= 0, "submission failed after the panel accepted"]
  )
}

export const handoverAfterItsGates: Invariant = (history) => {
  const log = logOf(history)
  const { shape } = history.sequence.facts
  const firstOfDelivery = log.find((type) => type.startsWith("delivery."))
  const before = new Set(log.slice(0, Math.max(0, log.indexOf("delivery.created"))))
  const isCreated = firstOfDelivery !== undefined
  const needsFinance = shape === "FINANCE_ALREADY_SUBMITTED" || shape === "FINANCE_SUBMIT_VIA_MIRA"
  const needsIdentity = needsFinance || shape === "IDENTITY_DELIVERY"
  return [
    ...wrongs(
      [isCreated && firstOfDelivery !== "delivery.created", `${firstOfDelivery} before delivery.created`],
      [log.filter((type) => type === "delivery.created").length > 1, "two handovers"],
      [isCreated && needsFinance && !before.has("finance_enquiry.approved"), "handover without approval"],
      [isCreated && needsIdentity && !before.has("identity.verified"), "handover without identity"]
    ),
    ...statesOf(history).flatMap(({ journey }) =>
      wrongs([
        needsIdentity &&
          journey.handover !== null &&
          (journey.identity?.status !== "VERIFIED" || (needsFinance && journey.finance?.status !== "APPROVED")),
        "a handover exists and a gate is closed"
      ])
    )
  ]
}

/** That a check is being started, and that its page has come after a callback, is told to nobody (D2). */
const isQuietly = (after: Journey, before: Journey): boolean =>
  (after.identity?.status === "BEING_STARTED" && before.identity?.status !== "BEING_STARTED") ||
  isDeepStrictEqual({ ...before, owed: [] }, { ...after, owed: [] })

export const changesTell: Invariant = (history) =>
  history.entries.flatMap(({ after, before, events, letter, outcome }) =>
    outcome._tag === "Step"
      ? wrongs([
          events.length === 0 &&
            !isBookkeeping(letter.message) &&
            !isSandboxOwn(letter.message) &&
            !isAboutConsent(letter.message) &&
            !isQuietly(after, before),
          `${letter.message._tag} is a step without an event`
        ])
      : wrongs([
          events.length > 0 || !isDeepStrictEqual(before, after),
          `${letter.message._tag} changed something unseen`
        ])
  )

/** One line for each decision, under ids of their own. */
const journalOf = (history: History): ReadonlyArray<Letter> =>
  steps(history).map(({ isPlanned, letter: { at, message, messageId } }, line) => ({
    at,
    message,
    messageId: isPlanned ? `planned-${line}` : messageId
  }))

export const foldsToWhatIsStored: Invariant = (history) => {
  const journal = folded({ ...history.sequence, letters: journalOf(history) })
  const { events, journey } = history
  return wrongs(
    [!isDeepStrictEqual(journal.journey, journey), "the journal folds to another journey"],
    [!isDeepStrictEqual(comparable(journal.events), comparable(events)), "the journal folds to another log"],
    [
      events.some(({ sequence }, index) => sequence !== index + 1),
      `gaps: ${events.map(({ sequence }) => sequence).join()}`
    ],
    [
      events.some(({ createdAt }, index) => createdAt <= (events[index - 1]?.createdAt ?? 0)),
      `times do not rise: ${events.map(({ createdAt }) => createdAt).join()}`
    ],
    [journey.eventCount !== events.length, "the count of events is wrong"],
    [journey.lastEventAt !== events.at(-1)?.createdAt, "the time of the last event is wrong"]
  )
}

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
      return !mail.includes(" reminder ") || isAwaited({ handover, identity })
  }
}

/** Whether some step is the customer's. */
const isAwaited = ({ handover, identity }: Pick<Journey, "handover" | "identity">): boolean =>
  handover === null || handover.status === "AWAITING_IDENTITY"
    ? identity?.status === "REQUESTED" || identity?.status === "FAILED"
    : handover.status === "AWAITING_LOCATION" || handover.status === "AWAITING_VIDEO"

/** An ask has each reminder at most once, and the step that it reminds of is the one that was asked for last. */
export const remindsAtMostThreeTimesAnAsk: Invariant = (history) => {
  let asked: string | null = null
  let reminded: Array<string> = []
  const all = [history.started.mails, ...steps(history).map(({ mails }) => mails)].flat()
  return all.flatMap(({ mail, reminder }) => {
    if (!isCustomerStep(mail)) return []
    if (reminder === undefined) {
      asked = mail
      reminded = []
      return []
    }
    reminded.push(reminder)
    return wrongs(
      [mail !== asked, `a reminder of ${mail} after the ask for ${asked}`],
      [new Set(reminded).size !== reminded.length, `one reminder twice: ${reminded.join()}`]
    )
  })
}

export const mailsOncePerStep: Invariant = (history) => {
  const { events, journey } = history.started
  const first = { before: null, after: journey, events, owed: history.started.mails, message: null }
  const told = steps(history).map(({ after, before, events, letter, mails }) => ({
    before,
    after,
    events,
    owed: mails,
    message: letter.message
  }))
  const serials = history.journey.owed.map(({ serial }) => serial)
  return [
    ...wrongs([
      serials.some((serial, index) => serial <= (serials[index - 1] ?? 0)),
      `serials of debts do not rise: ${serials.join()}`
    ]),
    ...[first, ...told].flatMap(({ after: now, before, events: together, message, owed }) => {
      const mails = mailsAmong(owed)
      const isUncaused =
        message?._tag === "CustomerReminded" || (before === null && history.sequence.facts.isNewCustomer)
      const uncaused = isUncaused ? 1 : 0
      // Asked by a result that came before the provider's answer: the result brings the mail.
      const isUnmailed = before?.identity?.status === "BEING_STARTED" && message?._tag !== "IdentityCheckStarted"
      const expected = together.reduce(
        (sum, { type }) => sum + (isUnmailed && type === "identity.requested" ? 0 : mailsOf(type, now)),
        uncaused
      )
      return wrongs(
        [mails.length !== expected, `${mails.join()} owed at ${together.map(({ type }) => type).join()}`],
        [new Set(mails).size !== mails.length, `a mail twice: ${mails.join()}`],
        [mails.some((mail) => !isAtStepOf(mail, now)), `a link for another step: ${mails.join()}`]
      )
    })
  ]
}

export const tellsNothingPersonal: Invariant = (history) => {
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
