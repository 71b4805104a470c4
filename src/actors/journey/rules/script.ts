/**
 * The script of a test journey (decisions S1, S2, S5): which ordinary messages come next when nobody forces an
 * outcome. A scenario takes its branch once; from any branch the script finds back to the happy path.
 */
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Scenario } from "../../../schema/journey/sandbox.ts"
import { isFinancePending, isHandoverReady } from "./gates.ts"
import type { Journey } from "./Journey.ts"

export interface ScriptedStep {
  readonly messages: readonly [JourneyMessage, ...ReadonlyArray<JourneyMessage>]
  /** The scenario takes its branch with this step and is spent after it. */
  readonly isBranch: boolean
}

const happy = (...messages: ScriptedStep["messages"]): ScriptedStep => ({ messages, isBranch: false })
const branch = (...messages: ScriptedStep["messages"]): ScriptedStep => ({ messages, isBranch: true })

const possible: CheckPossible = { possible: true }

/** The next step along the happy path, or null on a finished journey. */
export const happyStep = (journey: Journey): ScriptedStep | null => nextStep(journey, null)

/** The next step a test journey takes by itself. */
export const scriptedStep = (journey: Journey): ScriptedStep | null =>
  nextStep(journey, journey.sandbox === null || journey.sandbox.scenarioSpent ? null : journey.sandbox.scenario)

const nextStep = (journey: Journey, scenario: Scenario | null): ScriptedStep | null => {
  if (journey.status !== "ACTIVE") return null
  return (
    panelStep(journey, scenario) ??
    identityStep(journey, scenario) ??
    callerStep(journey) ??
    handoverStep(journey, scenario)
  )
}

const panelStep = (journey: Journey, scenario: Scenario | null): ScriptedStep | null => {
  if (journey.shape !== "FINANCE_SUBMIT_VIA_MIRA" || !isFinancePending(journey)) return null
  if (journey.finance?.status === "SUBMITTED" && !journey.finance.accepted) {
    if (scenario === "panel_failed") return branch({ _tag: "PanelFailed", reason: "PANEL_ERROR" })
    return scenario === "identity_unavailable"
      ? branch({ _tag: "PanelAccepted", check: { possible: false, reason: "PROVIDER_ERROR" } })
      : happy({ _tag: "PanelAccepted", check: possible })
  }
  if (scenario === "panel_declined") return branch({ _tag: "PanelDecision", decision: "DECLINED", check: possible })
  // A journey that simulate has referred already is in the branch, and recovers.
  if (scenario === "panel_referred" && journey.finance?.status === "SUBMITTED") {
    return branch({ _tag: "PanelDecision", decision: "REFERRED", check: possible })
  }
  return happy({ _tag: "PanelDecision", decision: "APPROVED", check: possible })
}

const identityStep = (journey: Journey, scenario: Scenario | null): ScriptedStep | null => {
  switch (journey.identity?.status) {
    case "UNAVAILABLE":
      return happy({ _tag: "TeamResendsCheck", check: possible })
    case "REQUESTED":
      if (scenario === "identity_failed") return branch({ _tag: "IdentityFailed" })
      if (scenario === "identity_review") return branch({ _tag: "IdentityUnderReview" })
      return happy({ _tag: "IdentityVerified" })
    case "FAILED":
    case "UNDER_REVIEW":
      return happy({ _tag: "IdentityVerified" })
    case "NOT_ASKED":
    case "VERIFIED":
    case undefined:
      return null
  }
}

/** The caller's own step comes last, so that the rest goes on while the script waits for the caller (S1). */
const callerStep = (journey: Journey): ScriptedStep | null =>
  journey.shape === "FINANCE_ALREADY_SUBMITTED" && isFinancePending(journey)
    ? happy({ _tag: "FinanceDecision", decision: "APPROVED" })
    : null

const handoverStep = (journey: Journey, scenario: Scenario | null): ScriptedStep | null => {
  if (isHandoverReady(journey)) return happy({ _tag: "HandoverCreated" })
  switch (journey.handover?.status) {
    case "AWAITING_LOCATION":
      return happy({ _tag: "LocationConfirmed" })
    case "AWAITING_VIDEO":
      // After a mismatch the second try is one step, so that every branch recovers on the next tick.
      return journey.handover.mismatches > 0
        ? happy({ _tag: "VideoUploaded" }, { _tag: "VideoMatched" })
        : happy({ _tag: "VideoUploaded" })
    case "VIDEO_UPLOADED":
      if (scenario === "video_unclear") return branch({ _tag: "VideoUnclear" })
      if (scenario === "video_mismatch") return branch({ _tag: "VideoNotMatched" })
      return happy({ _tag: "VideoMatched" })
    case "UNDER_REVIEW":
      return happy({ _tag: "TeamApprovesVideo" })
    case "AWAITING_IDENTITY":
    case "COMPLETED":
    case "CANCELLED":
    case "EXPIRED":
    case undefined:
      return null
  }
}
