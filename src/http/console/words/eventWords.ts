/** What has happened, for each event, in words for a company's people. The words stand in the catalogue of events. */
import { eventCatalogue } from "../../../schema/journey/events.ts"
import { html, type Html } from "../../server/pages/html.ts"

export const eventWords: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(eventCatalogue).map(([type, { happened }]) => [type, happened])
)

/** An event in words, with its name beside; one of a newer version by its name alone. */
export const eventInWords = (type: string): Html => {
  const words = eventWords[type]
  return words === undefined ? html`<code>${type}</code>` : html`${words}<br /><small><code>${type}</code></small>`
}
