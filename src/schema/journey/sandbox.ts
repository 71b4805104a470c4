/**
 * The scenarios of the sandbox: an integrator chooses one by a plus-tag in the customer's email. A company's sandbox
 * switches are in `company/SandboxSwitches.ts`.
 */
import { Schema } from "effect"

/** Each scenario with what it does. The documents print this table. */
export const scenarios = {
  identity_failed: "The first identity check fails; the next attempt verifies.",
  identity_review: "The identity check goes to a reviewer, who then verifies it.",
  identity_unavailable: "The identity check cannot be started at first; the team resends it.",
  panel_declined: "SUBMIT_VIA_MIRA only: the panel declines the application; the journey is cancelled.",
  panel_referred: "SUBMIT_VIA_MIRA only: the panel refers the application, then approves it.",
  panel_failed: "SUBMIT_VIA_MIRA only: the application cannot be submitted; the journey is cancelled.",
  video_unclear: "The handover video goes to the team's review, who then approve it.",
  video_mismatch: "The first handover video does not match; the next one does.",
  never: "The journey takes no step by itself; drive it with simulate."
} as const satisfies Record<string, string>

export type Scenario = keyof typeof scenarios
const names = Object.keys(scenarios) as [Scenario, ...Array<Scenario>]
export const Scenario = Schema.Literals(names)

const isScenario = Schema.is(Scenario)

/**
 * The scenario that a plus-tag of the email's local part names (`ann+identity_failed@example.com`): the first known tag, or
 * null.
 */
export const scenarioOf = (email: string): Scenario | null => {
  const tags = email.slice(0, email.lastIndexOf("@")).toLowerCase().split("+").slice(1)
  return tags.find(isScenario) ?? null
}
