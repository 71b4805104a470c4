/**
 * The times that a journey waits for: the customer's window, the safety cap, the sandbox's next step, and the pending
 * effects. They are members of the state; the earliest of them is the journey's one alarm. Nothing here reads a clock.
 */
import { Duration } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Journey, Sandbox, Window } from "./Journey.ts"
import { journeyLimits } from "./limits.ts"
import { dueAtOf, isExternal } from "./pendingEffects.ts"
import { scriptedStep } from "./script.ts"
import { isCustomerAwaited, waitsOf } from "./waiting.ts"

const safetyCapMillis = Duration.toMillis(journeyLimits.safetyCap)
const leastOnReturnMillis = Duration.toMillis(journeyLimits.leastOnReturn)

/** Brings the timers of a decided state up to date with what the decision changed. */
export const withTimers = (before: Journey | null, after: Journey, now: number): Journey => {
  const window = nextWindow(after, now)
  return after.sandbox === null
    ? { ...after, window }
    : { ...after, window, sandbox: nextTick(before, after, after.sandbox, now) }
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

const safetyCapAt = (journey: Journey): number => journey.createdAt + safetyCapMillis

/** When the actor must wake, or null when only others can move the journey. */
export const nextAlarm = (journey: Journey): number | null => {
  if (journey.status !== "ACTIVE") return null
  // Overdue as soon as it is owed; the last event's time may lie ahead of the clock.
  if (journey.owed.some((one) => one.kind === "CREATE_HANDOVER")) return journey.createdAt
  return Math.min(
    ...journey.owed.filter(isExternal).map((one) => Math.max(journey.createdAt, dueAtOf(one))),
    safetyCapAt(journey),
    journey.window?.deadline ?? Number.POSITIVE_INFINITY,
    journey.sandbox?.tickAt ?? Number.POSITIVE_INFINITY
  )
}

/** The one message that is due now, most urgent first, or null. The actor asks again after each. */
export const dueMessage = (journey: Journey, now: number): JourneyMessage | null => {
  if (journey.status !== "ACTIVE") return null
  if (journey.owed.some((one) => one.kind === "CREATE_HANDOVER")) return { _tag: "HandoverCreated" }
  if (now >= safetyCapAt(journey)) return { _tag: "SafetyCapPassed" }
  const work = journey.owed.filter(isExternal).find((one) => now >= dueAtOf(one))
  if (work !== undefined) return { _tag: "OwedBegun", serial: work.serial }
  const deadline = journey.window?.deadline ?? null
  if (deadline !== null && now >= deadline) return { _tag: "CustomerWindowPassed" }
  const tickAt = journey.sandbox?.tickAt ?? null
  if (tickAt !== null && now >= tickAt) return { _tag: "SandboxTick" }
  return null
}
