/**
 * The process of `PhotoPool.ts`: it loads the models once, then looks at one photo after another. The photos come in at standard input,
 * and the answers go out at standard output (`photoMessages.ts`). `decodePhoto.ts` reads a photo and `faces.ts` finds faces; this file
 * runs them one after the other.
 */
import type { FaceBackend } from "../networks/backends.ts"
import type { FaceJudgement } from "../networks/faceJudgement.ts"
import { answerAll, comeAfterOthers, keepQuiet } from "../../processes/answering.ts"
import { photoLimits } from "../limits.ts"
import { looksForDocuments } from "../networks/faceThresholds.ts"
import { answerTo, lookIn, type PhotoLook, type PhotoSeen, type PhotosReady } from "./photoMessages.ts"

keepQuiet()

const [{ cleanLogo }, { decodePhoto }, { encodeJpeg }, { loadFaces }] = await Promise.all([
  import("../photos/cleanLogo.ts"),
  import("../photos/decodePhoto.ts"),
  import("../photos/encodeJpeg.ts"),
  import("../networks/faces.ts")
])
/** The backend that is asked for; nothing: the best one that works. */
const [backend = ""] = process.argv.slice(2) as ReadonlyArray<FaceBackend | "">
const faces = await loadFaces(backend === "" ? null : backend)

const refusedBy = (judgement: Exclude<FaceJudgement, { readonly _tag: "ONE_FACE" }>) => {
  const isBlurred = judgement._tag === "NO_FACE" && judgement.isBlurred
  return { _tag: "Refused", code: judgement._tag, isBlurred } as const
}

const seeTurned = async (photo: Uint8Array): Promise<PhotoSeen> => {
  const decoded = decodePhoto(photo)
  if ("problem" in decoded) return { _tag: "Unreadable", rule: decoded.problem }
  const { judgement, turned } = await faces.turned(decoded.pixels, decoded.width, decoded.height)
  return judgement._tag === "ONE_FACE" ? { _tag: "Turned", turned } : refusedBy(judgement)
}

const seeFace = async (photo: Uint8Array, as: "Check" | "Read" | "Document" | "Compared"): Promise<PhotoSeen> => {
  const decoded = decodePhoto(photo)
  if ("problem" in decoded) return { _tag: "Unreadable", rule: decoded.problem }
  const { height, pixels, width } = decoded
  const judgement = await faces.judge(pixels, width, height, as === "Document" ? looksForDocuments : undefined)
  if (judgement._tag !== "ONE_FACE") return refusedBy(judgement)
  const { box } = judgement.face
  const print = await faces.print(pixels, width, height, box)
  const numbers = () => faces.embed(pixels, width, height, box)
  if (as === "Compared") return { _tag: as, print, numbers: await numbers() }
  const clean = {
    // A copy, because the encoder uses its memory again before everything has been written.
    jpeg: new Uint8Array(encodeJpeg(decoded)),
    print,
    facePart: box.height / Math.max(width, height)
  }
  if (as === "Check") return { _tag: as, photo: clean }
  if (as === "Read") return { _tag: as, photo: clean, numbers: await numbers() }
  const beside = []
  for (const face of judgement.beside) beside.push({ numbers: await faces.embed(pixels, width, height, face.box) })
  return { _tag: as, photo: clean, numbers: await numbers(), beside }
}

const seeLogo = (image: Uint8Array): PhotoSeen => {
  const logo = cleanLogo(image)
  return "problem" in logo ? { _tag: "Unreadable", rule: logo.problem } : { _tag: "Logo", ...logo }
}

const see = async ({ _tag, photo }: PhotoLook): Promise<PhotoSeen> => {
  switch (_tag) {
    case "Check":
    case "Compared":
    case "Document":
    case "Read":
      return seeFace(photo, _tag)
    case "Logo":
      return seeLogo(photo)
    case "Turned":
      return seeTurned(photo)
  }
}

comeAfterOthers(photoLimits.niceness)
await answerAll({ _tag: "Ready", backend: faces.backend } satisfies PhotosReady, async (question) =>
  answerTo(await see(lookIn(question)))
)
