/** How a receiver knows that a delivery is ours, on the pages where somebody sets an endpoint or gets its secret. */
import { verifyLines } from "../../documents/verifyLines.ts"
import { html, type Html } from "../../server/pages/html.ts"

/** The section of the documentation. */
export const webhookDocs = "/docs#integrators/tag/webhooks"

export const eventDocs = "/docs#integrators/tag/events"

export const listenGuide = "/docs/guides/webhooks#webhooks-on-your-own-machine"

/** The lines in each language, folded. */
export const verification: Html = html`${Object.entries(verifyLines).map(
  ([language, lines]) =>
    html`<details>
      <summary>Verify a delivery in ${language}</summary>
      <pre class="long" tabindex="0"><code translate="no">${lines}</code></pre>
    </details>`
)}`
