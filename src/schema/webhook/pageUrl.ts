/**
 * The form of a URL of an outside provider that a person is sent to: the rules of W13, with a fragment allowed, because a
 * browser opens the page and not this service.
 */
import { webhookLimits } from "./limits.ts"
import { judgeWebhookUrl, type UrlJudgement } from "./webhookUrl.ts"

export const judgePageUrl = (text: string, options: { readonly allowInsecure: boolean }): UrlJudgement => {
  if (text.length > webhookLimits.longestUrl) return { rule: `must be at most ${webhookLimits.longestUrl} characters` }
  const [page = "", ...fragment] = text.split("#")
  const judged = judgeWebhookUrl(page, options)
  if ("rule" in judged || fragment[0] === undefined) return judged
  if (fragment.length > 1 || !/^[!-~]*$/.test(fragment[0])) return { rule: "must have a fragment of printable ASCII" }
  return { url: `${judged.url}#${fragment[0]}` }
}
