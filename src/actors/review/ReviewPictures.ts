/**
 * The port to the photos a reviewer may look at: sealed with the customer's key, opened for one look, never kept open.
 * Only a journey that is in review shows any; the endpoints see to that.
 */
import { Context, type Effect } from "effect"
import type { PictureName } from "../../schema/review/Review.ts"
import type { Journey } from "../journey/rules/Journey.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export class ReviewPictures extends Context.Service<
  ReviewPictures,
  {
    /** What there is to look at; nothing of a customer who was erased. */
    readonly names: (journey: Journey) => Effect.Effect<ReadonlyArray<PictureName>, StoreUnavailable>
    /** The photo as JPEG, or null when there is none. */
    readonly open: (journey: Journey, name: PictureName) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  }
>()("journeys/actors/ReviewPictures") {}
