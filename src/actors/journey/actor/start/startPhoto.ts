/** The photo of a start: looked at as every photo is, and refused in the words of a start. */
import { Effect } from "effect"
import { invalid } from "../../../../schema/decoding/bodyDecoder.ts"
import { FaceCheck, type CleanPhoto, type FaceCheckUnavailable } from "../../../faces/FaceCheck.ts"
import { startRefusal, StartRefused } from "./StartRefused.ts"

export const makeJudgePhoto = Effect.map(
  FaceCheck,
  (faces) =>
    (photo: Uint8Array): Effect.Effect<CleanPhoto, StartRefused | FaceCheckUnavailable> =>
      Effect.catchTags(faces.check(photo), {
        FaceRefused: ({ code }) => Effect.fail(startRefusal(code, "customerFace")),
        PhotoUnreadable: ({ rule }) => Effect.fail(new StartRefused([invalid("customerFace", rule)]))
      })
)
