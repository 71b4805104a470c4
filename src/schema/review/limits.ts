/** The limits of a reviewer's decision, and of an export. How long photos and videos can be looked at is a setting of the company. */

export const reviewLimits = {
  /** V22: the reason is as long as the reason of a cancellation. Ten characters keep "ok" from being a reason. */
  shortestReason: 10,
  longestReason: 500
} as const

export const exportLimits = {
  /** Lines of the timeline in one export. An honest journey has some thirty. */
  mostLines: 1000,
  /** Lines read at once: one statement each. */
  linesAtOnce: 100
} as const
