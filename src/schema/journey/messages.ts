/**
 * Every message that a journey takes after its start. The same schemas carry messages to the actor and into the journal, so
 * tags and members keep their stored spelling: "Owed" stands for work that waits to be done. No member may hold personal
 * data; free text and photos travel sealed, or stay beside the row. Who may send a message, and when, is in the rules.
 */
import { Schema } from "effect"
import { Decision, SubmissionFailure, UnavailableReason } from "./statuses.ts"

const message = <const Tag extends string, const Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.TaggedStruct(tag, fields)

/**
 * A keyed hash of what a caller said besides. Two requests with one message id are the same request if their hashes are
 * equal.
 */
const fingerprint = Schema.optionalKey(Schema.String)

/** Whether an identity check can be started now. The sender of the message finds out before. */
export const CheckPossible = Schema.Union([
  Schema.Struct({ possible: Schema.Literal(true) }),
  Schema.Struct({ possible: Schema.Literal(false), reason: UnavailableReason })
])
export type CheckPossible = typeof CheckPossible.Type

/** The number of the ask that a result is about; without a number it is about the present ask (D5). */
const check = Schema.optionalKey(Schema.Int)

/** The attempt that a reviewer looked at. The verdict counts only while just this attempt is under review. */
const reviewed = Schema.optionalKey(Schema.Int)

/** The serial of the pending effect. */
const serial = Schema.Int

export const JourneyMessage = Schema.Union([
  // From the caller
  message("Cancel", { fingerprint }),
  message("FinanceDecision", { decision: Decision }),
  message("ReplaceFace", { fingerprint }),
  message("Simulate", { event: Schema.String }),
  // From the finance panel
  message("PanelAccepted", { check: CheckPossible }),
  message("PanelDecision", { decision: Decision, check: CheckPossible }),
  message("PanelFailed", { reason: SubmissionFailure }),
  // From the identity check, or the team reviewing it
  message("IdentityVerified", { check, reviewed, fingerprint }),
  message("IdentityUnderReview", { check }),
  message("IdentityFailed", { check, reviewed, fingerprint }),
  message("IdentityUnavailable", { reason: UnavailableReason }),
  // From the service itself
  message("HandoverCreated", {}),
  // Book-keeping of pending effects: these change no status and emit no event
  message("OwedBegun", { serial }),
  message("OwedDone", { serial }),
  message("OwedFailed", { serial, definite: Schema.Boolean }),
  // From the customer
  message("LocationConfirmed", {}),
  message("VideoUploaded", {}),
  // From the video check
  message("VideoMatched", {}),
  message("VideoUnclear", {}),
  message("VideoNotMatched", {}),
  // From the company's team
  message("TeamResendsCheck", { check: CheckPossible }),
  message("TeamApprovesVideo", { fingerprint }),
  message("TeamRejectsVideo", { fingerprint }),
  message("TeamCancelsHandover", {}),
  // From timers
  message("CustomerWindowPassed", {}),
  message("SafetyCapPassed", {}),
  message("SandboxTick", {})
])
export type JourneyMessage = typeof JourneyMessage.Type
export type JourneyMessageTag = JourneyMessage["_tag"]
