/** The form with which a member adds a passkey, on the page "Team" and where a company demands one. The page needs the scripts of passkeys. */
import { companyLimits } from "../../../schema/company/limits.ts"
import { html, type Html } from "../../server/html.ts"
import { tokenField } from "../frame/consoleFrame.ts"

/** The script asks for options at `path` + "/options", and the form with the authenticator's answer goes to `path`. */
export const addPasskeyForm = (formToken: string, path: string): Html =>
  html`<form method="post" action="${path}" data-passkey="add" data-options="${path}/options">
      ${tokenField(formToken)}<input type="hidden" name="answer" />
      <div class="field">
        <label for="passkey-name">What to call it</label>
        <input
          id="passkey-name"
          name="name"
          type="text"
          required
          maxlength="${companyLimits.longestPasskeyName}"
          placeholder="My telephone"
          autocomplete="off"
        />
      </div>
      <button>Add a passkey</button>
      <p role="alert" class="refused" data-said hidden></p>
    </form>
    <noscript><p>Passkeys need JavaScript. Please turn it on for this page.</p></noscript>`

/** In place of the form, where no browser would take a passkey. */
export const passkeysNotHere = html`<p>
  Passkeys do not work here: browsers want an address with a name and https. Whoever runs this service sets
  <code>BASE_URL</code> to such an address, for example <code>https://journeys.example</code>. On one machine
  <code>BASE_URL=http://localhost:3000</code> is enough, if you open that address.
</p>`
