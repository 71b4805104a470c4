/**
 * What the faces in the frames of a handover video say together about the person in it. Pure: it sees how each frame
 * compared with the reference, never a picture.
 *
 * Handing a vehicle to somebody else is worse than asking a person to look, and turning a customer away lies between.
 * So one frame never decides anything: a single "same" may be a photo held up for a moment, and of the frames of one
 * person 1 in 100 is called "different" (`faceThresholds.ts`). And a video that shows two people, one after the other,
 * is for a person to judge, unless the customer is seen clearly more often.
 *
 * Nobody is found to be alive by this: a video of a photo matches like one of the customer.
 */
import type { Likeness } from "../faces/FaceCheck.ts"

export type VideoVerdict = "MATCH" | "UNCLEAR" | "MISMATCH"

/** Frames that must agree before they decide. */
const leastAgreeing = 2

/** `compared`: one for each frame that shows exactly one clear face; the others say nothing. */
export const videoVerdict = (compared: ReadonlyArray<Likeness["verdict"]>): VideoVerdict => {
  const count = (verdict: Likeness["verdict"]) => compared.filter((one) => one === verdict).length
  const [same, different] = [count("SAME"), count("DIFFERENT")]
  if (same >= leastAgreeing && different < same) return "MATCH"
  const isSomebodyElse = same === 0 && different >= leastAgreeing && different * 2 > compared.length
  return isSomebodyElse ? "MISMATCH" : "UNCLEAR"
}

/** Whether the customer is recognised whatever the frames still to come show, so that they need not be compared. */
export const isMatchAlready = (compared: ReadonlyArray<Likeness["verdict"]>, left: number): boolean =>
  videoVerdict([...compared, ...Array.from({ length: left }, () => "DIFFERENT" as const)]) === "MATCH"
