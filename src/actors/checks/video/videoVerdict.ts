/**
 * What the faces in the frames of a handover video say together about the person in it. Pure: this file sees how each frame
 * compares with the reference photo, never a picture.
 *
 * To hand a vehicle to a stranger is worse than to ask a person to look, and to turn a customer away lies between the two.
 * So one frame never decides. A single "same" may be a photo that was held up for a moment, and 1 in 100 frames of the
 * right person is called "different" (`faceThresholds.ts`). A video that shows two people, one after the other, goes to a
 * person, unless the customer is seen in clearly more frames.
 *
 * No verdict says that the person is alive. But a video that shows nothing than the reference photo itself, or one picture
 * all the time, goes to a person, however well it matches. This file cannot tell a photo that is filmed with much movement
 * from a person.
 */
import type { TurnsOutcome } from "../../../schema/media/headTurns.ts"
import type { CheckReason } from "../../../schema/journey/statuses.ts"
import type { Likeness } from "../../faces/FaceCheck.ts"
import { checkLimits } from "../limits.ts"

export type VideoVerdict = "MATCH" | "UNCLEAR" | "MISMATCH"

/** `compared` holds one entry for each frame that shows exactly one clear face. The other frames say nothing. */
export const videoVerdict = (compared: ReadonlyArray<Likeness["verdict"]>): VideoVerdict => {
  const count = (verdict: Likeness["verdict"]) => compared.filter((one) => one === verdict).length
  const [same, different] = [count("SAME"), count("DIFFERENT")]
  if (same >= checkLimits.fewestAgreeingFrames && different < same) return "MATCH"
  const isSomebodyElse = same === 0 && different >= checkLimits.fewestAgreeingFrames && different * 2 > compared.length
  return isSomebodyElse ? "MISMATCH" : "UNCLEAR"
}

/** A verdict with the codes that say why; a match needs none. */
export interface VideoJudgement {
  readonly verdict: VideoVerdict
  readonly reasons: ReadonlyArray<string>
}

/** What is known of one picture shown all the time: the reference photo itself, or any other. */
export type PictureShown = "REFERENCE" | "STILL" | "MOVING"

const notAlive = { REFERENCE: "SAME_PICTURE", STILL: "STILL_PICTURE" } as const satisfies Record<string, CheckReason>

const notMet = { OTHERS: "TURNS_OTHERS", NOT_SEEN: "TURNS_NOT_SEEN" } as const satisfies Record<string, CheckReason>

/** A match without the turns that were asked for goes to a person. They are never a reason to turn a customer away. */
export const withTurns = (judgement: VideoJudgement, turns: TurnsOutcome): VideoJudgement =>
  turns === "MET" || judgement.verdict !== "MATCH" ? judgement : { verdict: "UNCLEAR", reasons: [notMet[turns]] }

/** `crowded`: how many frames show several faces; they are not among the compared. */
export const judgedVideo = (
  compared: ReadonlyArray<Likeness["verdict"]>,
  crowded: number,
  shown: PictureShown
): VideoJudgement => {
  const verdict = videoVerdict(compared)
  if (verdict !== "MATCH") return { verdict, reasons: [reasonOf(verdict, compared, crowded)] }
  return shown === "MOVING" ? { verdict, reasons: [] } : { verdict: "UNCLEAR", reasons: [notAlive[shown]] }
}

const reasonOf = (
  verdict: Exclude<VideoVerdict, "MATCH">,
  compared: ReadonlyArray<Likeness["verdict"]>,
  crowded: number
): CheckReason => {
  if (verdict === "MISMATCH") return "VIDEO_MISMATCH"
  if (compared.length === 0) return crowded > 0 ? "SEVERAL_PEOPLE" : "NO_FACE"
  const isSeen = (likeness: Likeness["verdict"]) =>
    compared.filter((one) => one === likeness).length >= checkLimits.fewestAgreeingFrames
  return isSeen("SAME") && isSeen("DIFFERENT") ? "SEVERAL_PEOPLE" : "VIDEO_UNCLEAR"
}

/** Whether the video matches whatever the remaining frames show, so that they need not be compared. */
export const isMatchAlready = (compared: ReadonlyArray<Likeness["verdict"]>, left: number): boolean =>
  videoVerdict([...compared, ...Array.from({ length: left }, () => "DIFFERENT" as const)]) === "MATCH"
