/**
 * The photos of an attempt at the identity check: those that the customer sends now, and those that were kept before. A photo that is
 * good enough is kept until an attempt was judged, so that only the other one is taken again.
 */
import { Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import { identityPhotos, type IdentityPhoto } from "./judgePhotos.ts"
import { KeptPhotos, mediumOf } from "./KeptPhotos.ts"
import { Uploads } from "../uploads/Uploads.ts"
import { uploadWhole } from "../uploads/uploadWhole.ts"

/** What came with the customer's form. */
export type GivenPhotos = Readonly<Partial<Record<IdentityPhoto, Uint8Array>>>

export const makeAttemptPhotos = Effect.gen(function* () {
  const kept = yield* KeptPhotos
  const uploads = yield* Uploads

  /** Where a photo cannot be kept, the customer takes it again: nothing else is lost. */
  const keepOne = (journeyId: JourneyId, name: IdentityPhoto, photo: Uint8Array) =>
    uploadWhole(journeyId, mediumOf[name], photo).pipe(
      Effect.provideService(Uploads, uploads),
      Effect.catch(({ _tag }) =>
        Effect.logWarning("A photo of an identity check was not kept", { journeyId, why: _tag })
      )
    )

  return {
    names: kept.names,
    drop: kept.drop,
    /** The photo that was given, or else the one that was kept. */
    all: Effect.fnUntraced(function* (journeyId: JourneyId, given: GivenPhotos) {
      const photoOf = (name: IdentityPhoto) =>
        given[name] === undefined ? kept.read(journeyId, name) : Effect.succeed(given[name])
      const [documentPhoto, selfie] = [yield* photoOf("documentPhoto"), yield* photoOf("selfie")]
      if (documentPhoto !== null && selfie !== null) return { missing: undefined, photos: { documentPhoto, selfie } }
      const missing = { documentPhoto: documentPhoto === null, selfie: selfie === null }
      return { missing: identityPhotos.filter((name) => missing[name]) }
    }),
    /** Keeps photos that were given, but for those that have a fault. */
    keep: (journeyId: JourneyId, given: GivenPhotos, faulty: ReadonlyArray<IdentityPhoto> = []) =>
      Effect.forEach(
        identityPhotos.filter((name) => !faulty.includes(name)),
        (name) => (given[name] === undefined ? Effect.void : keepOne(journeyId, name, given[name])),
        { discard: true }
      )
  }
})
