/**
 * Everything that a journey waits for, each with who must act, since when and until when. What is awaited is read off
 * `waitsOf`; the times come from the state and, where the state does not keep them, from the journey's newest events. Pure.
 */
import type { AwaitedFrom, AwaitedThing } from "../../../schema/journey/actions.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { JourneyMessageTag } from "../../../schema/journey/messages.ts"
import { nextActionOf, STEPS, type StepWithTurn } from "../../../schema/journey/steps.ts"
import type { ExternalEffect, Journey } from "./state/Journey.ts"
import { isExternal } from "./pendingEffects.ts"
import { scriptedStep } from "./script.ts"
import { safetyCapAt } from "./timers.ts"
import { reviewAction, waitsOf, type OpenStep } from "./state/waiting.ts"

/** The newest event of each type that a journey has. Times are epoch milliseconds. */
export type NewestEvents = ReadonlyMap<string, { readonly id: string; readonly createdAt: number }>

export interface Awaited {
  readonly on: AwaitedThing
  readonly who: AwaitedFrom
  /** Null where nobody has written it down. */
  readonly since: number | null
  /** When the service goes on by itself. Null: somebody else must act. */
  readonly expectedBy: number | null
  readonly expiresAt: number
}

/** What is awaited, before its times are looked up. */
interface Wait extends Pick<Awaited, "on" | "who"> {
  /** The newest of these events began it. */
  readonly beganWith: ReadonlyArray<EventType>
  /** The work whose end is awaited. */
  readonly work?: ExternalEffect["kind"]
}

/** In the order in which a caller reads them: the lender's decision, then the step. */
export const awaitedOf = (journey: Journey, newest: NewestEvents): ReadonlyArray<Awaited> => {
  const waits = waitsOf(journey)
  if (waits === null) return []
  const found = [
    ...(waits.decision === null ? [] : [waits.decision === "CALLER" ? callersDecision : panelsDecision]),
    ...(waits.open === null ? [] : [waitOfStep(waits.open, journey)]),
    ...(waits.isHandoverBeingCreated ? [handoverCreation] : [])
  ]
  return found.map((wait) => ({
    on: wait.on,
    who: wait.who,
    since: sinceOf(wait, journey, newest),
    expectedBy: expectedByOf(wait, journey),
    expiresAt: expiresAtOf(wait, journey)
  }))
}

const callersDecision: Wait = { on: "SEND_FINANCE_DECISION", who: "CALLER", beganWith: ["finance_enquiry.submitted"] }

const panelsDecision: Wait = {
  on: "AWAITING_LENDER_DECISION",
  who: "PANEL",
  beganWith: ["finance_enquiry.submitted"],
  work: "SUBMIT_APPLICATION"
}

const handoverCreation: Wait = {
  on: "HANDOVER_BEING_CREATED",
  who: "SERVICE",
  beganWith: ["finance_enquiry.approved", "identity.verified"]
}

const waitOfStep = (open: OpenStep, journey: Journey): Wait => {
  switch (open.turn) {
    case "CUSTOMER":
      return { on: nextActionOf(open.step), who: "CUSTOMER", beganWith: STEPS[open.step].askedWith }
    case "IDENTITY":
      return { on: reviewAction(open.turn, journey), who: "TEAM", beganWith: ["identity.under_review"] }
    case "CHECK_UNAVAILABLE":
      return { on: reviewAction(open.turn, journey), who: "TEAM", beganWith: ["identity.unavailable"] }
    case "VIDEO":
      return { on: reviewAction(open.turn, journey), who: "TEAM", beganWith: ["delivery.under_review"] }
    case "SERVICE":
      return atService[open.step]
  }
}

/** What the service itself is at, in each step that has such a turn. */
const atService: Readonly<Record<StepWithTurn<"SERVICE">, Wait>> = {
  VERIFY_IDENTITY: {
    on: "IDENTITY_CHECK_BEING_STARTED",
    who: "IDENTITY_PROVIDER",
    // No event says that the provider is being asked (D2).
    beganWith: [],
    work: "START_IDENTITY_CHECK"
  },
  RECORD_VIDEO: {
    on: "VIDEO_BEING_CHECKED",
    who: "SERVICE",
    beganWith: ["delivery.video_uploaded"],
    work: "CHECK_VIDEO"
  }
}

const sinceOf = ({ beganWith, who }: Wait, { reminders }: Journey, newest: NewestEvents): number | null => {
  // Journeys of earlier versions have no reminders.
  if (who === "CUSTOMER" && reminders !== undefined) return reminders.askedAt
  const times = beganWith.flatMap((type) => newest.get(type)?.createdAt ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

const expectedByOf = (wait: Wait, journey: Journey): number | null => {
  if (journey.sandbox !== null) return isNextInScript(wait, journey) ? journey.sandbox.tickAt : null
  return journey.owed.filter(isExternal).find(({ kind }) => kind === wait.work)?.dueAt ?? null
}

const ofCaller: ReadonlySet<JourneyMessageTag> = new Set(["FinanceDecision"])
const ofPanel: ReadonlySet<JourneyMessageTag> = new Set(["PanelAccepted", "PanelDecision", "PanelFailed"])

/** Whether a message of the script does what is awaited from this one. */
export const isAnsweredBy = (message: JourneyMessageTag, who: AwaitedFrom): boolean => {
  if (ofCaller.has(message)) return who === "CALLER"
  if (ofPanel.has(message)) return who === "PANEL"
  return who !== "CALLER" && who !== "PANEL"
}

/** Whether the script of a test journey takes this very step next. */
const isNextInScript = ({ who }: Wait, journey: Journey): boolean => {
  const next = scriptedStep(journey)?.messages[0]._tag
  return next !== undefined && isAnsweredBy(next, who)
}

/** The customer's window runs only while the customer is awaited; after 180 days a journey ends whatever it waits for (X3). */
const expiresAtOf = ({ who }: Wait, journey: Journey): number => {
  const deadline = who === "CUSTOMER" ? (journey.window?.deadline ?? null) : null
  return deadline === null ? safetyCapAt(journey) : Math.min(deadline, safetyCapAt(journey))
}
