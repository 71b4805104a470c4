/**
 * The port to the reviews that wait for a company's team. A review has no row of its own: the journey says what the journey
 * waits for, and its events say since when. Times are epoch milliseconds.
 */
import { Context, type Effect } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { Scope } from "../kernel/Scope.ts"
import type { JourneyUnreadable, StoreUnavailable } from "../kernel/StoreError.ts"
import type { ReviewKind } from "../../schema/journey/ReviewKind.ts"
import type { CompanyId, EventId } from "../../schema/ids.ts"

export interface Review {
  /** The id of the event that began the review. */
  readonly id: EventId
  readonly kind: ReviewKind
  readonly since: number
  readonly journey: Journey
}

/** What the team did about a review: the message that the journey took, and who sent it. */
export interface DecidedReview {
  readonly sender: string
  readonly at: number
  readonly message: JourneyMessage
}

export interface FoundReview extends Review {
  /** Whether the review still waits. */
  readonly isOpen: boolean
  /** The message with the id that the caller asked for, if the journey has taken that message. */
  readonly taken: JourneyMessage | null
  /** Null: the team has not decided. `taken` by whoever sent it, or the check was resent. */
  readonly decided: DecidedReview | null
}

/** What waits for a company in a mode: all of it, or the reviews of one kind. */
export interface Queue extends Scope {
  readonly kind: ReviewKind | null
}

/** Where a review stands in a queue of its mode. */
export interface QueuePlace {
  /** The review that has waited a little longer. */
  readonly previous: EventId | null
  readonly next: EventId | null
  /** How many wait in all. */
  readonly waiting: number
}

export class ReviewQueue extends Context.Service<
  ReviewQueue,
  {
    /** The open reviews, the longest waiting first. */
    readonly waiting: (queue: Queue, page: PageRequest) => Effect.Effect<PageOf<Review>, StoreUnavailable>
    /** Beside a review, open or over, also where the queue is of another kind. */
    readonly beside: (queue: Queue, reviewId: EventId) => Effect.Effect<QueuePlace, StoreUnavailable>
    /** A review of the company, open or over. The message with `messageId` is looked for in the journey's journal. */
    readonly find: (
      companyId: CompanyId,
      reviewId: EventId,
      messageId: string
    ) => Effect.Effect<FoundReview | null, StoreUnavailable | JourneyUnreadable>
  }
>()("journeys/actors/ReviewQueue") {}
