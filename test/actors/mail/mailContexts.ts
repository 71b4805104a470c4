/** What journey mail is written from, as tests of mail need it. Not a test itself. */
import { Effect } from "effect"
import type { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import type { MailContext, MailRecipient } from "../../../src/actors/mail/Recipients.ts"
import { make as vaultOf } from "../../../src/runtime/keys/AesVault.ts"
import type { Shape } from "../../../src/schema/journey/statuses.ts"
import { factsOf, started } from "../journey/rules/startedJourneys.ts"

/** A live journey just started. */
export const live = (shape: Shape): Journey => started(factsOf(shape)).journey

export const ann: MailRecipient = {
  email: "ann@customer.example",
  isAddressEnded: false,
  firstName: "Ann",
  registration: "AB12 CDE",
  seller: null,
  language: "en",
  key: Effect.runSync(vaultOf(new Uint8Array(32)).newKey)
}

export const mailContextOf = (journey: Journey, change: Partial<MailContext> = {}): MailContext => ({
  journey,
  companyName: "Harbour Cars",
  reviewId: null,
  customer: ann,
  isSuperseded: false,
  lastSeen: null,
  ...change
})

/**
 * The paragraphs of an HTML part as a reader sees them. A button and the address below it are one paragraph, as in the plain
 * part.
 */
export const shownIn = (html: string): string =>
  Array.from(html.matchAll(/<p(?: class="soft")? style="[^"]*">(.*?)<\/p>/gs), ([, paragraph = ""]) =>
    paragraph
      .replaceAll("<br>", "\n")
      .replaceAll(/<a class="[^"]*" href="[^"]*" style="[^"]*">(.*?)<\/a>/g, "$1")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&")
  )
    .join("\n\n")
    .replaceAll(/\n\n[^\n]*:\n(?=https?:)/g, ": ")
