/**
 * Runs the transition table: carries out what the row that fits a message says, and the rows that this one raises. Pure for
 * its callers, because a run works on a copy of the journey. Timers, the sandbox and the book-keeping of pending effects
 * are not its business.
 */
import type { EventType } from "../../../schema/journey/events.ts"
import type { JourneyMailKind } from "../../../schema/mail/mailKinds.ts"
import { assuranceOf } from "./state/assurance.ts"
import { consentsAfter } from "./state/consent.ts"
import type { Cause } from "./state/cause.ts"
import { unavailableReasonOf } from "./state/identity.ts"
import type { Journey, PendingEffect, PendingMail } from "./state/Journey.ts"
import { isDoneByOthers } from "./pendingEffects.ts"
import { fittingRow, type Draft, type ReadyRow } from "./table/rowIndex.ts"
import { step, type EventDraft, type Step } from "./state/step.ts"
import type { Move, Raised, Trigger, WorkKind } from "./table/row.ts"

/** What a run has made so far. */
interface Run {
  readonly journey: Draft
  readonly events: Array<EventDraft>
  readonly cause: Cause
  readonly now: number
}

/** The step that a message leads to, or null when no row fits. */
export const runTable = (journey: Journey, cause: Cause, now: number): Step | null => {
  const row = fittingRow(triggerOf(cause), journey, cause)
  if (row === null) return null
  const consents = consentsAfter(journey, cause, now)
  const run: Run = { journey: { ...journey, ...(consents && { consents }) }, events: [], cause, now }
  carryOut(row, run)
  return step(run.journey, run.events)
}

const triggerOf = (cause: Cause): Trigger => {
  switch (cause._tag) {
    case "FinanceDecision":
      return `FinanceDecision ${cause.decision}`
    case "PanelDecision":
      return `PanelDecision ${cause.decision}`
    case "ConsentGiven":
    case "ConsentRefused":
      return `${cause._tag} ${cause.step}`
    default:
      return cause._tag
  }
}

/** The order within a row is the order of its events, mails and effects. */
const carryOut = (row: ReadyRow, run: Run): void => {
  const { cause, events, journey, now } = run
  for (const raised of row.before) raise(raised, run)
  if (row.effectsOver.length > 0) journey.owed = withoutWork(journey.owed, row.effectsOver)
  row.enter(journey, cause, now)
  for (const type of row.events) events.push(eventOf(type, journey, cause))
  for (const mail of row.mails) addMail(mail, { again: row.again, ...waitsFor(cause) }, journey)
  for (const kind of row.effects) {
    // Nobody outside does anything for a test journey: its script says what comes of it.
    if (journey.livemode || !isDoneByOthers(kind)) addWork(kind, journey)
  }
  for (const raised of row.after) raise(raised, run)
}

/** A move that fits no row is none: nothing is there to be cancelled, or the journey has ended by now. */
const raise = (raised: Raised, run: Run): void => {
  const move = moveOf(raised, run.cause)
  const row = move === null ? null : fittingRow(move, run.journey, run.cause)
  if (row !== null) carryOut(row, run)
}

const moveOf = (raised: Raised, cause: Cause): Move | null => {
  switch (raised) {
    case "begin":
      return cause._tag === "Start" ? `begin ${cause.shape}` : null
    case "known decision":
      return cause._tag === "Start" && cause.decision !== null ? `known decision ${cause.decision}` : null
    default:
      return raised
  }
}

const withoutWork = (
  effects: ReadonlyArray<PendingEffect>,
  over: ReadonlyArray<WorkKind>
): ReadonlyArray<PendingEffect> => effects.filter(({ kind }) => kind === "MAIL" || !over.includes(kind))

/** A customer who has just seen the result is not mailed what the page says. */
const waitsFor = (cause: Cause): { readonly waits?: true } =>
  cause._tag === "IdentityFailed" && cause.atPage === true ? { waits: true } : {}

const addMail = (
  mail: JourneyMailKind,
  facts: Pick<PendingMail, "again"> & { readonly waits?: true },
  journey: Draft
): void => {
  const serial = journey.owedCount + 1
  journey.owedCount = serial
  journey.owed = [...journey.owed, { kind: "MAIL", mail, ...facts, serial }]
}

const addWork = (kind: WorkKind, journey: Draft): void => {
  const serial = journey.owedCount + 1
  journey.owedCount = serial
  journey.owed = [...journey.owed, { kind, serial }]
}

/** Two events say why (W15), and one says what the verification rests on (D8). */
const eventOf = (type: EventType, { identity }: Journey, cause: Cause): EventDraft => {
  switch (type) {
    case "finance_enquiry.submission_failed":
      return cause._tag === "PanelFailed" ? { type, reason: cause.reason } : { type }
    case "identity.verified":
      return { type, assurance: assuranceOf(identity) }
    case "identity.unavailable":
      return { type, reason: unavailableReasonOf(cause) }
    default:
      return { type }
  }
}
