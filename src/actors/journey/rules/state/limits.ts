/** The limits that the state of a journey counts up to. Times, and attempts at work, are limited beside the rules. */
export const handoverLimits = {
  /** Clear mismatches of the video in a row: with this one the team looks at it (H4). */
  mismatchesBeforeReview: 3
} as const
