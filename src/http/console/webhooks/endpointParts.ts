/**
 * What the pages of webhooks share: their paths, the endpoint of a page, how an endpoint's state is said and what to do about
 * it, and how an attempt went.
 */
import { Duration, Effect } from "effect"
import { failureClasses } from "../../../schema/failureClass.ts"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import { everything } from "../../../schema/webhook/EventSelection.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import type { WebhookAttemptResource } from "../../../schema/webhook/WebhookDelivery.ts"
import type { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { longestRetried } from "../../../actors/webhook/rules/backoff.ts"
import { webhookEndpointOperations } from "../../api/webhooks/webhookEndpoints.ts"
import { inWords } from "../../documents/durations.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { problem } from "../../server/answers/problems.ts"
import type { CompanyUser } from "../frame/consolePage.ts"
import type { factList } from "../frame/lists.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

export const webhooksPath = "/console/webhooks"

/** As paths name the two endpoints. */
export type ModeName = "live" | "test"

export const endpointPageOf = (mode: ModeName): string => `${webhooksPath}/${mode}`

/** What the operations of the page's endpoint are asked with. */
export const endpointQuestion = Effect.fnUntraced(function* (user: CompanyUser) {
  const given = yield* pathPart("mode")
  if (given !== "live" && given !== "test") return yield* problem("NOT_FOUND", "webhookEndpoint")
  const mode: ModeName = given
  return { path: { ...user.path, mode } }
})

/** Null where nothing is there. */
export const orNothing = <A, R>(
  asking: Effect.Effect<A, HandlerFailure, R>
): Effect.Effect<A | null, HandlerFailure, R> =>
  Effect.catchTag(asking, "Problem", (failure) =>
    failure.errors[0].code === "NOT_FOUND" ? Effect.succeed(null) : Effect.fail(failure)
  )

export const endpointOf = (user: CompanyUser, mode: ModeName) =>
  orNothing(ask(webhookEndpointOperations, "getWebhookEndpoint", { path: { ...user.path, mode } }))

const stateWord = ({ enabled, failingSince }: WebhookEndpointResource): string =>
  enabled ? (failingSince === null ? "On" : "Failing") : "Off"

/** What is set, and how it stands. */
export const endpointFacts = (endpoint: WebhookEndpointResource): Parameters<typeof factList>[0] => {
  const { events, previousSecretsUntil, url } = endpoint
  const facts = [
    ["State", html`<strong>${stateWord(endpoint)}</strong>`],
    ["URL", url],
    ["Events", events.includes(everything) ? "everything" : events.join(", ")]
  ] as const
  const [first, ...more] = previousSecretsUntil.map(shownTime)
  if (first === undefined) return facts
  const ends = html`until ${first}${more.map((end) => html`, and another until ${end}`)}`
  return [...facts, ["A secret of before signs as well", ends]]
}

const longestRetry = `${Math.round(Duration.toHours(longestRetried))} hours`
const threeDays = inWords(Duration.toMillis(webhookLimits.turnedOffAfter))

/** Why the endpoint is as it is, and what to do. `mode` leads to the page where it is done. */
export const stateExplained = (endpoint: WebhookEndpointResource, mode: ModeName): Html => {
  const { failingSince, offReason, offSince } = endpoint
  const page = endpointPageOf(mode)
  if (offReason === "UNREACHABLE") {
    return html`<p class="problem">
        Turned off ${offSince !== null && shownTime(offSince)}: every attempt has failed
        ${failingSince === null ? `for ${threeDays}` : html`since ${shownTime(failingSince)}`}. Events are kept, not
        sent.
      </p>
      <ol>
        <li>
          See why: <a href="${page}/deliveries?status=PARKED">what was tried last</a>. Mend the receiver, or set another
          URL.
        </li>
        <li><a href="${page}#try">Ping it</a>: that works while it is off.</li>
        <li><a href="${page}#switch">Turn it on again</a>.</li>
        <li><a href="${page}#resend">Send what was missed again</a>: nothing that was kept leaves by itself.</li>
      </ol>`
  }
  if (offReason === "BY_HAND") {
    return html`<p>
      Turned off by hand ${offSince !== null && shownTime(offSince)}. Events are kept, not sent.
      <a href="${page}#switch">Turn it on</a>, then <a href="${page}#resend">send what was missed again</a>.
    </p>`
  }
  if (failingSince !== null) {
    return html`<p class="problem">
      Every attempt has failed since ${shownTime(failingSince)}; each event is tried again for ${longestRetry}. After
      ${threeDays} of failures the endpoint is turned off.
      <a href="${page}/deliveries?status=PENDING">See what waits, and why</a>.
    </p>`
  }
  return html`<p>The endpoint is on, and nothing has failed there.</p>`
}

const statusWords: Readonly<Record<WebhookDeliveryStatus, string>> = {
  PENDING: "Waits",
  DELIVERED: "Delivered",
  GIVEN_UP: "Given up",
  PARKED: "Kept, not sent"
}

export const deliveryStatusWord = (status: WebhookDeliveryStatus): string => statusWords[status]

/** What an attempt came to, in a few words. */
export const attemptOutcomeOf = ({ error, httpStatus }: WebhookAttemptResource): string =>
  httpStatus === null ? (error ?? "No answer") : `Answered ${httpStatus}`

/** Why there was no answer; null where there was one. */
export const meaningOf = ({ error }: WebhookAttemptResource): string | null =>
  error === null ? null : failureClasses[error].meaning
