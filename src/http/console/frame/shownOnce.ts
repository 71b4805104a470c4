/**
 * A key or a secret on the page that answers the form, and on no other page: with a button that copies it, where scripts run.
 * No browser keeps the page, and no address leads to it.
 */
import { html, type Html } from "../../server/pages/html.ts"
import { copyScriptPath } from "./assets.ts"

export const onceScripts = [copyScriptPath]

/** `what`: "key" or "secret", as a sentence says it. */
export const shownOnce = (what: string, text: string): Html =>
  html`<p role="status" class="flash">
      This ${what} is shown only now. Copy it to where your program keeps its secrets: nobody can show it again.
    </p>
    <p class="once">
      <code id="once" translate="no">${text}</code>
      <button type="button" class="secondary" data-copies="once" hidden>Copy the ${what}</button>
      <span role="status" data-copied></span>
    </p>`
