/**
 * The judgement of the BUILT_IN identity check: one look at the photo of a document and at a selfie. The look compares the
 * two faces, and says whether the document's photo shows somebody else in its background. It cannot see whether the document is
 * real, whether a living person took the selfie, and whether the name on the document is the customer's (D6): a company that must
 * know needs an outside provider. A person decides when the comparison is unclear.
 *
 * | seen                                                          | judgement      |
 * |---------------------------------------------------------------|----------------|
 * | a photo that cannot be read, or without one clear, large face | Unusable       |
 * | one picture twice, or a picture that was given before         | SAME_PICTURE   |
 * | the same face                                                 | SAME           |
 * | perhaps the same face                                         | UNCLEAR        |
 * | another face                                                  | DIFFERENT      |
 */
import { Effect } from "effect"
import type { CleanPhoto, FaceCheck, FaceCheckUnavailable, FaceRefused, LookFailed } from "../../faces/FaceCheck.ts"
import { isSamePicture } from "../../faces/samePicture.ts"

/** The two photos of an attempt, named as the fields of the customer's form. */
export const identityPhotos = ["documentPhoto", "selfie"] as const
export type IdentityPhoto = (typeof identityPhotos)[number]

/** Why a photo is of no use. The customer takes that photo again, and no attempt is counted. */
export type PhotoFault = FaceRefused["code"] | "BLURRED" | "UNREADABLE"

export type PhotoFaults = Readonly<Partial<Record<IdentityPhoto, PhotoFault>>>

export type Prints = Readonly<Record<IdentityPhoto, Uint8Array>>

export type IdentityJudgement =
  | {
      readonly _tag: "Judged"
      readonly verdict: "SAME" | "UNCLEAR" | "DIFFERENT" | "SAME_PICTURE"
      /** In the background of the document's photo there is somebody else. */
      readonly showsOthers: boolean
      readonly clean: Readonly<Record<IdentityPhoto, CleanPhoto>>
    }
  | { readonly _tag: "Unusable"; readonly faults: PhotoFaults }

type Looked<Face> = { readonly face: Face } | { readonly fault: PhotoFault }

const looked = <Face>(read: Effect.Effect<Face, LookFailed>): Effect.Effect<Looked<Face>, FaceCheckUnavailable> =>
  read.pipe(
    Effect.map((face): Looked<Face> => ({ face })),
    Effect.catchTags({
      FaceRefused: ({ code, isBlurred }) =>
        Effect.succeed<Looked<Face>>({ fault: isBlurred === true ? "BLURRED" : code }),
      PhotoUnreadable: () => Effect.succeed<Looked<Face>>({ fault: "UNREADABLE" })
    })
  )

const faultsOf = (looked: Readonly<Record<IdentityPhoto, Looked<unknown>>>): PhotoFaults =>
  Object.fromEntries(
    identityPhotos.flatMap((name) => {
      const one = looked[name]
      return "fault" in one ? [[name, one.fault] as const] : []
    })
  )

/**
 * A selfie is a picture of its own. The document may be photographed once for several attempts, but no picture may be the
 * document in one attempt and the selfie in another. Each comparison takes some milliseconds: others have their turn between two.
 */
const isOnePicture = Effect.fnUntraced(function* (
  document: CleanPhoto,
  selfie: CleanPhoto,
  earlier: ReadonlyArray<Prints>
) {
  const pairs = [
    [document.print, selfie.print] as const,
    ...earlier.flatMap(
      (before) => [[before.documentPhoto, selfie.print] as const, [before.selfie, document.print] as const] as const
    )
  ]
  for (const [one, other] of pairs) {
    if (isSamePicture(one, other)) return true
    yield* Effect.yieldNow
  }
  return false
})

/** Each photo is looked at alone first, so that the customer learns which photo is unusable. Only clean copies are kept. */
export const judgePhotos = Effect.fn("builtInCheck.judgePhotos")(function* (
  faces: FaceCheck["Service"],
  photos: Readonly<Record<IdentityPhoto, Uint8Array>>,
  earlier: ReadonlyArray<Prints>
): Effect.fn.Return<IdentityJudgement, FaceCheckUnavailable> {
  const seen = {
    documentPhoto: yield* looked(faces.readDocument(photos.documentPhoto)),
    selfie: yield* looked(faces.read(photos.selfie))
  }
  if ("fault" in seen.documentPhoto || "fault" in seen.selfie) {
    return { _tag: "Unusable", faults: faultsOf(seen) }
  }
  const { face: document } = seen.documentPhoto
  const { face: selfie } = seen.selfie
  const clean = { documentPhoto: document.photo, selfie: selfie.photo }
  // The second portrait that some documents have is the same face.
  const showsOthers = document.beside.some((face) => faces.likeness(face, document).verdict === "DIFFERENT")
  const judged = (verdict: Extract<IdentityJudgement, { _tag: "Judged" }>["verdict"]): IdentityJudgement => ({
    _tag: "Judged",
    verdict,
    showsOthers,
    clean
  })
  if (yield* isOnePicture(clean.documentPhoto, clean.selfie, earlier)) return judged("SAME_PICTURE")
  return judged(faces.likeness(document, selfie).verdict)
})
