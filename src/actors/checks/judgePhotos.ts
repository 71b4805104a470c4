/**
 * The BUILT_IN identity check: one look at a document's photo and a selfie. It compares the two faces and nothing else:
 * that the document is genuine, that a living person took the selfie, and that the name on the document is the customer's
 * (D6) it cannot see, and a company that needs to know must have an outside provider. No clear answer goes to a person.
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
import type { IdentityPhoto } from "./IdentityAttempts.ts"
import type { CleanPhoto, FaceCheck, FaceCheckUnavailable, FaceRefused } from "../faces/FaceCheck.ts"

export type Judgement =
  | {
      readonly _tag: "Judged"
      readonly verdict: "SAME" | "UNCLEAR" | "DIFFERENT"
      readonly document: Uint8Array
      readonly selfie: Uint8Array
    }
  | { readonly _tag: "NoFace" }
  /** `rule` completes a sentence about the photo. */
  | { readonly _tag: "Unreadable"; readonly which: IdentityPhoto; readonly rule: string }

type Looked = { readonly _tag: "Clean"; readonly photo: CleanPhoto } | Exclude<Judgement, { readonly _tag: "Judged" }>

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

/** Each photo is looked at alone first, so that it is known which one is of no use; what is kept of them is clean. */
export const judgePhotos = Effect.fn("builtInCheck.judgePhotos")(function* (
  faces: FaceCheck["Service"],
  documentPhoto: Uint8Array,
  selfiePhoto: Uint8Array
): Effect.fn.Return<Judgement, FaceCheckUnavailable> {
  const document = yield* look(faces, "documentPhoto", documentPhoto)
  if (document._tag !== "Clean") return document
  const selfie = yield* look(faces, "selfie", selfiePhoto)
  if (selfie._tag !== "Clean") return selfie
  const clean = { document: document.photo.jpeg, selfie: selfie.photo.jpeg }
  return yield* faces.compare(clean.document, clean.selfie).pipe(
    Effect.map(({ verdict }): Judgement => ({ _tag: "Judged", verdict, ...clean })),
    Effect.catchTags({
      // Both had a clear face a moment ago: what is found in the clean copies is no clear answer.
      FaceRefused: () => Effect.succeed<Judgement>({ _tag: "Judged", verdict: "UNCLEAR", ...clean }),
      PhotoUnreadable: () => Effect.succeed<Judgement>({ _tag: "Judged", verdict: "UNCLEAR", ...clean })
    })
  )
})
