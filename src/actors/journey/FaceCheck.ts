/**
 * The port that looks at a customer's photo. It says whether the photo shows exactly one clear, large enough face; what
 * that means for a request is the caller's business.
 */
import { Context, Data, type Effect } from "effect"

/** The photo was looked at and refused. */
export class FaceRefused extends Data.TaggedError("FaceRefused")<{
  readonly code: "NO_FACE" | "MULTIPLE_FACES" | "FACE_TOO_SMALL"
}> {}

/** Photos cannot be looked at now. */
export class FaceCheckUnavailable extends Data.TaggedError("FaceCheckUnavailable") {}

export class FaceCheck extends Context.Service<
  FaceCheck,
  {
    readonly check: (photo: Uint8Array, livemode: boolean) => Effect.Effect<void, FaceRefused | FaceCheckUnavailable>
  }
>()("journeys/actors/FaceCheck") {}
