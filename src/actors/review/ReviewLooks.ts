/**
 * The port to who has a review open now. The page of a review says so again while somebody looks at it; whoever says nothing for a
 * while has it open no more. It is a hint for colleagues and holds up nobody: the first decision stands, whoever looks. Nothing of it is
 * personal but the id of a member, and it is gone within the hour. Times are epoch milliseconds.
 */
import { Context, type Effect } from "effect"
import type { CompanyId, EventId } from "../../schema/ids.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface ReviewLook {
  /** As the audit log names people. */
  readonly actor: string
  readonly since: number
}

export class ReviewLooks extends Context.Service<
  ReviewLooks,
  {
    /** The actor has the review open at this moment. */
    readonly open: (companyId: CompanyId, reviewId: EventId, actor: string) => Effect.Effect<void, StoreUnavailable>
    /** Who has the reviews open, who was first at the beginning. A review that nobody has open has no entry. */
    readonly of: (
      companyId: CompanyId,
      reviewIds: ReadonlyArray<EventId>
    ) => Effect.Effect<ReadonlyMap<EventId, ReadonlyArray<ReviewLook>>, StoreUnavailable>
  }
>()("journeys/actors/ReviewLooks") {}
