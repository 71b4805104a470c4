/**
 * The judgement of a portrait that an outside provider sent: whether it may be the face that the handover video is compared
 * with. A portrait is looked at as any photo is, and only its clean copy is kept. A portrait of no use never spoils the
 * result that it came with.
 */
import { Effect } from "effect"
import { imageType } from "../../../schema/media/imageHeader.ts"
import { callbackLimits } from "../../../schema/requests/limits.ts"
import type { CleanPhoto, FaceCheck, FaceCheckUnavailable, FaceRefused } from "../../faces/FaceCheck.ts"

export type JudgedPortrait =
  | { readonly _tag: "Usable"; readonly portrait: CleanPhoto }
  /** `rule` ends a sentence about the portrait. */
  | { readonly _tag: "Unusable"; readonly rule: string }

const { largestPortraitBytes } = callbackLimits

const faceRules: Readonly<Record<FaceRefused["code"], string>> = {
  NO_FACE: "shows no face",
  MULTIPLE_FACES: "shows more than one face",
  FACE_TOO_SMALL: "shows too small a face"
}

const unusable = (rule: string): JudgedPortrait => ({ _tag: "Unusable", rule })

/** Null: the text is no base64. Buffer would skip over whatever is none. */
const decoded = (base64: string): Uint8Array | null =>
  base64 !== "" && base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
    ? Buffer.from(base64, "base64")
    : null

/** Fails only when no photo can be looked at now. */
export const judgePortrait = (
  faces: FaceCheck["Service"],
  base64: string
): Effect.Effect<JudgedPortrait, FaceCheckUnavailable> => {
  const bytes = decoded(base64)
  if (bytes === null) return Effect.succeed(unusable("is not in base64"))
  if (bytes.length > largestPortraitBytes)
    return Effect.succeed(unusable(`has more than ${largestPortraitBytes} bytes`))
  if (imageType(bytes) !== "JPEG") return Effect.succeed(unusable("is no JPEG image"))
  return faces.check(bytes).pipe(
    Effect.map((portrait): JudgedPortrait => ({ _tag: "Usable", portrait })),
    Effect.catchTags({
      FaceRefused: ({ code }) => Effect.succeed(unusable(faceRules[code])),
      PhotoUnreadable: ({ rule }) => Effect.succeed(unusable(rule))
    })
  )
}
