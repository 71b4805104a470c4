/**
 * The port that looks at a customer's photo. It says whether the photo can be read and shows exactly one clear, large
 * enough face, and gives it back clean; and whether two such photos show the same person. What that means for a request,
 * and whether a photo is kept, is the caller's business.
 */
import { Context, Data, type Effect } from "effect"

/** The photo was looked at and refused. */
export class FaceRefused extends Data.TaggedError("FaceRefused")<{
  readonly code: "NO_FACE" | "MULTIPLE_FACES" | "FACE_TOO_SMALL"
}> {}

/** The bytes are no whole image of their kind; `rule` is for whoever sent them. */
export class PhotoUnreadable extends Data.TaggedError("PhotoUnreadable")<{ readonly rule: string }> {}

/** Photos cannot be looked at now. */
export class FaceCheckUnavailable extends Data.TaggedError("FaceCheckUnavailable") {}

/** Decoded and encoded again: nothing but the picture, upright, as JPEG. */
export interface CleanPhoto {
  readonly jpeg: Uint8Array
}

export interface Likeness {
  readonly verdict: "SAME" | "DIFFERENT" | "UNCLEAR"
  /** From 0 to 1, which is the same face. */
  readonly similarity: number
}

type NotLookedAt = FaceRefused | PhotoUnreadable | FaceCheckUnavailable

export class FaceCheck extends Context.Service<
  FaceCheck,
  {
    /** Leaves `photo` as it is. Those who ask about the same photo at once may get the same answer: leave it as it is, too. */
    readonly check: (photo: Uint8Array) => Effect.Effect<CleanPhoto, NotLookedAt>
    readonly compare: (one: Uint8Array, other: Uint8Array) => Effect.Effect<Likeness, NotLookedAt>
  }
>()("journeys/actors/FaceCheck") {}
