/** A table of deliveries: what was sent, how it stands, and how the last attempt went. */
import type { WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { listTable } from "../frame/lists.ts"
import { attemptOutcomeOf, deliveryStatusWord, endpointPageOf, type ModeName } from "./endpointParts.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

export const deliveryTable = (mode: ModeName, deliveries: ReadonlyArray<WebhookDeliveryResource>): Html =>
  listTable({
    caption: "Deliveries, the newest event first",
    head: ["Event", "Happened", "Journey", "State", "Attempts", "Last outcome", "Next attempt"],
    empty: null,
    rows: deliveries.map(({ attempts, createdAt, id, journeyId, nextAttemptAt, status, type }) => {
      const last = attempts.at(-1)
      return [
        html`<a href="${endpointPageOf(mode)}/deliveries/${id}"><code>${type}</code></a>`,
        shownTime(createdAt),
        journeyId === null ? "–" : html`<a href="/console/journeys/${journeyId}">${journeyId.slice(-6)}</a>`,
        deliveryStatusWord(status),
        last?.number ?? 0,
        last === undefined ? "–" : attemptOutcomeOf(last),
        nextAttemptAt === null ? "–" : shownTime(nextAttemptAt)
      ]
    })
  })
