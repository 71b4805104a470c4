/**
 * The port through which a finished mail leaves the service. It tries once and says what became of the mail; when to try
 * again is the caller's decision. The failures are logged, so they hold nothing of the mail and nothing of the server's
 * answer: answers repeat addresses.
 */
import { Context, Data, type Effect } from "effect"
import type { DataKey } from "../kernel/Vault.ts"
import type { Email } from "./wording/Email.ts"
import type { MailId } from "../../schema/ids.ts"

export interface MailMessage {
  /** The same at every try, so that a recipient who gets the mail twice can tell. */
  readonly mailId: MailId
  readonly to: string
  /** The name in which the mail is sent, and the address for replies. Null: the sender of the settings. */
  readonly onBehalf: { readonly name: string; readonly replyTo: string } | null
  /** What it says. Its parts (`contentOf`) are made when they are needed: when it is sent, or when kept mail is read. */
  readonly email: Email
  /** Seals a mail that is kept instead of sent: an erased customer's mail cannot be read. Null: the mail names no customer. */
  readonly customerKey: DataKey | null
}

/** The server refused the mail for good: it will never take this mail to this address. */
export class MailRefused extends Data.TaggedError("MailRefused")<{ readonly reason: string }> {}

/** The mail was not taken, or nobody knows: a later try may succeed, or may bring the mail a second time. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (message: MailMessage) => Effect.Effect<void, MailRefused | MailNotSent> }
>()("journeys/actors/Mailer") {}
