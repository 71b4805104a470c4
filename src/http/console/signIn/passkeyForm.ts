/** The form with which a member adds a passkey, on the page "Team" and where a company demands one. The page needs the scripts of passkeys. */
import { Duration, Effect } from "effect"
import { memberLimits } from "../../../actors/members/limits.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { hasJustSignedIn } from "../../api/frame/freshSignIn.ts"
import { passkeySite } from "../../api/frame/webauthn.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** What the operation `addPasskey` is asked with. */
export const passkeyBody = (fields: URLSearchParams) => ({
  name: fields.get("name") ?? "",
  answer: fields.get("answer") ?? ""
})

export const passkeyWasAdded = "The passkey was added: you will be asked for it when you sign in."

const addPasskeyForm = (formToken: string, path: string): Html =>
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
const notHere = html`<p>
  Passkeys do not work here: browsers want an address with a name and https. Whoever runs this service sets
  <code>BASE_URL</code> to such an address, for example <code>https://journeys.example</code>. On one machine
  <code>BASE_URL=http://localhost:3000</code> is enough, if you open that address.
</p>`

const signInFirst = (signInAt: string): Html =>
  html`<p>
      To add a passkey, sign in again first: it is more than ${Duration.toMinutes(memberLimits.signInFreshFor)} minutes
      ago.
    </p>
    <p><a role="button" href="${signInAt}">Sign in again</a></p>`

/**
 * The form, or why there is none. The script asks for options at `path` + "/options", and the form with the authenticator's answer goes
 * to `path`. Whoever signed in a while ago signs in at `signInAt` first.
 */
export const addPasskeyPart = Effect.fnUntraced(function* (formToken: string, path: string, signInAt: string) {
  if ((yield* passkeySite) === null) return notHere
  return (yield* hasJustSignedIn) ? addPasskeyForm(formToken, path) : signInFirst(signInAt)
})
