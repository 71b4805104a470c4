/**
 * Mails of the built-in mailbox as a list: each as its reader would see it, and as plain text. A mail is shown in a frame that
 * runs no script; its links open in the whole window. Who may see which mails is decided by the pages that show the list.
 */
import type { MailResource } from "../../schema/mail/MailResource.ts"
import { html, type Html } from "../server/pages/html.ts"
import { shownTime } from "../server/pages/shownTime.ts"

/** What a page with this list must be allowed beside the usual: the frames, and the styles inside of the mails. */
export const mailListPolicy = { "frame-src": "'self'", "style-src": "'self' 'unsafe-inline'" } as const

const mailItem = (mail: MailResource): Html =>
  html`<li>
    <details>
      <summary>
        <strong><bdi>${mail.subject}</bdi></strong>
        <span class="hint">to <bdi>${mail.to}</bdi>, ${shownTime(mail.createdAt)}</span>
      </summary>
      <iframe
        title="${mail.subject}"
        sandbox="allow-top-navigation-by-user-activation allow-popups"
        srcdoc="${`<base target="_top">${mail.html}`}"
      ></iframe>
      <details>
        <summary>The mail as plain text</summary>
        <pre>${mail.text}</pre>
      </details>
    </details>
  </li>`

export const mailList = (mails: ReadonlyArray<MailResource>): Html =>
  html`<ul class="mails">
    ${mails.map(mailItem)}
  </ul>`
