/**
 * The reminders of a step that the customer was asked for and has not done (M1, M8): when each is due, and what is left of
 * them. Each ask has reminders of its own, and each reminder of an ask is sent at most once. Reminders end with the turn of
 * the customer, and none is sent at or after the end of the customer's window. Pure; `actors/mail/wording` has the words.
 */
import { Duration } from "effect"
import { isCustomerStep, type Reminder } from "../../../schema/journey/steps.ts"
import type { Journey, PendingEffect } from "./state/Journey.ts"
import { journeyLimits } from "./limits.ts"
import { ignored, step, type Outcome } from "./state/step.ts"
import { stepAskedOf } from "./state/waiting.ts"

const { firstAfter, lastBeforeEnd, secondAfter } = journeyLimits.reminders
const firstAfterMillis = Duration.toMillis(firstAfter)
const secondAfterMillis = Duration.toMillis(secondAfter)
const lastBeforeEndMillis = Duration.toMillis(lastBeforeEnd)

interface Due {
  readonly reminder: Reminder
  readonly at: number
}

/** A mail that asks for a step, and is no reminder, begins an ask. */
const asks = (one: PendingEffect, since: number): boolean =>
  one.kind === "MAIL" && one.serial > since && isCustomerStep(one.mail) && one.reminder === undefined

/** The member of a decided state: begun with each ask, kept while the customer is awaited, and gone after that. */
export const nextReminders = (before: Journey | null, after: Journey, now: number): Journey["reminders"] => {
  if (stepAskedOf(after) === null) return undefined
  const known = before?.owedCount ?? 0
  return after.owed.some((one) => asks(one, known)) ? { askedAt: now, past: [] } : after.reminders
}

/** The reminders that are to come, the earliest first. Of two at one time the later in the list says more. */
const toCome = ({ reminders, window }: Journey): ReadonlyArray<Due> => {
  const deadline = window?.deadline ?? null
  if (reminders === undefined || deadline === null) return []
  const { askedAt, past } = reminders
  const all: ReadonlyArray<Due> = [
    { reminder: "FIRST", at: askedAt + firstAfterMillis },
    { reminder: "SECOND", at: askedAt + secondAfterMillis },
    { reminder: "LAST", at: deadline - lastBeforeEndMillis }
  ]
  return all
    .filter(({ at, reminder }) => at > askedAt && at < deadline && !past.includes(reminder))
    .toSorted((one, other) => one.at - other.at)
}

/** When the next reminder is due, or null. */
export const nextReminderAt = (journey: Journey): number | null => toCome(journey)[0]?.at ?? null

/** The reminder that is due: after a long standstill only the latest of several, because one mail says it all. */
export const dueReminder = (journey: Journey, now: number): Reminder | null =>
  toCome(journey).findLast(({ at }) => at <= now)?.reminder ?? null

/** Owes the mail of a reminder that is due. Those that it overtakes are never sent. */
export const remind = (journey: Journey, reminder: Reminder, now: number): Outcome => {
  const asked = stepAskedOf(journey)
  if (asked === null || journey.reminders === undefined || dueReminder(journey, now) !== reminder) {
    return ignored("the reminder is not due")
  }
  const deadline = journey.window?.deadline ?? null
  const until = deadline === null ? {} : { until: deadline }
  const overtaken = toCome(journey).filter(({ at }) => at <= now)
  const serial = journey.owedCount + 1
  return step({
    ...journey,
    reminders: { ...journey.reminders, past: [...journey.reminders.past, ...overtaken.map((one) => one.reminder)] },
    owed: [...journey.owed, { kind: "MAIL", mail: asked, again: false, reminder, ...until, serial }],
    owedCount: serial
  })
}
