/**
 * The port to photos that wait for an attempt at the identity check: what the customer has uploaded, or the good one of two photos
 * of which the other must be taken again. They are kept sealed for `checkLimits.photosKeptFor`, for this step alone.
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { IdentityPhoto } from "./judgePhotos.ts"
import type { PhotoMedium } from "../uploads/uploadRows.ts"

/** The photo of the form that an upload of each medium becomes. */
export const mediumOf: Readonly<Record<IdentityPhoto, PhotoMedium>> = {
  documentPhoto: "DOCUMENT_PHOTO",
  selfie: "SELFIE"
}

export class KeptPhotos extends Context.Service<
  KeptPhotos,
  {
    readonly names: (journeyId: JourneyId) => Effect.Effect<ReadonlyArray<IdentityPhoto>, StoreUnavailable>
    /** Null: there is none, or the customer was erased. */
    readonly read: (journeyId: JourneyId, photo: IdentityPhoto) => Effect.Effect<Uint8Array | null, StoreUnavailable>
    readonly drop: (
      journeyId: JourneyId,
      photos: ReadonlyArray<IdentityPhoto>
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/customer/KeptPhotos") {}
