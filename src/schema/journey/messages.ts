/**
 * Every message that a journey takes after its start. The same schemas carry messages to the actor and into the journal, so
 * tags and members keep their stored spelling: "Owed" stands for work that waits to be done. No member may hold personal
 * data; free text and photos travel sealed, or stay beside the row. Who may send a message, and when, is in the rules.
 */
import { Schema } from "effect"
import { ConsentStep, NoticeVersion } from "./consents.ts"
import {
  Assurance,
  Decision,
  LeastAssurance,
  ReasonCode,
  ReasonCodes,
  SubmissionFailure,
  UnavailableReason
} from "./statuses.ts"
import { Reminder } from "./steps.ts"

const message = <const Tag extends string, const Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.TaggedStruct(tag, fields)

/**
 * A keyed hash of what a caller said besides. Two requests with one message id are the same request if their hashes are
 * equal.
 */
const fingerprint = Schema.optionalKey(Schema.String)

/** Who makes a company's identity checks: this service, or an outside provider that is reached over HTTP. */
export const CheckMaker = Schema.Literals(["BUILT_IN", "HTTP"])

/**
 * Whether an identity check can be started now, and by whom it is made. The sender of the message finds out before.
 * Messages of earlier versions do not say by whom.
 */
export const CheckPossible = Schema.Union([
  Schema.Struct({ possible: Schema.Literal(true), by: Schema.optionalKey(CheckMaker) }),
  Schema.Struct({ possible: Schema.Literal(false), reason: UnavailableReason })
])
export type CheckPossible = typeof CheckPossible.Type

/** The number of the ask that a result is about; without a number it is about the present ask (D5). */
const check = Schema.optionalKey(Schema.Int)

/** The attempt that a reviewer looked at. The verdict counts only while just this attempt is under review. */
const reviewed = Schema.optionalKey(Schema.Int)

/** Why the check came to its result. */
const reasons = Schema.optionalKey(ReasonCodes)

/**
 * `assurance`: what the check reached. `least`: what the company asked for when the check was made; a check that reached
 * less is for a person (D8). Results of earlier releases and of the sandbox say nothing about the company's least.
 */
const reached = { assurance: Schema.optionalKey(Assurance), least: Schema.optionalKey(LeastAssurance) }

/** What the customer was asked about, and the version of the notice that they answered (D7). */
const asked = { step: ConsentStep, notice: NoticeVersion }

/** The customer saw the result at once: they are at the page that can try again. */
const atPage = Schema.optionalKey(Schema.Literal(true))

/** The pending check of the video that the verdict is about; without it the verdict is about the present video. */
const ofVideo = Schema.optionalKey(Schema.Int)

/** Names the pending effect. Lines of earlier versions do not say of what kind it is. */
const effect = { serial: Schema.Int, kind: Schema.optionalKey(Schema.String) }

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
  message("IdentityVerified", { check, reviewed, fingerprint, ...reached }),
  message("IdentityUnderReview", { check, reasons, assurance: reached.assurance }),
  message("IdentityFailed", { check, reviewed, fingerprint, reasons, atPage }),
  message("IdentityUnavailable", { check, reason: UnavailableReason }),
  // The outside provider has answered with its page: the customer can be asked (D2)
  message("IdentityCheckStarted", { check }),
  // From the service itself
  message("HandoverCreated", {}),
  // Book-keeping of pending effects: these change no status and emit no event
  message("OwedBegun", effect),
  message("OwedDone", effect),
  // `attempt`: which one failed, counted from one. `reason`: what became of it, for example HTTP_400 or TOOK_TOO_LONG.
  message("OwedFailed", {
    ...effect,
    attempt: Schema.optionalKey(Schema.Int),
    definite: Schema.Boolean,
    reason: Schema.optionalKey(ReasonCode)
  }),
  // From the customer
  message("ConsentGiven", asked),
  message("ConsentRefused", asked),
  message("ConsentWithdrawn", { notice: NoticeVersion }),
  message("LocationConfirmed", {}),
  message("VideoUploaded", {}),
  // From the video check
  message("VideoMatched", { serial: ofVideo }),
  message("VideoUnclear", { serial: ofVideo, reasons }),
  message("VideoNotMatched", { serial: ofVideo, reasons }),
  // From the company's team
  message("TeamResendsCheck", { check: CheckPossible }),
  message("TeamApprovesVideo", { fingerprint }),
  message("TeamRejectsVideo", { fingerprint }),
  message("TeamCancelsHandover", {}),
  // From timers
  message("CustomerWindowPassed", {}),
  message("SafetyCapPassed", {}),
  // Changes no status and emits no event: it owes a mail
  message("CustomerReminded", { reminder: Reminder }),
  message("SandboxTick", {}),
  // From a page of a test journey: somebody is at it, and the sandbox waits for them. Without `at` it is the customer.
  message("SandboxHeld", { at: Schema.optionalKey(Schema.Literal("REVIEW")) })
])
export type JourneyMessage = typeof JourneyMessage.Type
export type JourneyMessageTag = JourneyMessage["_tag"]
