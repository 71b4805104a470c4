/**
 * The reasons that a message gives for what it decides, as codes. The state keeps the reasons of a check that is under
 * review or has failed; the timeline shows those of every message. Pure.
 */
import type { JourneyMessage } from "../../../../schema/journey/messages.ts"
import { reasonLimits } from "../../../../schema/journey/limits.ts"
import type { CheckReason } from "../../../../schema/journey/statuses.ts"
import type { Cause } from "./cause.ts"

const rejectedByTeam: ReadonlyArray<CheckReason> = ["TEAM_REJECTED"]
const consentRefused: ReadonlyArray<CheckReason> = ["CONSENT_REFUSED"]
const consentWithdrawn: ReadonlyArray<CheckReason> = ["CONSENT_WITHDRAWN"]
const assuranceTooLow: ReadonlyArray<CheckReason> = ["ASSURANCE_TOO_LOW"]

/** The reasons of a check's result. A verdict that names the attempt it looked at is a reviewer's. */
const reasonsOfCheck = (cause: Cause): ReadonlyArray<string> => {
  switch (cause._tag) {
    case "IdentityUnderReview":
    case "VideoUnclear":
    case "VideoNotMatched":
      return cause.reasons ?? []
    case "IdentityFailed":
      return cause.reasons ?? (cause.reviewed === undefined ? [] : rejectedByTeam)
    // Only a check that reached too little has reasons: a verified identity keeps none.
    case "IdentityVerified":
      return assuranceTooLow
    case "ConsentRefused":
      return consentRefused
    case "ConsentWithdrawn":
      return consentWithdrawn
    case "TeamRejectsVideo":
      return rejectedByTeam
    default:
      return []
  }
}

/** Every reason that a message gives, also for what did not come to a check. */
export const reasonsOf = (message: JourneyMessage): ReadonlyArray<string> => {
  switch (message._tag) {
    case "PanelFailed":
    case "IdentityUnavailable":
      return [message.reason]
    case "OwedFailed":
      return message.reason === undefined ? [] : [message.reason]
    case "Simulate":
    case "SandboxTick":
    case "SandboxHeld":
    case "OwedBegun":
    case "OwedDone":
    case "CustomerReminded":
      return []
    default:
      return reasonsOfCheck(message)
  }
}

/** What an attempt was told about its failure, as a code: "StoreUnavailable" is STORE_UNAVAILABLE. */
export const codeOf = (failure: string): string => {
  const words = failure.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase()
  const code = words.replaceAll(/[^A-Z0-9]+/g, "_")
  return (/^[A-Z]/.test(code) ? code : `FAILED_${code}`).slice(0, reasonLimits.longestReasonCode)
}

/** The member of the state that keeps the reasons; absent when the check gave none. */
export const keptReasons = (cause: Cause): { readonly reasons?: ReadonlyArray<string> } => {
  const reasons = reasonsOfCheck(cause)
  return reasons.length === 0 ? {} : { reasons }
}
