/**
 * The times that a journey waits for: the customer's window and reminders, the safety cap, the sandbox's next step, and the
 * pending effects. They are members of the state; the earliest of them is the journey's one alarm. Nothing here reads a clock.
 */
import { Duration } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { ExternalEffect, Journey, Sandbox, Window } from "./state/Journey.ts"
import { journeyLimits } from "./limits.ts"
import { dueAtOf, isExternal } from "./pendingEffects.ts"
import { outlivesJourney } from "./state/ending.ts"
import { dueReminder, nextReminderAt, nextReminders } from "./reminders.ts"
import { scriptedStep } from "./script.ts"
import { plannedMessage } from "./plan.ts"
import { isCustomerAwaited, waitsOf } from "./state/waiting.ts"
import type { ClockId } from "../../../schema/ids.ts"

const safetyCapMillis = Duration.toMillis(journeyLimits.safetyCap)
const leastOnReturnMillis = Duration.toMillis(journeyLimits.leastOnReturn)

/** Brings the timers of a decided state up to date with what the decision changed. */
export const withTimers = (before: Journey | null, after: Journey, now: number): Journey => {
  const timed: Journey = {
    ...after,
    window: nextWindow(after, now),
    sandbox: after.sandbox === null ? null : nextTick(before, after, after.sandbox, now)
  }
  const reminders = nextReminders(before, after, now)
  if (reminders === after.reminders) return timed
  const { reminders: _, ...rest } = timed
  return reminders === undefined ? rest : { ...rest, reminders }
}

const daysMillis = (days: number): number => Duration.toMillis(Duration.days(days))

const freshWindow = (journey: Journey): Window =>
  journey.handover === null
    ? { kind: "IDENTITY", remainingMillis: daysMillis(journey.identityWindowDays), deadline: null }
    : { kind: "HANDOVER", remainingMillis: daysMillis(journey.handoverWindowDays), deadline: null }

const nextWindow = (journey: Journey, now: number): Window | null => {
  if (journey.status !== "ACTIVE") return null
  const fresh = freshWindow(journey)
  const isSame = journey.window?.kind === fresh.kind
  const current = isSame && journey.window !== null ? journey.window : fresh
  if (isCustomerAwaited(journey)) {
    if (current.deadline !== null) return current
    const least = isSame && current.kind === "HANDOVER" ? leastOnReturnMillis : 0
    return { ...current, deadline: now + Math.max(current.remainingMillis, least) }
  }
  if (current.deadline !== null) {
    return { ...current, remainingMillis: Math.max(0, current.deadline - now), deadline: null }
  }
  // A window starts when the customer is first awaited; until then none of it is spent.
  return isSame ? current : null
}

const nextTick = (before: Journey | null, journey: Journey, sandbox: Sandbox, now: number): Sandbox => {
  const isCallerAwaited = waitsOf(journey)?.decision === "CALLER"
  const isUnchanged = before?.finance === journey.finance
  const callerAwaitedSince = isCallerAwaited ? (isUnchanged ? sandbox.callerAwaitedSince : now) : null
  const scripted = scriptedStep(journey)
  if (scripted === null || sandbox.stepMillis === null || sandbox.scenario === "never") {
    return { ...sandbox, callerAwaitedSince, tickAt: null }
  }
  const stepAt = now + sandbox.stepMillis
  const isCallerStep = scripted.messages[0]._tag === "FinanceDecision"
  return {
    ...sandbox,
    callerAwaitedSince,
    tickAt: isCallerStep ? Math.max(stepAt, (callerAwaitedSince ?? now) + sandbox.callerStepMillis) : stepAt
  }
}

/** When a journey ends, whatever it waits for (X3). */
export const safetyCapAt = (journey: Journey): number => journey.createdAt + safetyCapMillis

/** The work of a journey that has ended. */
const lastWork = ({ owed }: Journey): ReadonlyArray<ExternalEffect> => owed.filter(isExternal).filter(outlivesJourney)

const leastOrNull = (times: ReadonlyArray<number>): number | null => (times.length === 0 ? null : Math.min(...times))

const begunIfDue = (work: ReadonlyArray<ExternalEffect>, now: number): JourneyMessage | null => {
  const due = work.find((one) => now >= dueAtOf(one))
  return due === undefined ? null : { _tag: "OwedBegun", serial: due.serial, kind: due.kind }
}

/** When the actor must wake, or null when only others can move the journey. */
export const nextAlarm = (journey: Journey): number | null => {
  const alarmOf = (work: ExternalEffect): number => Math.max(journey.createdAt, dueAtOf(work))
  if (journey.status !== "ACTIVE") return leastOrNull(lastWork(journey).map(alarmOf))
  // Overdue as soon as it is planned or owed; the last event's time may lie ahead of the clock.
  if (plannedMessage(journey) !== null) return journey.createdAt
  if (journey.owed.some((one) => one.kind === "CREATE_HANDOVER")) return journey.createdAt
  return Math.min(
    ...journey.owed.filter(isExternal).map(alarmOf),
    safetyCapAt(journey),
    journey.window?.deadline ?? Number.POSITIVE_INFINITY,
    nextReminderAt(journey) ?? Number.POSITIVE_INFINITY,
    journey.sandbox?.tickAt ?? Number.POSITIVE_INFINITY
  )
}

/** The test clock that the journey is on, or null. Only a test journey has what drives a sandbox. */
export const clockOf = ({ sandbox }: Journey): ClockId | null => sandbox?.clock ?? null

/** The alarm that the database keeps: a journey on a test clock is woken by whoever advances the clock. */
export const storedAlarm = (journey: Journey): number | null => (clockOf(journey) === null ? nextAlarm(journey) : null)

/** The one message that is due now, most urgent first, or null. The actor asks again after each. */
export const dueMessage = (journey: Journey, now: number): JourneyMessage | null => {
  if (journey.status !== "ACTIVE") return begunIfDue(lastWork(journey), now)
  const planned = plannedMessage(journey)
  if (planned !== null) return planned
  if (journey.owed.some((one) => one.kind === "CREATE_HANDOVER")) return { _tag: "HandoverCreated" }
  if (now >= safetyCapAt(journey)) return { _tag: "SafetyCapPassed" }
  const work = begunIfDue(journey.owed.filter(isExternal), now)
  if (work !== null) return work
  const deadline = journey.window?.deadline ?? null
  if (deadline !== null && now >= deadline) return { _tag: "CustomerWindowPassed" }
  const reminder = dueReminder(journey, now)
  if (reminder !== null) return { _tag: "CustomerReminded", reminder }
  const tickAt = journey.sandbox?.tickAt ?? null
  return tickAt !== null && now >= tickAt ? scriptedMessage(journey) : null
}

/** The script's next message. A step of several messages is planned first, so that a crash between them loses none. */
const scriptedMessage = (journey: Journey): JourneyMessage | null => {
  const [first, second] = scriptedStep(journey)?.messages ?? []
  return second === undefined ? (first ?? null) : { _tag: "SandboxTick" }
}
