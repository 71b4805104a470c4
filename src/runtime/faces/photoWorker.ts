/**
 * What a thread of `PhotoPool.ts` does: it loads the models once, then looks at one photo, or compares two, at a time.
 * `decodePhoto.ts` reads a photo and `faces.ts` finds faces; this file runs them one after the other.
 */
import * as Duration from "effect/Duration"
import { parentPort, workerData } from "node:worker_threads"
import { move, transferableSymbol, valueSymbol } from "piscina"
import type { CleanLogo } from "../../actors/company/LogoCheck.ts"
import type { CleanPhoto, Compared, FaceRefused } from "../../actors/faces/FaceCheck.ts"
import type { FaceBackend } from "./faceBackend.ts"
import type { FaceJudgement } from "./faceJudgement.ts"
import { photoLimits } from "./limits.ts"
import { lowerPriority } from "./lowPriority.ts"

export type PhotoLook =
  | { readonly _tag: "Check"; readonly photos: readonly [Photo] }
  | { readonly _tag: "Compare"; readonly photos: readonly [Photo, Photo] }
  | { readonly _tag: "Logo"; readonly photos: readonly [Photo] }
  | { readonly _tag: "Turned"; readonly photos: readonly [Photo] }

type Photo = Uint8Array<ArrayBuffer>

export type PhotoSeen =
  | ({ readonly _tag: "Check" } & CleanPhoto)
  | ({ readonly _tag: "Compare" } & Compared)
  | ({ readonly _tag: "Logo" } & CleanLogo)
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
const [{ cleanLogo }, { decodePhoto }, { compare, loadFaces, similarity }] = await Promise.all([
  import("./cleanLogo.ts"),
  import("./decodePhoto.ts"),
  import("./faces.ts")
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

const lookAt = async (photo: Photo) => {
  const decoded = decodePhoto(photo)
  if ("problem" in decoded) return { _tag: "Unreadable", rule: decoded.problem } as const
  const { height, jpeg, pixels, width } = decoded
  const judgement = await faces.judge(pixels, width, height)
  if (judgement._tag !== "ONE_FACE") return refusedBy(judgement)
  const { box } = judgement.face
  return {
    _tag: "Face",
    jpeg,
    print: faces.print(pixels, width, height, box),
    facePart: box.height / Math.max(width, height),
    embed: () => faces.embed(pixels, width, height, box)
  } as const
}

const seeLogo = (image: Photo): PhotoSeen => {
  const logo = cleanLogo(image)
  return "problem" in logo ? { _tag: "Unreadable", rule: logo.problem } : { _tag: "Logo", ...logo }
}

const see = async (asked: PhotoLook): Promise<PhotoSeen> => {
  if (asked._tag === "Logo") return seeLogo(asked.photos[0])
  if (asked._tag === "Turned") return seeTurned(asked.photos[0])
  const one = await lookAt(asked.photos[0])
  if (one._tag !== "Face") return one
  // A copy, because moving takes the whole buffer, and the encoder may use only a part of it.
  if (asked._tag === "Check") {
    const { facePart, print } = one
    return { _tag: "Check", jpeg: new Uint8Array(one.jpeg), print, facePart }
  }
  const other = await lookAt(asked.photos[1])
  if (other._tag !== "Face") return other
  const [a, b] = [await one.embed(), await other.embed()]
  return { _tag: "Compare", verdict: compare(a, b), similarity: similarity(a, b), prints: [one.print, other.print] }
}

/**
 * The function that the pool calls. An error that is no verdict on the photo ends the thread, because the state that it
 * left behind is unknown.
 */
export const look = async (asked: PhotoLook): Promise<unknown> => {
  try {
    const seen = await see(asked)
    const moved = seen._tag === "Check" ? [seen.jpeg.buffer] : []
    return move({ [transferableSymbol]: moved, [valueSymbol]: seen })
  } catch (error) {
    return await new Promise(() => {
      setImmediate(() => {
        throw error
      })
    })
  }
}
