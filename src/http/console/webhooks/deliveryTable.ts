/** A table of deliveries: what was sent, how it stands, and how the last attempt went. */
import type { WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import { html, type Html } from "../../server/html.ts"
import { attemptOutcomeOf, deliveryStatusWord, endpointPageOf, type ModeName } from "./endpointParts.ts"
import { shownTime } from "../../server/shownTime.ts"

const row =
  (mode: ModeName) =>
  ({ attempts, createdAt, id, journeyId, nextAttemptAt, status, type }: WebhookDeliveryResource): Html => {
    const last = attempts.at(-1)
    return html`<tr>
      <th scope="row">
        <a href="${endpointPageOf(mode)}/deliveries/${id}"><code>${type}</code></a>
      </th>
      <td>${shownTime(createdAt)}</td>
      <td>${journeyId === null ? "–" : html`<a href="/console/journeys/${journeyId}">${journeyId.slice(-6)}</a>`}</td>
      <td>${deliveryStatusWord(status)}</td>
      <td>${last?.number ?? 0}</td>
      <td>${last === undefined ? "–" : attemptOutcomeOf(last)}</td>
      <td>${nextAttemptAt === null ? "–" : shownTime(nextAttemptAt)}</td>
    </tr>`
  }

export const deliveryTable = (mode: ModeName, deliveries: ReadonlyArray<WebhookDeliveryResource>): Html =>
  html`<div class="table" tabindex="0" role="region" aria-label="Deliveries">
    <table>
      <caption>
        Deliveries, the newest event first
      </caption>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Happened</th>
          <th scope="col">Journey</th>
          <th scope="col">State</th>
          <th scope="col">Attempts</th>
          <th scope="col">Last outcome</th>
          <th scope="col">Next attempt</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(row(mode))}
      </tbody>
    </table>
  </div>`
