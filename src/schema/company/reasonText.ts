/**
 * Why somebody cancelled or decided something, in their own words: free text that is kept sealed for the team and is in no event. A reason
 * has one form wherever it is given: for a cancellation, for the decision of a review (V22), and among those that a company keeps ready.
 */
import { multilineText } from "../decoding/text.ts"
import { reasonTextLimits } from "./limits.ts"

const { longestReason, shortestReason } = reasonTextLimits

/** The length counts after trimming. A reason may have several lines. */
export const ReasonText = multilineText(longestReason, shortestReason)

export const lengthOfReason = `${shortestReason} to ${longestReason} characters`
