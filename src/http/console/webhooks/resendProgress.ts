/** The page of a resend of many events: how far it is. It looks again by itself until everything is sent or kept. */
import { Clock, Duration, Effect } from "effect"
import { timestamp } from "../../../schema/moment.ts"
import type { ResendTaskResource } from "../../../schema/webhook/Resend.ts"
import { deliveryOperations } from "../../api/webhooks/deliveries.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { companyPage, showPage } from "../frame/consolePage.ts"
import { endpointPageOf, endpointQuestion, webhooksPath } from "./endpointParts.ts"
import { consoleLimits } from "../frame/limits.ts"
import { factList } from "../frame/lists.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { progressPart, renewScripts } from "../frame/renewing.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

/** Retries go on for days: a page that waited for them would never end. */
const isGoingOn = ({ counts, finishedAt }: ResendTaskResource, now: number): boolean =>
  finishedAt === null ||
  (counts.PENDING > 0 && finishedAt > timestamp(now - Duration.toMillis(consoleLimits.progressWatched)))

const progress = (task: ResendTaskResource): Html => {
  const { counts, queued, state } = task
  const settled = queued - counts.PENDING
  return html`<p role="status">
      <strong>${state === "RUNNING" ? "Goes on" : counts.PENDING > 0 ? "All are on their way" : "Done"}</strong>:
      ${settled} of ${queued} events are through.
    </p>
    <progress max="${Math.max(1, queued)}" value="${settled}" aria-label="Events that are through"></progress>
    ${factList([
      ["Delivered", counts.DELIVERED],
      ["Wait for an attempt", counts.PENDING],
      ["Given up", counts.GIVEN_UP],
      ["Kept, not sent", counts.PARKED]
    ])}`
}

const wish = ({ createdAt, delivered, journeyId, since, types }: ResendTaskResource): Html =>
  html`<p class="long">
    Asked for ${shownTime(createdAt)}: ${delivered ? "everything" : "what was missed"} since
    ${shownTime(since)}${journeyId !== null && `, of the journey ${journeyId}`}${types !== null && `, ${types.join(", ")}`}.
  </p>`

const show = companyPage((user) =>
  Effect.gen(function* () {
    const { path } = yield* endpointQuestion(user)
    const taskId = yield* pathPart("taskId")
    const task = yield* ask(deliveryOperations, "getResend", { path: { ...path, taskId } })
    const page = endpointPageOf(path.mode)
    return yield* showPage(user, {
      scripts: renewScripts,
      heading: "Events sent again",
      content: html`${wish(task)}
        ${progressPart(`${page}/resends/${task.id}`, isGoingOn(task, yield* Clock.currentTimeMillis), progress(task))}
        <p><a href="${page}/deliveries">The delivery log</a> · <a href="${page}">The endpoint</a></p>`
    })
  })
)

export const resendRoutes = [{ method: "GET", path: `${webhooksPath}/:mode/resends/:taskId`, handle: show }] as const
