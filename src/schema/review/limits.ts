/** The limits of a reviewer's decision. How long photos and videos can be looked at is a setting of the company. */

export const reviewLimits = {
  /** V22: the reason is as long as the reason of a cancellation. Ten characters keep "ok" from being a reason. */
  shortestReason: 10,
  longestReason: 500
} as const
