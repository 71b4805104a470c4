/**
 * Whose journey a page beside the journey's own page is about: nothing is cancelled, corrected, erased or opened by mistake. The operation
 * that the overview comes from (`getCompanyJourney`) has written the look into the audit log, as for the journey's own page.
 */
import type { JourneyOverview } from "../../../schema/journey/overview.ts"
import { html, type Html } from "../../server/pages/html.ts"

export const whichJourney = ({ customerName, journey, registration }: JourneyOverview): Html =>
  html`<p>
    ${!journey.livemode && html`<strong>TEST</strong> `}Journey
    <a href="/console/journeys/${journey.id}"><bdi>${registration ?? journey.id}</bdi></a
    >${journey.externalReference !== null && html`, external reference <bdi>${journey.externalReference}</bdi>`}<br />
    Customer: ${customerName === null ? "erased" : html`<strong><bdi>${customerName}</bdi></strong>`}
  </p>`
