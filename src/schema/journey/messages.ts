/**
 * Every message a journey takes after its start, with its sender. The same schemas carry messages to the actor and
 * into the journal. No member may hold personal data: free text and photos travel sealed, or stay beside the row.
 */
import { Schema } from "effect"
import { Decision, SubmissionFailure, UnavailableReason } from "./statuses.ts"

const message = <const Tag extends string, const Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.TaggedStruct(tag, fields)

/** A keyed hash of what a caller said beside: two requests with one message id are the same if it is. */
const fingerprint = Schema.optionalKey(Schema.String)

/** Whether an identity check can be started at this moment; whoever asks finds out first. */
export const CheckPossible = Schema.Union([
  Schema.Struct({ possible: Schema.Literal(true) }),
  Schema.Struct({ possible: Schema.Literal(false), reason: UnavailableReason })
])
export type CheckPossible = typeof CheckPossible.Type

/** The number of the ask a result is about; without one, the present ask (D5). */
const check = Schema.optionalKey(Schema.Int)

/** The attempt a reviewer looked at: their verdict is about no later one, and only while it is under review. */
const reviewed = Schema.optionalKey(Schema.Int)

/** Which piece of owed work: its serial. */
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
  // Book-keeping of owed work: these change no status and tell no event
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
