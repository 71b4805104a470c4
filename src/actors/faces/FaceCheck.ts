/**
 * The port that looks at photos of people. It says whether a photo can be read and shows exactly one clear, large enough
 * face, and answers with a clean copy; and it says whether two such photos show the same person. What this means for a
 * request or a check, and whether a photo is kept, is the caller's decision.
 */
import { Context, Data, type Effect } from "effect"

/** The photo was looked at and refused. */
export class FaceRefused extends Data.TaggedError("FaceRefused")<{
  readonly code: "NO_FACE" | "MULTIPLE_FACES" | "FACE_TOO_SMALL"
  /** There is a face, but too blurred to be called one. */
  readonly isBlurred?: boolean
}> {}

/** The bytes are not a whole image of their kind. `rule` is shown to the sender of the photo. */
export class PhotoUnreadable extends Data.TaggedError("PhotoUnreadable")<{ readonly rule: string }> {}

/** Photos cannot be looked at now. */
export class FaceCheckUnavailable extends Data.TaggedError("FaceCheckUnavailable") {}

/** The photo decoded and encoded again: upright, as JPEG, without anything beside the picture. */
export interface CleanPhoto {
  readonly jpeg: Uint8Array
  /** A small grey picture of the face, by which `samePicture.ts` knows the picture again. It is personal data like the photo. */
  readonly print: Uint8Array
  /** The height of the face from the brows to the chin, in parts of the photo's longer side. */
  readonly facePart: number
}

export interface Likeness {
  readonly verdict: "SAME" | "DIFFERENT" | "UNCLEAR"
  /** From 0 to 1; 1 is the same face. */
  readonly similarity: number
}

/**
 * What a face is compared by. To find a face takes nearly all of the time of a comparison, so a photo is read once and compared with any
 * number of others.
 */
interface FaceNumbers {
  /** 128 numbers that tell people apart (a biometric template). Whoever compares faces forgets them; they are kept nowhere. */
  readonly numbers: Float32Array
}

export interface ReadFace extends FaceNumbers {
  readonly photo: CleanPhoto
}

export interface ReadDocument extends ReadFace {
  /** Clear faces of the background, less than half as high as the one that counts. */
  readonly beside: ReadonlyArray<FaceNumbers>
}

/** Of a photo that nobody keeps: its print is left, as that of a `CleanPhoto`. */
export interface ComparedFace extends FaceNumbers, Pick<CleanPhoto, "print"> {}

export type LookFailed = FaceRefused | PhotoUnreadable | FaceCheckUnavailable

export class FaceCheck extends Context.Service<
  FaceCheck,
  {
    /**
     * The check does not change `photo`. Callers that ask about the same photo at the same time may get the same object, so
     * no caller may change the clean photo.
     */
    readonly check: (photo: Uint8Array) => Effect.Effect<CleanPhoto, LookFailed>
    /**
     * Whether one more photo of whom this fiber works for would be looked at, or wait for its turn. Otherwise `check` fails at once with
     * `FaceCheckUnavailable`, and a photo that has not been read yet need not be read.
     */
    readonly hasRoom: Effect.Effect<boolean>
    /**
     * How far the one face of a photo is turned to the person's left, in widths between the eyes (`headTurns.ts`); less than nothing to
     * the right. It takes less time than `check`, and may miss a face that fills the photo.
     */
    readonly turned: (photo: Uint8Array) => Effect.Effect<number, LookFailed>
    /** `check`, with what the face is compared by. */
    readonly read: (photo: Uint8Array) => Effect.Effect<ReadFace, LookFailed>
    /** `read` for the photo of a document, in which it matters who else is to be seen. It takes twice the time. */
    readonly readDocument: (photo: Uint8Array) => Effect.Effect<ReadDocument, LookFailed>
    /**
     * For work that no caller waits for: it waits for its turn as long as it takes. The photo is not encoded again, which would take a
     * tenth of the time of a look.
     */
    readonly readInTurn: (photo: Uint8Array) => Effect.Effect<ComparedFace, LookFailed>
    readonly likeness: (one: FaceNumbers, other: FaceNumbers) => Likeness
  }
>()("journeys/actors/FaceCheck") {}
