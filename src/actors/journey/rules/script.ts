/**
 * The script of a test journey (decisions S1, S2, S5): which ordinary messages come next when nobody forces an outcome. A
 * scenario takes its branch once; from any branch the script finds back to the happy path. When a step comes is decided in
 * `timers.ts`.
 */
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Scenario } from "../../../schema/journey/sandbox.ts"
import type { Journey } from "./state/Journey.ts"
import { waitsOf, type OpenStep } from "./state/waiting.ts"

export interface ScriptedStep {
  readonly messages: readonly [JourneyMessage, ...ReadonlyArray<JourneyMessage>]
  /** The scenario takes its branch with the step's first message and is spent after it. */
  readonly isBranch: boolean
}

const happy = (...messages: ScriptedStep["messages"]): ScriptedStep => ({ messages, isBranch: false })
const branch = (...messages: ScriptedStep["messages"]): ScriptedStep => ({ messages, isBranch: true })

const possible: CheckPossible = { possible: true, by: "BUILT_IN" }

/** The results of checks as live ones say them: what was reached, or the reasons. */
export const results = {
  identityVerified: { _tag: "IdentityVerified", assurance: "FACE_MATCH" },
  identityUnclear: { _tag: "IdentityUnderReview", reasons: ["FACES_UNCLEAR"] },
  identityFailed: { _tag: "IdentityFailed", reasons: ["FACES_DIFFERENT"] },
  videoUnclear: { _tag: "VideoUnclear", reasons: ["VIDEO_UNCLEAR"] },
  videoMismatched: { _tag: "VideoNotMatched", reasons: ["VIDEO_MISMATCH"] }
} as const satisfies Readonly<Record<string, JourneyMessage>>

/** The next step along the happy path, or null on a finished journey. */
export const happyStep = (journey: Journey): ScriptedStep | null => nextStep(journey, null)

/** The next step a test journey takes by itself. */
export const scriptedStep = (journey: Journey): ScriptedStep | null =>
  nextStep(journey, journey.sandbox === null || journey.sandbox.scenarioSpent ? null : journey.sandbox.scenario)

const nextStep = (journey: Journey, scenario: Scenario | null): ScriptedStep | null => {
  const waits = waitsOf(journey)
  if (waits === null) return null
  const { decision, open } = waits
  if (decision === "PANEL") return panelStep(journey, scenario)
  // The caller's own decision comes after the identity check, which goes on while the script waits for the caller (S1).
  if (open?.step === "VERIFY_IDENTITY") return identityStep(open.turn, journey, scenario)
  if (decision === "CALLER") return happy({ _tag: "FinanceDecision", decision: "APPROVED" })
  if (waits.isHandoverBeingCreated) return happy({ _tag: "HandoverCreated" })
  return open === null ? null : handoverStep(open, journey, scenario)
}

const panelStep = ({ finance }: Journey, scenario: Scenario | null): ScriptedStep => {
  if (finance?.status === "SUBMITTED" && !finance.accepted) {
    if (scenario === "panel_failed") return branch({ _tag: "PanelFailed", reason: "PANEL_ERROR" })
    return scenario === "identity_unavailable"
      ? branch({ _tag: "PanelAccepted", check: { possible: false, reason: "PROVIDER_ERROR" } })
      : happy({ _tag: "PanelAccepted", check: possible })
  }
  if (scenario === "panel_declined") return branch({ _tag: "PanelDecision", decision: "DECLINED", check: possible })
  // A journey that simulate has referred already is in the branch, and recovers.
  if (scenario === "panel_referred" && finance?.status === "SUBMITTED") {
    return branch({ _tag: "PanelDecision", decision: "REFERRED", check: possible })
  }
  return happy({ _tag: "PanelDecision", decision: "APPROVED", check: possible })
}

const identityStep = (turn: OpenStep["turn"], { identity }: Journey, scenario: Scenario | null): ScriptedStep => {
  if (turn === "CHECK_UNAVAILABLE") return happy({ _tag: "TeamResendsCheck", check: possible })
  // A check that has failed or is with a reviewer is in a branch, and recovers.
  if (identity?.status === "REQUESTED") {
    if (scenario === "identity_failed") return branch(results.identityFailed)
    if (scenario === "identity_review") return branch(results.identityUnclear)
  }
  return happy(results.identityVerified)
}

const handoverStep = ({ step, turn }: OpenStep, journey: Journey, scenario: Scenario | null): ScriptedStep | null => {
  switch (step) {
    case "VERIFY_IDENTITY":
      return null
    case "CONFIRM_ADDRESS":
      return happy({ _tag: "LocationConfirmed" })
    case "RECORD_VIDEO":
      return videoStep(turn, journey, scenario)
  }
}

const videoStep = (turn: OpenStep["turn"], { handover }: Journey, scenario: Scenario | null): ScriptedStep => {
  switch (turn) {
    case "CUSTOMER":
      // After a mismatch the second try is one step, so that every branch recovers on the next tick.
      return (handover?.mismatches ?? 0) > 0
        ? happy({ _tag: "VideoUploaded" }, { _tag: "VideoMatched" })
        : happy({ _tag: "VideoUploaded" })
    case "SERVICE":
      if (scenario === "video_unclear") return branch(results.videoUnclear)
      if (scenario === "video_mismatch") return branch(results.videoMismatched)
      return happy({ _tag: "VideoMatched" })
    case "IDENTITY":
    case "CHECK_UNAVAILABLE":
    case "VIDEO":
      return happy({ _tag: "TeamApprovesVideo" })
  }
}
