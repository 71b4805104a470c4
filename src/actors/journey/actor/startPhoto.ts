/** The photo of a start: looked at as every photo is, and refused in the words of a start. */
import { Effect } from "effect"
import { FaceCheck, type CleanPhoto, type FaceCheckUnavailable } from "../../faces/FaceCheck.ts"
import { startRefusal, StartRefused } from "./StartRefused.ts"

export const makeJudgePhoto = Effect.map(
  FaceCheck,
  (faces) =>
    (photo: Uint8Array): Effect.Effect<CleanPhoto, StartRefused | FaceCheckUnavailable> =>
      faces.check(photo).pipe(
        Effect.catchTag("FaceRefused", ({ code }) => Effect.fail(startRefusal(code, "customerFace"))),
        Effect.catchTag("PhotoUnreadable", ({ rule }) =>
          Effect.fail(
            new StartRefused([{ field: "customerFace", code: "VALIDATION_FAILED", message: `customerFace ${rule}` }])
          )
        )
      )
)
