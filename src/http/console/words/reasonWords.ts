/**
 * What the codes of reviews, checks and frames say, in words for the team. The codes themselves stand beside the words. A code
 * that is not here comes from an outside provider, or is what became of an attempt. What customers read is elsewhere.
 */
import type { CheckReason } from "../../../schema/journey/statuses.ts"
import type { ReviewKind } from "../../../schema/journey/ReviewKind.ts"
import type { HeadTurn, TurnsOutcome } from "../../../schema/media/headTurns.ts"
import type { FrameOutcome } from "../../../schema/review/CaseFile.ts"
import type { PictureName } from "../../../schema/review/Review.ts"
import { html, type Html } from "../../server/pages/html.ts"

const ofChecks: Readonly<Record<CheckReason, string>> = {
  CONSENT_REFUSED: "The customer does not want faces to be compared",
  CONSENT_WITHDRAWN: "The customer has withdrawn the consent to compare faces",
  FACES_UNCLEAR: "The document and the selfie perhaps show two people",
  FACES_DIFFERENT: "The document and the selfie show two people",
  SAME_PICTURE: "One picture was given twice, or the video shows a photo that was given before",
  NO_FACE: "No face is to be seen",
  NO_DOCUMENT: "The photo of the document shows a face, but hardly any text, as a document would",
  NAME_DIFFERS: "The document has other names than the customer",
  BIRTH_DATE_DIFFERS: "The document has another birth date than the customer",
  DOCUMENT_EXPIRED: "The document has expired",
  DOCUMENT_UNREADABLE: "The document's machine-readable lines could not be read",
  ASSURANCE_TOO_LOW: "The check reached less than the company asks for",
  VIDEO_UNCLEAR: "The person in the video cannot be told",
  VIDEO_MISMATCH: "The video shows somebody else",
  STILL_PICTURE: "The video shows a picture that does not move",
  TURNS_NOT_SEEN: "The turns of the head that were asked for were not all seen, or not surely on the customer",
  TURNS_OTHERS: "The head was turned otherwise than asked",
  SEVERAL_PEOPLE: "Several people are seen in the video, or in the photo of the document",
  TEAM_REJECTED: "Somebody of the team said no",
  PROVIDER_DECISION: "The outside provider asks for a decision"
}

const ofAttempts: Readonly<Record<string, string>> = {
  ...ofChecks,
  NO_REFERENCE: "There is no photo to compare the video with",
  NO_VIDEO: "The video is not kept any more",
  UNREADABLE: "The video cannot be read",
  TIMEOUT: "There was no answer in time",
  TOOK_TOO_LONG: "It took too long",
  STORE_UNAVAILABLE: "The database was away",
  EKYC_NOT_CONFIGURED: "No identity provider is set up",
  INSUFFICIENT_CREDITS: "The wallet has no credits",
  PROVIDER_ERROR: "The outside provider did not answer as it should"
}

/** The reason in words, with its code. */
export const reasonInWords = (code: string): Html => {
  const words = ofAttempts[code]
  return words === undefined ? html`<code>${code}</code>` : html`${words} <small><code>${code}</code></small>`
}

export const reviewKindNames: Readonly<Record<ReviewKind, string>> = {
  IDENTITY: "Identity check",
  VIDEO: "Handover video",
  CHECK_UNAVAILABLE: "Check could not be started"
}

export const frameOutcomeNames: Readonly<Record<FrameOutcome, string>> = {
  SAME: "The same person",
  UNCLEAR: "Cannot be told",
  DIFFERENT: "Somebody else",
  NO_FACE: "No clear face",
  SEVERAL_FACES: "Several faces",
  NOT_COMPARED: "Not compared"
}

export const turnsInWords = (turns: ReadonlyArray<HeadTurn>): string =>
  turns.length === 0 ? "None" : turns.map((turn) => (turn === "LEFT" ? "left" : "right")).join(", ")

export const turnsOutcomeNames: Readonly<Record<TurnsOutcome, string>> = {
  MET: "As asked, by the customer",
  OTHERS: "Other turns, or in another order",
  NOT_SEEN: "Too few, too unsure, or not surely the customer"
}

export const pictureNames: Readonly<Record<PictureName, string>> = {
  "customer-photo": "Photo that the seller sent",
  document: "Identity document",
  selfie: "Selfie of the customer",
  portrait: "Portrait from the outside provider"
}
