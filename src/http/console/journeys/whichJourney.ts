/** Which journey a page beside the journey's own page is about: nothing is cancelled, corrected or opened by mistake. */
import type { JourneyOverview } from "../../../schema/journey/overview.ts"
import { html, type Html } from "../../server/html.ts"

export const whichJourney = ({ journey, registration }: JourneyOverview): Html =>
  html`<p>
    ${!journey.livemode && html`<strong>TEST</strong> `}Journey
    <a href="/console/journeys/${journey.id}"><bdi>${registration ?? journey.id}</bdi></a
    >${journey.externalReference !== null && html`, external reference <bdi>${journey.externalReference}</bdi>`}
  </p>`
