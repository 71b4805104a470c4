/** The limits of a look at a review, and of an export. How long photos and videos can be looked at is a setting of the company. */
import { Duration } from "effect"

export const reviewLimits = {
  /** A page that is looked at says four times within this that somebody has the review open. Longer, and colleagues wait for somebody who has left. */
  lookLasts: Duration.minutes(2)
} as const

export const exportLimits = {
  /** Lines of the timeline in one export. An honest journey has some thirty. */
  mostLines: 1000,
  /** Lines read at once: one statement each. */
  linesAtOnce: 100
} as const
