/** Whether the service is well, in words for people. The checks themselves are at /health/ready. */
import type { Checks } from "../ops/Readiness.ts"
import { html, type Html } from "../server/pages/html.ts"

export const wellness = (checks: Checks): Html => {
  const unwell = Object.entries(checks).filter(([, { status }]) => status !== "ok")
  if (unwell.length === 0) return html`<p class="well">The service is well.</p>`
  const isDown = unwell.some(([, { status }]) => status === "failed")
  return html`<p class="unwell">${isDown ? "The service is not ready." : "The service works, with limits."}</p>
    <ul>
      ${unwell.map(([name, { message }]) => html`<li>${name}: ${message}</li>`)}
    </ul>`
}
