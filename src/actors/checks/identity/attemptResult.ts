/**
 * What an attempt at the built-in check tells the journey, and its customer: from the comparison of the faces, the reading of
 * the document, and the least that the company asks for (D6, D8). Pure.
 *
 * | faces     | document             | result                                                              |
 * |-----------|----------------------|---------------------------------------------------------------------|
 * | same      | in doubt             | a person decides: NO_DOCUMENT, NAME_DIFFERS, SEVERAL_PEOPLE ...      |
 * | same      | fits                 | verified with DOCUMENT, or a person decides if that is too little   |
 * | same      | has nothing to read  | verified with FACE_MATCH, or a person decides if that is too little |
 * | unclear   | not looked at        | a person decides: FACES_UNCLEAR                                     |
 * | different | not looked at        | failed                                                              |
 */
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { isBelow, type LeastAssurance } from "../../../schema/journey/statuses.ts"
import type { DocumentReading } from "../document/DocumentReader.ts"
import type { AttemptVerdict } from "./IdentityChecks.ts"
import type { IdentityPhoto, PhotoFaults } from "./judgePhotos.ts"

/** What the customer hears of an attempt. */
export type IdentityOutcome =
  | { readonly _tag: "VERIFIED" }
  | { readonly _tag: "UNDER_REVIEW" }
  | { readonly _tag: "FAILED"; readonly reason: "FACES_DIFFERENT" | "SAME_PICTURE" }
  /** Photos that cannot be judged: there was no attempt. */
  | { readonly _tag: "UNUSABLE"; readonly faults: PhotoFaults }
  /** Photos that were neither given nor kept: there was no attempt. */
  | { readonly _tag: "MISSING"; readonly missing: ReadonlyArray<IdentityPhoto> }
  | { readonly _tag: "UNAVAILABLE" }
  | { readonly _tag: "TOO_MANY" }
  /** The journey no longer waits for a check. */
  | { readonly _tag: "NOT_ASKED" }
  /** The customer does not agree, or no longer, that their photos are compared (D7). */
  | { readonly _tag: "NOT_AGREED" }

export interface AttemptResult {
  readonly message: Extract<
    JourneyMessage,
    { readonly _tag: "IdentityVerified" | "IdentityUnderReview" | "IdentityFailed" }
  >
  readonly outcome: IdentityOutcome
}

const underReview: IdentityOutcome = { _tag: "UNDER_REVIEW" }

export const attemptResult = (
  verdict: Exclude<AttemptVerdict, "NOT_JUDGED">,
  document: DocumentReading,
  least: LeastAssurance
): AttemptResult => {
  switch (verdict) {
    case "SAME":
      return resultOfMatch(document, least)
    case "UNCLEAR":
      return { message: { _tag: "IdentityUnderReview", reasons: ["FACES_UNCLEAR"] }, outcome: underReview }
    case "DIFFERENT":
    case "SAME_PICTURE": {
      const reason = verdict === "DIFFERENT" ? "FACES_DIFFERENT" : verdict
      return {
        message: { _tag: "IdentityFailed", reasons: [reason], atPage: true },
        outcome: { _tag: "FAILED", reason }
      }
    }
  }
}

const resultOfMatch = (document: DocumentReading, least: LeastAssurance): AttemptResult => {
  const { doubts: reasons, fits } = document
  if (reasons.length > 0) {
    return { message: { _tag: "IdentityUnderReview", reasons, assurance: "FACE_MATCH" }, outcome: underReview }
  }
  const assurance = fits ? "DOCUMENT" : "FACE_MATCH"
  return {
    message: { _tag: "IdentityVerified", assurance, least },
    outcome: isBelow(assurance, least) ? underReview : { _tag: "VERIFIED" }
  }
}
