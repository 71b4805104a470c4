/**
 * The steps of one journey: which of `STEPS` it has, and whose turn each is. Other files make of this what the customer, the
 * team and a picture of the journey show. Pure.
 */
import { handoverSteps, STEPS, type CustomerStep, type Turn } from "../../../../schema/journey/steps.ts"
import { isHomeDelivery } from "./handover.ts"
import type { Journey } from "./Journey.ts"

/** Whether journeys like this one have the step. */
export const isPartOf = (step: CustomerStep, journey: Journey): boolean => {
  switch (STEPS[step].partOf) {
    case "JOURNEYS_WITH_IDENTITY_CHECK":
      return journey.identity !== null
    case "HOME_DELIVERIES":
      return isHomeDelivery(journey)
    case "EVERY_JOURNEY":
      return true
  }
}

export const turnAt = (step: CustomerStep, { handover, identity }: Journey): Turn => {
  const row = STEPS[step]
  switch (row.region) {
    case "identity":
      return identity === null ? "LATER" : row.turns[identity.status]
    case "handover":
      return handover === null ? "LATER" : row.turns[handover.status]
  }
}

/** The status of the region that the step belongs to; null before the region begins. */
export const statusAt = (step: CustomerStep, { handover, identity }: Journey): string | null =>
  (STEPS[step].region === "identity" ? identity?.status : handover?.status) ?? null

/** The step with which the handover of this journey begins. */
export const firstOfHandover = (journey: Journey): CustomerStep | undefined =>
  handoverSteps.find((step) => isPartOf(step, journey))
