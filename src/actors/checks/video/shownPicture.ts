/**
 * Whether a video shows a picture instead of a person: its frames are all the reference photo, or all the same picture. The prints
 * are those of the frames that show the reference's person. `videoVerdict.ts` says what follows.
 */
import { Effect } from "effect"
import { isFilmedPicture, isStillPicture } from "../../faces/samePicture.ts"
import { checkLimits } from "../limits.ts"
import type { PictureShown } from "./videoVerdict.ts"

/** Each comparison takes some milliseconds: others have their turn between two. */
const areAll = Effect.fnUntraced(function* (prints: ReadonlyArray<Uint8Array>, isSo: (print: Uint8Array) => boolean) {
  for (const print of prints) {
    if (!isSo(print)) return false
    yield* Effect.yieldNow
  }
  return true
})

export const shownPicture = Effect.fnUntraced(function* (prints: ReadonlyArray<Uint8Array>, reference: Uint8Array) {
  const moving: PictureShown = "MOVING"
  const [first, ...others] = prints
  if (first === undefined || prints.length < checkLimits.fewestAgreeingFrames) return moving
  if (yield* areAll(prints, (print) => isFilmedPicture(print, reference))) return "REFERENCE" satisfies PictureShown
  return (yield* areAll(others, (print) => isStillPicture(first, print))) ? ("STILL" satisfies PictureShown) : moving
})
