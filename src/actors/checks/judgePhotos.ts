/**
 * The judgement of the BUILT_IN identity check: one look at the photo of a document and at a selfie. The look compares the
 * two faces and nothing else. It cannot see whether the document is real, whether a living person took the selfie, and
 * whether the name on the document is the customer's (D6): a company that must know needs an outside provider. A person
 * decides when the comparison is unclear.
 *
 * | seen                                         | judgement       |
 * |----------------------------------------------|-----------------|
 * | the same face                                | SAME            |
 * | perhaps the same face                        | UNCLEAR         |
 * | another face                                 | DIFFERENT       |
 * | no face in one of the photos                 | NO_FACE         |
 * | no photo, several faces, too small a face    | Unreadable      |
 */
import { Effect } from "effect"
import type { CleanPhoto, FaceCheck, FaceCheckUnavailable, FaceRefused } from "../faces/FaceCheck.ts"

/** The two photos of an attempt, named as the fields of the customer's form. */
export type IdentityPhoto = "documentPhoto" | "selfie"

export type IdentityJudgement =
  | {
      readonly _tag: "Judged"
      readonly verdict: "SAME" | "UNCLEAR" | "DIFFERENT"
      readonly document: Uint8Array
      readonly selfie: Uint8Array
    }
  | { readonly _tag: "NoFace" }
  /** `rule` ends a sentence about the photo. */
  | { readonly _tag: "Unreadable"; readonly which: IdentityPhoto; readonly rule: string }

type Looked =
  | { readonly _tag: "Clean"; readonly photo: CleanPhoto }
  | Exclude<IdentityJudgement, { readonly _tag: "Judged" }>

const rules: Readonly<Record<Exclude<FaceRefused["code"], "NO_FACE">, string>> = {
  MULTIPLE_FACES: "shows more than one face",
  FACE_TOO_SMALL: "shows too small a face"
}

const look = (
  faces: FaceCheck["Service"],
  which: IdentityPhoto,
  photo: Uint8Array
): Effect.Effect<Looked, FaceCheckUnavailable> =>
  faces.check(photo).pipe(
    Effect.map((clean): Looked => ({ _tag: "Clean", photo: clean })),
    Effect.catchTags({
      FaceRefused: ({ code }) =>
        Effect.succeed<Looked>(
          code === "NO_FACE" ? { _tag: "NoFace" } : { _tag: "Unreadable", which, rule: rules[code] }
        ),
      PhotoUnreadable: ({ rule }) => Effect.succeed<Looked>({ _tag: "Unreadable", which, rule })
    })
  )

/** Each photo is looked at alone first, so that the customer learns which photo is unusable. Only clean copies are kept. */
export const judgePhotos = Effect.fn("builtInCheck.judgePhotos")(function* (
  faces: FaceCheck["Service"],
  documentPhoto: Uint8Array,
  selfiePhoto: Uint8Array
): Effect.fn.Return<IdentityJudgement, FaceCheckUnavailable> {
  const document = yield* look(faces, "documentPhoto", documentPhoto)
  if (document._tag !== "Clean") return document
  const selfie = yield* look(faces, "selfie", selfiePhoto)
  if (selfie._tag !== "Clean") return selfie
  const clean = { document: document.photo.jpeg, selfie: selfie.photo.jpeg }
  return yield* faces.compare(clean.document, clean.selfie).pipe(
    Effect.map(({ verdict }): IdentityJudgement => ({ _tag: "Judged", verdict, ...clean })),
    Effect.catchTags({
      // Each photo showed a clear face a moment ago: a clean copy without one gives no clear answer.
      FaceRefused: () => Effect.succeed<IdentityJudgement>({ _tag: "Judged", verdict: "UNCLEAR", ...clean }),
      PhotoUnreadable: () => Effect.succeed<IdentityJudgement>({ _tag: "Judged", verdict: "UNCLEAR", ...clean })
    })
  )
})
