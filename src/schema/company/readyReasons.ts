/**
 * Reasons that a company keeps ready for its reviewers, who choose one instead of typing it anew. They are an owner's own words and name no
 * customer: what was written about one customer is kept sealed with that customer, and is offered for no other.
 */
import { Effect, Schema } from "effect"
import { multilineText } from "../decoding/text.ts"
import { ModelField, withExample } from "../model.ts"
import { lengthOfReason, ReasonText } from "./reasonText.ts"
import { reasonTextLimits } from "./limits.ts"

const { longestReason, mostReadyReasons } = reasonTextLimits

const isReason = Schema.is(ReasonText)

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** One after the other, as a reviewer is offered them. */
export const readyReasonsIn = (text: string | null): ReadonlyArray<string> => (text === null ? [] : linesOf(text))

const judge = (text: string): string | undefined => {
  const lines = linesOf(text)
  if (lines.length > mostReadyReasons) return `must be at most ${mostReadyReasons} lines`
  return lines.every(isReason) ? undefined : `must be a reason of ${lengthOfReason} on each line`
}

/** `example`: what a resource of the documents shows. */
export const readyReasonsField = (decision: string, example: string) => {
  const stored = Schema.NullOr(Schema.String)
  return ModelField({
    row: stored.pipe(Schema.withConstructorDefault(Effect.succeed(null))),
    shown: stored,
    resource: withExample(stored, example),
    patch: Schema.optionalKey(
      Schema.NullOr(
        multilineText(mostReadyReasons * (longestReason + 1))
          .check(Schema.makeFilter(judge))
          .annotate({ description: `Reasons that reviewers can choose when they ${decision}, one a line` })
      ).annotate({ expected: "null or a string" })
    )
  })
}
