/** What a signed-in customer's page says before the session ends. */
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import type { FrameWords } from "../../../schema/words/en/frame.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { sessionNote } from "../../server/pages/sessionNote.ts"

/** Where the page's script asks when the session ends, and prolongs the session. */
export const sessionPath = "/app/session"

export const customerSessionNote = ({ session: words }: FrameWords, formToken: string): Html =>
  sessionNote({
    path: sessionPath,
    formToken,
    words,
    here: "",
    signIn: html`<a class="alone" href="${journeyPagePath}">${words.signInAgain}</a>`
  })
