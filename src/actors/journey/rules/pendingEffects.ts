/**
 * Work that waits to be done for a journey by others: the panel, the identity provider, the video check. A decision of its
 * own begins each attempt and moves the due time to when the attempt must be over. So the work is done again whatever
 * happens to whoever is at it, and nobody else does it meanwhile. What the work came to is a message like any other. The
 * state and the messages keep the stored word "owed" for such work.
 */
import { Duration } from "effect"
import type { PendingWorkKind } from "../../../schema/journey/actions.ts"
import type { ListedMessage } from "./state/cause.ts"
import type { ExternalEffect, Journey, PendingEffect } from "./state/Journey.ts"
import { journeyLimits } from "./limits.ts"
import { ignored, step, type Outcome } from "./state/step.ts"

export interface RetryPolicy {
  /** One attempt may take this long; after that, nobody is at it any more. */
  readonly attemptWithinMillis: number
  /** The delays between attempts. After the last one there is no further attempt. */
  readonly delaysMillis: ReadonlyArray<number>
  /** What the journey is told when the work cannot be done. Null: it is tried until it is done. */
  readonly givenUp: ListedMessage | null
}

const policy = (kind: ExternalEffect["kind"], givenUp: ListedMessage | null): RetryPolicy => {
  const { attemptWithin, delays } = journeyLimits.effects[kind]
  return {
    attemptWithinMillis: Duration.toMillis(attemptWithin),
    delaysMillis: delays.map((delay) => Duration.toMillis(delay)),
    givenUp
  }
}

export const retryPolicies: Readonly<Record<ExternalEffect["kind"], RetryPolicy>> = {
  SUBMIT_APPLICATION: policy("SUBMIT_APPLICATION", { _tag: "PanelFailed", reason: "PANEL_ERROR" }),
  START_IDENTITY_CHECK: policy("START_IDENTITY_CHECK", { _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" }),
  // The customer has done what was asked: the team looks at a video that nobody could check.
  CHECK_VIDEO: policy("CHECK_VIDEO", { _tag: "VideoUnclear" }),
  // What a customer has asked for is never given up (D7).
  DELETE_BIOMETRICS: policy("DELETE_BIOMETRICS", null)
}

export const isExternalKind = (kind: PendingEffect["kind"]): kind is ExternalEffect["kind"] =>
  Object.hasOwn(retryPolicies, kind)

/** Work that nobody does for a test journey: its script says what comes of it. Deletion is the service's own. */
export const isDoneByOthers = (kind: PendingEffect["kind"]): boolean =>
  isExternalKind(kind) && kind !== "DELETE_BIOMETRICS"

export const isExternal = (one: PendingEffect): one is ExternalEffect => isExternalKind(one.kind)

/** When it is due; at once, if the state does not say. */
export const dueAtOf = (effect: ExternalEffect): number => effect.dueAt ?? 0

interface PendingWork {
  readonly kind: PendingWorkKind
  /** How often it was begun. */
  readonly attempts: number
  readonly dueAt: number | null
}

/** What a reader is shown of the work that waits; mails are the postman's. */
export const pendingWorkOf = ({ owed }: Journey): ReadonlyArray<PendingWork> =>
  owed.flatMap((one): ReadonlyArray<PendingWork> => {
    if (isExternal(one)) return [{ kind: one.kind, attempts: one.attempts ?? 0, dueAt: one.dueAt ?? null }]
    return one.kind === "CREATE_HANDOVER" ? [{ kind: one.kind, attempts: 0, dueAt: null }] : []
  })

const find = (journey: Journey, serial: number): ExternalEffect | null =>
  journey.owed.filter(isExternal).find((one) => one.serial === serial) ?? null

const changed = (journey: Journey, effect: ExternalEffect): Journey => ({
  ...journey,
  owed: journey.owed.map((one) => (one.serial === effect.serial ? effect : one))
})

const without = (journey: Journey, serial: number): Journey => ({
  ...journey,
  owed: journey.owed.filter((one) => one.serial !== serial)
})

const nothingPending = ignored("nothing of that kind is owed any more")

export const effectBegun = (journey: Journey, serial: number, now: number): Outcome => {
  const effect = find(journey, serial)
  if (effect === null) return nothingPending
  if (dueAtOf(effect) > now) return ignored("somebody is at it, or it is not due yet")
  return step(
    changed(journey, {
      ...effect,
      attempts: (effect.attempts ?? 0) + 1,
      dueAt: now + retryPolicies[effect.kind].attemptWithinMillis
    })
  )
}

export const effectDone = (journey: Journey, serial: number): Outcome =>
  find(journey, serial) === null ? nothingPending : step(without(journey, serial))

/** A team that is asked to look learns why: what became of the last attempt. The other messages have reasons of their own. */
const because = (givenUp: ListedMessage, reason: string | undefined): ListedMessage =>
  givenUp._tag === "VideoUnclear" && reason !== undefined ? { ...givenUp, reasons: [reason] } : givenUp

interface Failure {
  readonly serial: number
  /** Which attempt failed; of one from before the present one nothing is heard any more. */
  readonly attempt?: number
  /** Another attempt would come to the same. */
  readonly definite: boolean
  readonly reason?: string
}

/**
 * A reviewer looks at what the provider has sent, and may send the customer back to the provider's page. So the page stays wanted, and that
 * there is none is told when the customer is asked again.
 */
const mayBeWantedAfterReview = ({ identity }: Journey, { kind }: ExternalEffect): boolean =>
  kind === "START_IDENTITY_CHECK" && identity?.status === "UNDER_REVIEW"

/** `decide` judges what the journey is told when work is given up. Only attempts that failed use up the delays (F5, D2). */
export const effectFailed = (
  journey: Journey,
  { attempt, definite, reason, serial }: Failure,
  now: number,
  decide: (message: ListedMessage) => Outcome
): Outcome => {
  const effect = find(journey, serial)
  if (effect === null) return nothingPending
  if (attempt !== undefined && attempt !== effect.attempts) return ignored("another attempt was begun since")
  const { delaysMillis, givenUp } = retryPolicies[effect.kind]
  const failures = (effect.failures ?? 0) + 1
  if (givenUp === null) {
    // The last delay comes again and again.
    const delay = delaysMillis[Math.min(failures, delaysMillis.length) - 1] ?? 0
    return step(changed(journey, { ...effect, failures, dueAt: now + delay }))
  }
  const delay = definite ? undefined : delaysMillis[failures - 1]
  if (delay !== undefined) return step(changed(journey, { ...effect, failures, dueAt: now + delay }))
  const outcome = decide(because(givenUp, reason))
  if (outcome._tag === "Step") return step(without(outcome.journey, serial), outcome.events)
  // The last delay comes once more, and then the work is given up again.
  if (mayBeWantedAfterReview(journey, effect)) {
    return step(changed(journey, { ...effect, dueAt: now + (delaysMillis.at(-1) ?? 0) }))
  }
  // Where nothing came of the message, the work itself ends here.
  return step(without(journey, serial))
}
