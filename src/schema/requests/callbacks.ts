/**
 * The bodies with which outside providers call back: the finance panel's decision and the identity provider's result. Only
 * the form is judged here. A portrait's form is judged with its picture, because a result counts whatever its portrait is.
 * Whether a callback is genuine, and what it changes, is decided elsewhere.
 */
import { Schema } from "effect"
import { beyondForm, invalid, type BrokenRules } from "../decoding/bodyDecoder.ts"
import { Decision, ReasonCodes } from "../journey/statuses.ts"
import { formattedText, text } from "../decoding/text.ts"
import { memberOf } from "../decoding/record.ts"
import { webhookLimits } from "../webhook/limits.ts"
import { judgePageUrl } from "../webhook/pageUrl.ts"
import { callbackLimits } from "./limits.ts"

const id = text(callbackLimits.longestCallbackId).annotate({
  description: "The provider's own id of this callback: one that comes again with it has no effect again"
})

/** The id of the path again, so that the signature covers it: a callback cannot be replayed at another request. */
const requestId = (what: string) =>
  text(callbackLimits.longestRequestId).annotate({ format: "uuid", description: `The ${what} of the path` })

export const FinanceCallbackBody = Schema.Struct({
  id,
  submissionId: requestId("submissionId"),
  decision: Decision
}).annotate({ identifier: "FinanceCallback" })
export type FinanceCallbackBody = typeof FinanceCallbackBody.Type

/** `brokenRules` judges the URL: what it may be depends on what is allowed. */
const ReviewUrl = formattedText(webhookLimits.longestUrl, () => undefined, { format: "uri" }).annotate({
  description: "https: the provider's own page about this check, for the company's team"
})

const brokenRules: BrokenRules = (body, { allowInsecure }) => {
  const reviewUrl = memberOf(body, "reviewUrl")
  const judged = typeof reviewUrl === "string" ? judgePageUrl(reviewUrl, { allowInsecure }) : { reviewUrl }
  return "rule" in judged ? [invalid("reviewUrl", judged.rule)] : []
}

export const IdentityCallbackBody = Schema.Struct({
  id,
  checkId: requestId("checkId"),
  result: Schema.Literals(["VERIFIED", "UNDER_REVIEW", "FAILED"]),
  reasons: Schema.optionalKey(
    ReasonCodes.annotate({
      description: "Codes. NAME_DIFFERS sends a check to the company's team, also with the result VERIFIED"
    })
  ),
  reviewUrl: Schema.optionalKey(ReviewUrl),
  portrait: Schema.optionalKey(
    Schema.String.annotate({
      contentEncoding: "base64",
      description: `JPEG in base64, ${callbackLimits.largestPortraitBytes / 2 ** 20} MB at most before the encoding, with one clear face: what the handover video is compared with. A result counts whatever its portrait is`
    })
  )
}).annotate({ identifier: "IdentityCallback", [beyondForm]: brokenRules })
export type IdentityCallbackBody = typeof IdentityCallbackBody.Type
