/**
 * What a thread of `PhotoPool.ts` does: it loads the models once, then looks at one photo at a time.
 * `decodePhoto.ts` reads a photo and `faces.ts` finds faces; this file runs them one after the other.
 */
import * as Duration from "effect/Duration"
import { parentPort, workerData } from "node:worker_threads"
import { move, transferableSymbol, valueSymbol } from "piscina"
import type { CleanLogo } from "../../../actors/company/LogoCheck.ts"
import type { CleanPhoto, ComparedFace, FaceRefused, ReadFace } from "../../../actors/faces/FaceCheck.ts"
import type { FaceBackend } from "../networks/faceBackend.ts"
import type { FaceJudgement } from "../networks/faceJudgement.ts"
import { photoLimits } from "../limits.ts"
import { lowerPriority } from "./lowPriority.ts"

export interface PhotoLook {
  readonly _tag: "Check" | "Logo" | "Read" | "Compared" | "Turned"
  readonly photos: readonly [Photo]
}

type Photo = Uint8Array<ArrayBuffer>

export type PhotoSeen =
  | { readonly _tag: "Check"; readonly photo: CleanPhoto }
  | ({ readonly _tag: "Logo" } & CleanLogo)
  | ({ readonly _tag: "Read" } & ReadFace)
  | ({ readonly _tag: "Compared" } & ComparedFace)
  | { readonly _tag: "Turned"; readonly turned: number }
  | { readonly _tag: "Refused"; readonly code: FaceRefused["code"]; readonly isBlurred: boolean }
  | { readonly _tag: "Unreadable"; readonly rule: string }

/** Posted once, when the thread is ready. */
export interface WorkerStarted {
  readonly backend: string
}

lowerPriority()

// The output of libraries would stand between the lines of the log, and it may quote the photo.
for (const method of ["debug", "error", "info", "log", "warn"] as const) console[method] = () => {}

const watch = setTimeout(() => {
  throw new Error("the models take too long to load")
}, Duration.toMillis(photoLimits.startWithin))
const [{ cleanLogo }, { decodePhoto }, { encodeJpeg }, { loadFaces }] = await Promise.all([
  import("../photos/cleanLogo.ts"),
  import("../photos/decodePhoto.ts"),
  import("../photos/encodeJpeg.ts"),
  import("../networks/faces.ts")
])
const faces = await loadFaces(workerData as FaceBackend | null)
clearTimeout(watch)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.postMessage({ backend: faces.backend } satisfies WorkerStarted)

const refusedBy = (judgement: Exclude<FaceJudgement, { readonly _tag: "ONE_FACE" }>) => {
  const isBlurred = judgement._tag === "NO_FACE" && judgement.isBlurred
  return { _tag: "Refused", code: judgement._tag, isBlurred } as const
}

const seeTurned = async (photo: Photo): Promise<PhotoSeen> => {
  const decoded = decodePhoto(photo)
  if ("problem" in decoded) return { _tag: "Unreadable", rule: decoded.problem }
  const { judgement, turned } = await faces.turned(decoded.pixels, decoded.width, decoded.height)
  return judgement._tag === "ONE_FACE" ? { _tag: "Turned", turned } : refusedBy(judgement)
}

const seeFace = async (photo: Photo, as: "Check" | "Read" | "Compared"): Promise<PhotoSeen> => {
  const decoded = decodePhoto(photo)
  if ("problem" in decoded) return { _tag: "Unreadable", rule: decoded.problem }
  const { height, pixels, width } = decoded
  const judgement = await faces.judge(pixels, width, height)
  if (judgement._tag !== "ONE_FACE") return refusedBy(judgement)
  const { box } = judgement.face
  const print = faces.print(pixels, width, height, box)
  const numbers = () => faces.embed(pixels, width, height, box)
  if (as === "Compared") return { _tag: as, print, numbers: await numbers() }
  const clean = {
    // A copy, because moving takes the whole buffer, and the encoder may use only a part of it.
    jpeg: new Uint8Array(encodeJpeg(decoded)),
    print,
    facePart: box.height / Math.max(width, height)
  }
  return as === "Check" ? { _tag: as, photo: clean } : { _tag: as, photo: clean, numbers: await numbers() }
}

const seeLogo = (image: Photo): PhotoSeen => {
  const logo = cleanLogo(image)
  return "problem" in logo ? { _tag: "Unreadable", rule: logo.problem } : { _tag: "Logo", ...logo }
}

const see = async ({ _tag, photos: [photo] }: PhotoLook): Promise<PhotoSeen> => {
  switch (_tag) {
    case "Check":
    case "Compared":
    case "Read":
      return seeFace(photo, _tag)
    case "Logo":
      return seeLogo(photo)
    case "Turned":
      return seeTurned(photo)
  }
}

/**
 * The function that the pool calls. An error that is no verdict on the photo ends the thread, because the state that it
 * left behind is unknown.
 */
export const look = async (asked: PhotoLook): Promise<unknown> => {
  try {
    const seen = await see(asked)
    const moved = "photo" in seen ? [seen.photo.jpeg.buffer] : []
    return move({ [transferableSymbol]: moved, [valueSymbol]: seen })
  } catch (error) {
    return await new Promise(() => {
      setImmediate(() => {
        throw error
      })
    })
  }
}
