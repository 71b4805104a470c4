/** A company's sandbox switches: what a test key meets. The scenarios that a test customer chooses are in `journey/sandbox.ts`. */
import { Schema } from "effect"
import { withFlag } from "../model.ts"
import { wholeNumber } from "../decoding/numbers.ts"
import { companyLimits } from "./limits.ts"

const { fastestPaceSeconds: fastest, slowestPaceSeconds: slowest } = companyLimits

const paceRule = `a whole number of seconds from ${fastest} to ${slowest}, "manual", or null for the service's own pace`

/** Seconds a step of a test journey takes, or "manual" when the journey takes no step by itself. */
const Pace = Schema.Union([wholeNumber(fastest, slowest, `must be ${paceRule}`), Schema.Literal("manual")])

/** Without a pace, the service's own pace applies. */
export const SandboxSwitches = Schema.Struct({
  identityConfigured: Schema.Boolean,
  panelConfigured: Schema.Boolean,
  credits: Schema.Boolean,
  pace: Schema.optionalKey(Pace)
}).annotate({ identifier: "SandboxSwitches" })
export type SandboxSwitches = typeof SandboxSwitches.Type

export const defaultSandboxSwitches: SandboxSwitches = {
  identityConfigured: true,
  panelConfigured: true,
  credits: true
}

/** A change of the switches. The pace null means the service's own pace. */
export const SandboxPatch = Schema.Struct({
  identityConfigured: Schema.optionalKey(withFlag(Schema.Boolean, "Whether test journeys find an identity provider")),
  panelConfigured: Schema.optionalKey(withFlag(Schema.Boolean, "Whether test journeys find a finance panel")),
  credits: Schema.optionalKey(withFlag(Schema.Boolean, "Whether test journeys find credit")),
  pace: Schema.optionalKey(
    Schema.Union([...Pace.members, Schema.Null]).annotate({
      expected: paceRule
    })
  )
})
