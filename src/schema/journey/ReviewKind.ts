/** What a company's team may have to look at on a journey. The reviews themselves are in `schema/review/Review.ts`. */
import { Schema } from "effect"

/** A CHECK_UNAVAILABLE is not decided: the team repairs what is wrong and resends the check. */
export const ReviewKind = Schema.Literals(["IDENTITY", "VIDEO", "CHECK_UNAVAILABLE"])
export type ReviewKind = typeof ReviewKind.Type
