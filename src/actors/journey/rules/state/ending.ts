/**
 * The journey as a whole: the guards of its start, and what its end leaves. The rows that use them are in
 * `table/journeyRows.ts`.
 */
import type { Journey, PendingEffect } from "./Journey.ts"
import type { Step } from "./step.ts"
import type { Cause } from "./cause.ts"

/** A new customer first gets a welcome mail (§1). */
export const isNewCustomer = (_journey: Journey, cause: Cause): boolean => cause._tag === "Start" && cause.isNewCustomer

export const isReturningCustomer = (journey: Journey, cause: Cause): boolean => !isNewCustomer(journey, cause)

/** Whether a decision ends the journey. A decision on a journey that has ended before does not. */
export const endsJourney = (before: Journey, after: Journey): boolean =>
  before.status === "ACTIVE" && after.status !== "ACTIVE"

/** Effects that are carried out although the journey has ended meanwhile: its mails, and what its customer asked for. */
export const outlivesJourney = ({ kind }: PendingEffect): boolean => kind === "MAIL" || kind === "DELETE_BIOMETRICS"

/** The effects that outlive the journey. */
export const lastEffects = (effects: ReadonlyArray<PendingEffect>): ReadonlyArray<PendingEffect> =>
  effects.filter(outlivesJourney)

/**
 * The vehicle that this decision sold: the vehicle of a live journey that has just been completed. The commit marks the
 * vehicle sold (H8). Test journeys touch no vehicle (§5, rule 6).
 */
export const vehicleSold = ({ events, journey }: Step): string | null =>
  journey.livemode && events.some(({ type }) => type === "journey.completed") ? journey.inventoryVehicleId : null
