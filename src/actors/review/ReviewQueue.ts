/**
 * The port to what waits for a company's team. Reviews are no rows of their own: the journeys say what they wait for,
 * and their events since when. Times are epoch milliseconds.
 */
import { Context, type Effect } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { ReviewKind } from "../../schema/review/Review.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { Journey } from "../journey/rules/Journey.ts"
import type { Scope } from "../kernel/Scope.ts"
import type { JourneyUnreadable, StoreUnavailable } from "../kernel/StoreError.ts"

export interface Review {
  /** The id of the event that began it. */
  readonly id: string
  readonly kind: ReviewKind
  readonly since: number
  readonly journey: Journey
}

export interface FoundReview extends Review {
  /** It still waits. */
  readonly isOpen: boolean
  /** The message with the id that was asked for, if the journey has taken one. */
  readonly told: JourneyMessage | null
}

export class ReviewQueue extends Context.Service<
  ReviewQueue,
  {
    /** What waits, the longest waiting first. */
    readonly waiting: (scope: Scope, page: PageRequest) => Effect.Effect<PageOf<Review>, StoreUnavailable>
    /** The review of a company, whether it waits or is over; `messageId` is looked for in its journey's journal. */
    readonly find: (
      companyId: string,
      reviewId: string,
      messageId: string
    ) => Effect.Effect<FoundReview | null, StoreUnavailable | JourneyUnreadable>
  }
>()("journeys/actors/ReviewQueue") {}
