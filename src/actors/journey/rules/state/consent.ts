/**
 * The customer's consents to the comparison of faces (D7): what a message makes of them, and the guards that ask for them. The
 * rows that use the guards are in `table/`. What an outside provider asks on its own page is not known here. Pure.
 */
import { noticeOfStart, type Consent, type Consents, type ConsentStep } from "../../../../schema/journey/consents.ts"
import type { JourneyMessage } from "../../../../schema/journey/messages.ts"
import { STEPS } from "../../../../schema/journey/steps.ts"
import type { Journey, PendingEffect } from "./Journey.ts"
import type { Cause } from "./cause.ts"
import { stepAskedOf } from "./waiting.ts"

/** Whether the customer agrees, at this moment, that faces are compared in this step. */
export const hasAgreed = ({ consents }: Pick<Journey, "consents">, step: ConsentStep): boolean =>
  consents?.[step]?.answer === "AGREED"

/** Whether the customer was asked about this step and said no, or says so by now. */
export const hasSaidNo = ({ consents }: Pick<Journey, "consents">, step: ConsentStep): boolean => {
  const answer = consents?.[step]?.answer
  return answer === "REFUSED" || answer === "WITHDRAWN"
}

/** The consents after a message. Only a message that fits a row changes them. */
export const consentsAfter = (journey: Journey, cause: Cause, now: number): Consents | undefined => {
  switch (cause._tag) {
    case "Start":
      return consentsOfStart(cause.shape, now)
    case "ConsentGiven":
      return { ...journey.consents, [cause.step]: { answer: "AGREED", notice: cause.notice, at: now } }
    case "ConsentRefused":
      return { ...journey.consents, [cause.step]: { answer: "REFUSED", notice: cause.notice, at: now } }
    case "ConsentWithdrawn": {
      const withdrawn = (step: ConsentStep) => ({ [step]: withdrawnFrom(journey.consents?.[step], cause.notice, now) })
      return {
        ...journey.consents,
        ...(isIdentityUsed(journey) ? withdrawn("identity") : {}),
        ...(isVideoUsed(journey) || isVideoOpen(journey) ? withdrawn("video") : {})
      }
    }
    default:
      return journey.consents
  }
}

/** What was agreed to stays on file with the withdrawal: a company has to show that it once might. */
const withdrawnFrom = (before: Consent | undefined, notice: string, now: number): Consent => ({
  answer: "WITHDRAWN",
  notice,
  at: now,
  ...(before?.answer === "AGREED" ? { agreed: { notice: before.notice, at: before.at } } : {})
})

/**
 * What the start's consents name. A finance sale's consent is to the comparison with the caller's photo, which is the
 * comparison of the video. The consent to "identity verification including biometric checks" of an application that the
 * service submits names the identity check and no video.
 */
const consentsOfStart = (shape: Journey["shape"], now: number): Consents | undefined => {
  const agreed: Consent = { answer: "AGREED", notice: noticeOfStart, at: now }
  switch (shape) {
    case "FINANCE_SALE":
      return { video: agreed }
    case "FINANCE_SUBMIT_VIA_MIRA":
      return { identity: agreed }
    case "FINANCE_ALREADY_SUBMITTED":
    case "IDENTITY_DELIVERY":
    case "CASH_SALE":
      return undefined
  }
}

/** The identity check has, or may have, something of the customer's face. */
const isIdentityUsed = (journey: Journey): boolean =>
  hasAgreed(journey, "identity") ||
  // An outside provider asked for its own consent, and so did earlier releases of this service.
  (journey.consents?.identity === undefined &&
    (journey.identity?.status === "VERIFIED" || journey.identity?.status === "UNDER_REVIEW"))

/** The handover video shows, or may show, the customer's face. */
const isVideoUsed = (journey: Journey): boolean =>
  hasAgreed(journey, "video") ||
  (journey.consents?.video === undefined &&
    (journey.handover?.status === "VIDEO_UPLOADED" || journey.handover?.status === "UNDER_REVIEW"))

/** The step that a withdrawal takes from the customer, or from the check, and gives to the team. */
const isVideoOpen = ({ handover }: Journey): boolean =>
  handover?.status === "AWAITING_VIDEO" || handover?.status === "VIDEO_UPLOADED"

/** Whether there is anything that the customer can withdraw from. */
export const mayWithdraw = (journey: Journey): boolean => isIdentityUsed(journey) || isVideoUsed(journey)

/** The customer is asked only once: a consent that stands can be withdrawn, and not given or refused again. */
export const isNotAgreed = (journey: Journey, cause: Cause): boolean =>
  (cause._tag === "ConsentGiven" || cause._tag === "ConsentRefused") && !hasAgreed(journey, cause.step)

/** From this message on, something may come that shows the face anew: the customer is before a camera again, or the caller has sent a photo. */
const isFaceGivenAnew = (journey: Journey, { _tag }: JourneyMessage): boolean => {
  const asked = stepAskedOf(journey)
  return _tag === "ReplaceFace" || (asked !== null && STEPS[asked].consent !== null)
}

/** The effect deletes nothing, or knows how far back it reaches. */
const isBounded = (one: PendingEffect): boolean => one.kind !== "DELETE_BIOMETRICS" || one.before !== undefined

/**
 * The journey after a message, with what a deletion that is still to be done must leave. A withdrawal closes every camera, so the first time
 * that one is open again, or the caller sends a photo, lies after everything that the withdrawal is about. On a test clock that time would
 * say nothing of when something was uploaded: there everything goes.
 */
export const keepingWhatComesAnew = (journey: Journey, message: JourneyMessage, now: number): Journey => {
  if (journey.owed.every(isBounded) || journey.sandbox?.clock !== undefined) return journey
  if (!isFaceGivenAnew(journey, message)) return journey
  return { ...journey, owed: journey.owed.map((one) => (isBounded(one) ? one : { ...one, before: now })) }
}

/** A result of a check that looked at faces, and not a reviewer's verdict or a step of the sandbox. */
const isResultOfCheck = (cause: Cause): boolean => {
  switch (cause._tag) {
    case "IdentityVerified":
    case "IdentityFailed":
      return cause.check !== undefined && cause.reviewed === undefined
    case "IdentityUnderReview":
      return cause.check !== undefined
    default:
      return false
  }
}

/** Faces were compared here although the customer does not agree, or no longer. */
export const isWithoutConsent = (journey: Journey, cause: Cause): boolean =>
  isResultOfCheck(cause) &&
  "assurance" in cause &&
  (cause.assurance === "FACE_MATCH" || cause.assurance === "DOCUMENT") &&
  !hasAgreed(journey, "identity")

/** The customer said no: from here on the team alone decides on the check. */
export const isForTeamAlone = (journey: Journey, cause: Cause): boolean =>
  isResultOfCheck(cause) && journey.identity?.status === "UNDER_REVIEW" && hasSaidNo(journey, "identity")
