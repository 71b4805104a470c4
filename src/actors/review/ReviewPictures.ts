/**
 * The port to the photos that a reviewer may look at. A photo is kept sealed with the customer's key and opened for one
 * look. The endpoints show photos only while the journey has an open review.
 */
import { Context, type Effect } from "effect"
import type { PictureName } from "../../schema/review/Review.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export class ReviewPictures extends Context.Service<
  ReviewPictures,
  {
    /** The photos that there are. Of a customer who was erased there are none. */
    readonly names: (journey: Journey) => Effect.Effect<ReadonlyArray<PictureName>, StoreUnavailable>
    /** The photo as JPEG, or null when there is no such photo. */
    readonly open: (journey: Journey, name: PictureName) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  }
>()("journeys/actors/ReviewPictures") {}
