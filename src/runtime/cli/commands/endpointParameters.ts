/** What the commands about webhooks share: which endpoint is meant, and how a delivery is printed. */
import type { WebhookAttemptResource, WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import { cliLimits } from "../frame/limits.ts"
import { choiceArgument, companyArgument } from "../frame/parameters.ts"
import { printWithList } from "../frame/printing.ts"

export const endpoint = {
  company: companyArgument,
  mode: choiceArgument("mode", ["live", "test"], "Which of the company's endpoints")
}

export const paramsOf = ({ company, mode }: { readonly company: string; readonly mode: "live" | "test" }) => ({
  companyId: company,
  mode
})

/** What an attempt came to: the status of the answer, or why there was none. */
export const outcomeOf = (attempt: WebhookAttemptResource | undefined): unknown => attempt?.httpStatus ?? attempt?.error

/** Nothing in an answer may steer the terminal. */
const shortened = (answer: string | null): string | null =>
  answer === null
    ? null
    : answer.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, cliLimits.longestAnswerShown)

export const printDelivery = (delivery: WebhookDeliveryResource) =>
  printWithList({ thing: delivery, list: { name: "attempts", entries: delivery.attempts } }, [
    ["NUMBER", (one) => one.number],
    ["AT", (one) => one.at],
    ["MS", (one) => one.durationMillis],
    ["TRIGGER", (one) => one.trigger],
    ["OUTCOME", outcomeOf],
    ["ANSWER", (one) => shortened(one.answer)]
  ])
