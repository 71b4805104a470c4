/**
 * The consents of a customer to the comparison of faces (D7): for which step, what the customer answered, and which notice the
 * customer had before their eyes. A consent names no person: it is part of the journey's state. The words of the notices are
 * in `notices.ts`, and what follows from an answer is in the transition table.
 */
import { Schema } from "effect"
import { consentLimits } from "./limits.ts"

/** What a consent is about: the comparison at the identity check, and the comparison of the handover video. */
export const ConsentStep = Schema.Literals(["identity", "video"])
export type ConsentStep = typeof ConsentStep.Type

export const ConsentAnswer = Schema.Literals(["AGREED", "REFUSED", "WITHDRAWN"])
export type ConsentAnswer = typeof ConsentAnswer.Type

const { longestNoticeVersion } = consentLimits
const versionPattern = new RegExp(`^[a-z][a-z0-9-]{0,${longestNoticeVersion - 1}}$`)

/** The version of a notice, in the language in which it was shown: `identity-1-en`. */
export const NoticeVersion = Schema.String.check(Schema.isPattern(versionPattern))

/** The consent came with the start. Its caller named the notice, which is kept sealed with the start. */
export const noticeOfStart = "start"

/** `at`: epoch milliseconds. `agreed`: of a consent that was withdrawn, what the customer had agreed to, and when. */
export const Consent = Schema.Struct({
  answer: ConsentAnswer,
  notice: NoticeVersion,
  at: Schema.Finite,
  agreed: Schema.optionalKey(Schema.Struct({ notice: NoticeVersion, at: Schema.Finite }))
})
export type Consent = typeof Consent.Type

/** The last answer about each step. A step without an answer has not been asked about. */
export const Consents = Schema.Struct({
  identity: Schema.optionalKey(Consent),
  video: Schema.optionalKey(Consent)
})
export type Consents = typeof Consents.Type
